//! Collections of the items of parallel iterators.

use std::mem::{MaybeUninit, needs_drop};

use super::{
    adaptors::Zip,
    iterator::ParallelIterator,
    sources::{IntoParallelIterator, ParallelSliceMut},
    split::map_ranges,
};

/// Types that items can be collected into.
pub trait FromParallelIterator<T> {
    /// Collects all items, in order.
    fn from_par_iter(items: impl ParallelIterator<Item = T>) -> Self;
}

/// Types that items can be appended to.
pub trait ParallelExtend<T> {
    /// Appends all items, in order.
    fn par_extend(&mut self, items: impl IntoParallelIterator<Item = T>);
}

impl<T: Send> FromParallelIterator<T> for Vec<T> {
    fn from_par_iter(items: impl ParallelIterator<Item = T>) -> Self {
        let mut all = Vec::new();
        append(&mut all, items);
        all
    }
}

/// All values, or the first error.
impl<T: Send, E: Send> FromParallelIterator<Result<T, E>> for Result<Vec<T>, E> {
    fn from_par_iter(items: impl ParallelIterator<Item = Result<T, E>>) -> Self {
        let lists = lists::<_, Self>(&items).collect::<Result<Vec<_>, _>>()?;
        Ok(concatenated(lists))
    }
}

impl<T: Send> FromParallelIterator<Option<T>> for Option<Vec<T>> {
    fn from_par_iter(items: impl ParallelIterator<Item = Option<T>>) -> Self {
        lists::<_, Self>(&items).collect::<Option<Vec<_>>>().map(concatenated)
    }
}

impl<T: Send> ParallelExtend<T> for Vec<T> {
    fn par_extend(&mut self, items: impl IntoParallelIterator<Item = T>) {
        append(self, items.into_par_iter());
    }
}

fn append<T: Send, I: ParallelIterator<Item = T>>(all: &mut Vec<T>, items: I) {
    // A panic would leak items that need to be dropped, so these are collected per range instead.
    if I::EXACT && !needs_drop::<T>() {
        append_exact(all, items);
    } else {
        let lists = lists::<_, Vec<T>>(&items).collect();
        if all.is_empty() {
            *all = concatenated(lists);
        } else {
            all.extend(lists.into_iter().flatten());
        }
    }
}

/// Writes each item directly to its slot.
fn append_exact<T: Send, I: ParallelIterator<Item = T>>(all: &mut Vec<T>, items: I) {
    let (positions, length) = (items.positions(), all.len());
    all.reserve(positions);
    let slots = all.spare_capacity_mut()[..positions].par_iter_mut();
    let written: usize = {
        let pairs = Zip { a: slots, b: items };
        let write = |(slot, item): (&mut MaybeUninit<T>, T)| {
            slot.write(item);
            1
        };
        // SAFETY: each position is in one range.
        let write_range = |range| unsafe { pairs.items(range) }.map(write).sum::<usize>();
        map_ranges(positions, pairs.lengths(), write_range).sum()
    };
    assert_eq!(written, positions, "one item at each position");
    // SAFETY: `positions` slots were written, each once.
    unsafe { all.set_len(length + positions) };
}

/// The items of each range, collected.
fn lists<I: ParallelIterator, C: FromIterator<I::Item> + Send>(
    items: &I,
) -> impl Iterator<Item = C> {
    // SAFETY: each position is in one range.
    let list = |range| unsafe { items.items(range) }.collect::<C>();
    map_ranges(items.positions(), items.lengths(), list)
}

fn concatenated<T>(mut lists: Vec<Vec<T>>) -> Vec<T> {
    if lists.len() == 1 {
        return lists.remove(0);
    }
    let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    lists.into_iter().for_each(|list| all.extend(list));
    all
}
