//! Parallel iterators over the items of other parallel iterators.

use std::{iter, ops::Range};

use super::{iterator::ParallelIterator, split::Lengths};

/// Items in ranges of other lengths.
pub struct WithLengths<S> {
    pub(super) source: S,
    pub(super) lengths: Lengths,
}

impl<S: ParallelIterator> ParallelIterator for WithLengths<S> {
    type Item = S::Item;
    const EXACT: bool = S::EXACT;

    fn positions(&self) -> usize {
        self.source.positions()
    }

    fn lengths(&self) -> Lengths {
        self.lengths
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = S::Item> {
        // SAFETY: the caller upholds the contract.
        unsafe { self.source.items(range) }
    }
}

/// Declares an adaptor that maps the items of each range, which starts at a position, to items at
/// the same positions.
macro_rules! adaptor {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ident),* } impl [$($generics:tt)*]
        $item:ty, exact = $exact:expr, |$self:ident, $items:ident, $start:ident| $adapted:expr) => {
        $(#[$doc])*
        pub struct $name<S, $($type),*> {
            pub(super) source: S,
            $(pub(super) $field: $type,)*
        }

        impl<$($generics)*> ParallelIterator for $name<S, $($type),*> {
            type Item = $item;
            const EXACT: bool = $exact;

            fn positions(&self) -> usize {
                self.source.positions()
            }

            fn lengths(&self) -> Lengths {
                self.source.lengths()
            }

            unsafe fn items(&$self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
                let $start = range.start;
                // SAFETY: the caller upholds the contract.
                let $items = unsafe { $self.source.items(range) };
                $adapted
            }
        }
    };
}

adaptor! {
    /// The results of a function of each item.
    Map { function: F }
    impl [S: ParallelIterator, T, F: Fn(S::Item) -> T + Sync] T, exact = S::EXACT,
    |self, items, _start| items.map(&self.function)
}

adaptor! {
    /// The results of a function of each item and of a state that the items of a range share.
    MapInit { init: I, function: F }
    impl [S: ParallelIterator, X, T, I: Fn() -> X + Sync, F: Fn(&mut X, S::Item) -> T + Sync]
    T, exact = S::EXACT,
    |self, items, _start| {
        let mut state = (self.init)();
        items.map(move |item| (self.function)(&mut state, item))
    }
}

adaptor! {
    /// The results of a function of each item, except `None`.
    FilterMap { function: F }
    impl [S: ParallelIterator, T, F: Fn(S::Item) -> Option<T> + Sync] T, exact = false,
    |self, items, _start| items.filter_map(&self.function)
}

adaptor! {
    /// The items of the sequential iterators that a function returns for each item.
    FlatMapIter { function: F }
    impl [S: ParallelIterator, T: IntoIterator, F: Fn(S::Item) -> T + Sync] T::Item, exact = false,
    |self, items, _start| items.flat_map(&self.function)
}

adaptor! {
    /// The items of each range, folded into one value per range.
    Fold { identity: I, function: F }
    impl [S: ParallelIterator, T, I: Fn() -> T + Sync, F: Fn(T, S::Item) -> T + Sync] T, exact = false,
    |self, items, _start| iter::once(items.fold((self.identity)(), &self.function))
}

adaptor! {
    /// Items with their positions.
    Enumerate {}
    impl [S: ParallelIterator] (usize, S::Item), exact = true,
    |self, items, start| items.enumerate().map(move |(index, item)| (start + index, item))
}

/// Pairs of items at the same position.
pub struct Zip<A, B> {
    pub(super) a: A,
    pub(super) b: B,
}

impl<A: ParallelIterator, B: ParallelIterator> ParallelIterator for Zip<A, B> {
    type Item = (A::Item, B::Item);
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        self.a.positions().min(self.b.positions())
    }

    fn lengths(&self) -> Lengths {
        self.a.lengths().and(self.b.lengths())
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item> {
        // SAFETY: the caller upholds the contract; ranges are within the positions of both.
        unsafe { self.a.items(range.clone()).zip(self.b.items(range)) }
    }
}

/// The items of one iterator, then those of another.
pub struct Chain<A, B> {
    pub(super) a: A,
    pub(super) b: B,
}

impl<A: ParallelIterator, B: ParallelIterator<Item = A::Item>> ParallelIterator for Chain<A, B> {
    type Item = A::Item;
    const EXACT: bool = A::EXACT && B::EXACT;

    fn positions(&self) -> usize {
        self.a.positions() + self.b.positions()
    }

    fn lengths(&self) -> Lengths {
        self.a.lengths().and(self.b.lengths())
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = A::Item> {
        let middle = self.a.positions();
        let first = range.start.min(middle)..range.end.min(middle);
        let second = range.start.max(middle) - middle..range.end.max(middle) - middle;
        // SAFETY: the caller upholds the contract; each position belongs to one of the two.
        unsafe { self.a.items(first).chain(self.b.items(second)) }
    }
}
