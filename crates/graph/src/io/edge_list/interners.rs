//! Tables of words, one for each thread.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::interner::Interner;

/// A table for each thread that reads words.
#[derive(Default)]
pub(super) struct Interners(Mutex<Tables>);

#[derive(Default)]
struct Tables {
    /// Those that no thread uses, with their indices.
    idle: Vec<(usize, Interner)>,
    count: usize,
}

impl Interners {
    /// Calls a function with a table that no other thread uses, and its index.
    pub fn with<T>(&self, function: impl FnOnce(usize, &mut Interner) -> T) -> T {
        let (index, mut table) = self.lock().take();
        let result = function(index, &mut table);
        self.lock().idle.push((index, table));
        result
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All tables, in the order of their indices.
    pub fn into_list(self) -> Vec<Interner> {
        let mut tables = self.0.into_inner().unwrap_or_else(PoisonError::into_inner).idle;
        tables.sort_unstable_by_key(|&(index, _)| index);
        tables.into_iter().map(|(_, table)| table).collect()
    }
}

impl Tables {
    fn take(&mut self) -> (usize, Interner) {
        self.idle.pop().unwrap_or_else(|| {
            self.count += 1;
            (self.count - 1, Interner::new())
        })
    }
}
