//! The methods of parallel iterators.

use std::{
    cmp::Ordering::Greater,
    iter::Sum,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use super::{
    adaptors::*,
    collect::FromParallelIterator,
    iterator::ParallelIterator,
    sources::IntoParallelIterator,
    split::{Lengths, for_ranges, map_ranges},
};

impl<I: ParallelIterator> ParallelMethods for I {}

/// Methods with the meaning of those of rayon's `ParallelIterator`, except that the `find` methods
/// always find the first item.
pub trait ParallelMethods: ParallelIterator {
    /// Sets the minimum length of ranges.
    fn with_min_len(self, min: usize) -> WithLengths<Self> {
        let lengths = self.lengths().and(Lengths { min, ..Lengths::default() });
        WithLengths { source: self, lengths }
    }

    /// Sets the maximum length of ranges.
    fn with_max_len(self, max: usize) -> WithLengths<Self> {
        let lengths = self.lengths().and(Lengths { max, ..Lengths::default() });
        WithLengths { source: self, lengths }
    }

    /// The results of a function of each item.
    fn map<T, F: Fn(Self::Item) -> T + Sync>(self, function: F) -> Map<Self, F> {
        Map { source: self, function }
    }

    /// Like `map`, with a state that the items of a range share.
    fn map_init<S, T, I, F>(self, init: I, function: F) -> MapInit<Self, I, F>
    where
        I: Fn() -> S + Sync,
        F: Fn(&mut S, Self::Item) -> T + Sync,
    {
        MapInit { source: self, init, function }
    }

    /// The items that satisfy a predicate.
    fn filter(
        self,
        predicate: impl Fn(&Self::Item) -> bool + Sync,
    ) -> impl ParallelIterator<Item = Self::Item> {
        self.filter_map(move |item| predicate(&item).then_some(item))
    }

    /// The results of a function of each item, except `None`.
    fn filter_map<T, F>(self, function: F) -> FilterMap<Self, F>
    where
        F: Fn(Self::Item) -> Option<T> + Sync,
    {
        FilterMap { source: self, function }
    }

    /// The items of the sequential iterators that a function returns for each item.
    fn flat_map_iter<T: IntoIterator, F>(self, function: F) -> FlatMapIter<Self, F>
    where
        F: Fn(Self::Item) -> T + Sync,
    {
        FlatMapIter { source: self, function }
    }

    /// The items of each range, folded into one value per range.
    fn fold<T, I, F>(self, identity: I, function: F) -> Fold<Self, I, F>
    where
        I: Fn() -> T + Sync,
        F: Fn(T, Self::Item) -> T + Sync,
    {
        Fold { source: self, identity, function }
    }

    /// Items with their positions.
    fn enumerate(self) -> Enumerate<Self> {
        const { assert!(Self::EXACT) };
        Enumerate { source: self }
    }

    /// Pairs of items at the same position.
    fn zip<O: IntoParallelIterator>(self, other: O) -> Zip<Self, O::Iter> {
        const { assert!(Self::EXACT && O::Iter::EXACT) };
        Zip { a: self, b: other.into_par_iter() }
    }

    /// These items, then others.
    fn chain<O>(self, other: O) -> Chain<Self, O::Iter>
    where
        O: IntoParallelIterator<Item = Self::Item>,
    {
        Chain { a: self, b: other.into_par_iter() }
    }

    /// Copies of borrowed items.
    fn copied<'a, T: Copy + 'a>(self) -> impl ParallelIterator<Item = T>
    where
        Self: ParallelIterator<Item = &'a T>,
    {
        self.map(|&item| item)
    }

    /// Calls a function with each item.
    fn for_each(self, function: impl Fn(Self::Item) + Sync) {
        for_ranges(self.positions(), self.lengths(), &|range| {
            // SAFETY: each position is in one range.
            unsafe { self.items(range) }.for_each(&function);
        });
    }

    /// Like `for_each`, with a state that the items of a range share.
    fn for_each_init<S>(
        self,
        init: impl Fn() -> S + Sync,
        function: impl Fn(&mut S, Self::Item) + Sync,
    ) {
        self.map_init(init, function).for_each(drop);
    }

    /// Calls a function with each item; returns the first error, if any.
    fn try_for_each<E: Send>(
        self,
        function: impl Fn(Self::Item) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        self.find_map_first(|item| function(item).err()).map_or(Ok(()), Err)
    }

    /// The number of items.
    fn count(self) -> usize {
        // SAFETY: each position is in one range.
        let count = |range| unsafe { self.items(range) }.count();
        map_ranges(self.positions(), self.lengths(), count).sum()
    }

    /// The sum of all items.
    fn sum<S: Send + Sum<Self::Item> + Sum<S>>(self) -> S {
        // SAFETY: each position is in one range.
        let sum = |range| unsafe { self.items(range) }.sum::<S>();
        map_ranges(self.positions(), self.lengths(), sum).sum()
    }

    /// All items combined by an associative function; `identity()` without items.
    fn reduce(
        self,
        identity: impl Fn() -> Self::Item + Sync,
        function: impl Fn(Self::Item, Self::Item) -> Self::Item + Sync,
    ) -> Self::Item
    where
        Self::Item: Send,
    {
        self.reduce_with(&function).unwrap_or_else(identity)
    }

    /// All items combined by an associative function; `None` without items.
    fn reduce_with(
        self,
        function: impl Fn(Self::Item, Self::Item) -> Self::Item + Sync,
    ) -> Option<Self::Item>
    where
        Self::Item: Send,
    {
        // SAFETY: each position is in one range.
        let reduce = |range| unsafe { self.items(range) }.reduce(&function);
        map_ranges(self.positions(), self.lengths(), reduce).flatten().reduce(&function)
    }

    /// The largest item; of equal ones, the last.
    fn max(self) -> Option<Self::Item>
    where
        Self::Item: Ord + Send,
    {
        self.reduce_with(Ord::max)
    }

    /// The smallest item; of equal ones, the first.
    fn min(self) -> Option<Self::Item>
    where
        Self::Item: Ord + Send,
    {
        self.reduce_with(Ord::min)
    }

    /// The item with the largest key; of equal ones, the last.
    fn max_by_key<K: Ord + Send>(self, key: impl Fn(&Self::Item) -> K + Sync) -> Option<Self::Item>
    where
        Self::Item: Send,
    {
        let keyed = self.map(|item| (key(&item), item));
        keyed.reduce_with(|a, b| if a.0.cmp(&b.0) == Greater { a } else { b }).map(|(_, item)| item)
    }

    /// The first result of a function that is not `None`. Ranges after it are skipped.
    fn find_map_first<T: Send>(
        self,
        function: impl Fn(Self::Item) -> Option<T> + Sync,
    ) -> Option<T> {
        let first = AtomicUsize::new(usize::MAX);
        let find = |range: Range<usize>| {
            let start = range.start;
            if start > first.load(Relaxed) {
                return None;
            }
            // SAFETY: each position is in one range.
            let result = unsafe { self.items(range) }.find_map(&function);
            if result.is_some() {
                first.fetch_min(start, Relaxed);
            }
            result
        };
        map_ranges(self.positions(), self.lengths(), find).flatten().next()
    }

    /// The first item that satisfies a predicate.
    fn find_first(self, predicate: impl Fn(&Self::Item) -> bool + Sync) -> Option<Self::Item>
    where
        Self::Item: Send,
    {
        self.find_map_first(|item| predicate(&item).then_some(item))
    }

    /// The position of the first item that satisfies a predicate.
    fn position_first(self, predicate: impl Fn(Self::Item) -> bool + Sync) -> Option<usize> {
        self.enumerate().find_map_first(|(position, item)| predicate(item).then_some(position))
    }

    /// Whether an item satisfies a predicate.
    fn any(self, predicate: impl Fn(Self::Item) -> bool + Sync) -> bool {
        self.find_map_first(|item| predicate(item).then_some(())).is_some()
    }

    /// Whether all items satisfy a predicate.
    fn all(self, predicate: impl Fn(Self::Item) -> bool + Sync) -> bool {
        !self.any(|item| !predicate(item))
    }

    /// All items, in order.
    fn collect<C: FromParallelIterator<Self::Item>>(self) -> C {
        C::from_par_iter(self)
    }
}
