//! An array that is owned or lies in a memory-mapped file.

use std::{ops::Deref, sync::Arc};

use bytemuck::Pod;

use crate::io::FileMap;

/// An immutable array of numbers, owned or lying in a memory-mapped file. Cloning is cheap.
///
/// ```
/// use equipoise_graph::Storage;
///
/// let numbers = Storage::from(vec![1u32, 2, 3]);
/// assert_eq!(numbers[1], 2);
/// assert_eq!(numbers.clone().into_vec(), [1, 2, 3]);
/// ```
#[derive(Clone)]
pub struct Storage<T>(Inner<T>);

#[derive(Clone)]
enum Inner<T> {
    Owned(Arc<Vec<T>>),
    Mapped { map: Arc<FileMap>, start: usize, length: usize },
}

impl<T: Pod> Storage<T> {
    /// The `length` numbers that start at byte `start` of `map`, or `None` where they do not lie
    /// wholly inside it or are not aligned.
    pub(crate) fn mapped(map: &Arc<FileMap>, start: usize, length: usize) -> Option<Self> {
        let end = length.checked_mul(size_of::<T>())?.checked_add(start)?;
        bytemuck::try_cast_slice::<u8, T>(map.get(start..end)?).ok()?;
        Some(Self(Inner::Mapped { map: map.clone(), start, length }))
    }

    /// The numbers as a vector: moved out where nobody else holds them, copied otherwise.
    pub fn into_vec(self) -> Vec<T> {
        match self.0 {
            Inner::Owned(numbers) => Arc::try_unwrap(numbers).unwrap_or_else(|held| held.to_vec()),
            Inner::Mapped { .. } => self.to_vec(),
        }
    }
}

impl<T: Pod> Deref for Storage<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Inner::Owned(numbers) => numbers,
            Inner::Mapped { map, start, length } => {
                bytemuck::cast_slice(&map[*start..*start + length * size_of::<T>()])
            }
        }
    }
}

impl<T> From<Vec<T>> for Storage<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(Inner::Owned(Arc::new(numbers)))
    }
}

impl<T: Pod + PartialEq> PartialEq for Storage<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
