//! Parallel iterators over ranges of numbers, slices and vectors.

use std::{
    cmp::Ordering,
    marker::PhantomData,
    mem::{ManuallyDrop, MaybeUninit},
    ops::Range,
    ptr, slice,
};

use super::iterator::ParallelIterator;

/// Types that can be iterated over in parallel.
pub trait IntoParallelIterator {
    /// The type of the iterator.
    type Iter: ParallelIterator<Item = Self::Item>;
    /// The type of the items.
    type Item;

    /// A parallel iterator over all items.
    fn into_par_iter(self) -> Self::Iter;
}

impl<I: ParallelIterator> IntoParallelIterator for I {
    type Iter = I;
    type Item = I::Item;

    fn into_par_iter(self) -> I {
        self
    }
}

/// The numbers of a range.
pub struct Positions<N>(Range<N>);

macro_rules! ranges {
    ($($number:ty),*) => {$(
        impl IntoParallelIterator for Range<$number> {
            type Iter = Positions<$number>;
            type Item = $number;

            fn into_par_iter(self) -> Positions<$number> {
                Positions(self)
            }
        }

        impl ParallelIterator for Positions<$number> {
            type Item = $number;
            const EXACT: bool = true;

            fn positions(&self) -> usize {
                self.0.end.saturating_sub(self.0.start) as usize
            }

            unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = $number> {
                let start = self.0.start;
                start + range.start as $number..start + range.end as $number
            }
        }
    )*};
}

ranges!(u32, u64, usize);

/// Borrowed items of a slice.
pub struct Slice<'a, T>(&'a [T]);

impl<'a, T: Sync> ParallelIterator for Slice<'a, T> {
    type Item = &'a T;
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        self.0.len()
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = &'a T> {
        self.0[range].iter()
    }
}

/// Consecutive pieces of a slice.
pub struct Chunks<'a, T> {
    all: &'a [T],
    size: usize,
}

impl<'a, T: Sync> ParallelIterator for Chunks<'a, T> {
    type Item = &'a [T];
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        self.all.len().div_ceil(self.size)
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = &'a [T]> {
        let end = self.all.len().min(range.end.saturating_mul(self.size));
        self.all[range.start * self.size..end].chunks(self.size)
    }
}

/// Overlapping pieces of a slice; each starts one item after the previous one.
pub struct Windows<'a, T> {
    all: &'a [T],
    size: usize,
}

impl<'a, T: Sync> ParallelIterator for Windows<'a, T> {
    type Item = &'a [T];
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        (self.all.len() + 1).saturating_sub(self.size)
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = &'a [T]> {
        let end = if range.is_empty() { range.start } else { range.end + self.size - 1 };
        self.all[range.start..end].windows(self.size)
    }
}

/// Mutably borrowed items of a slice.
pub struct SliceMut<'a, T> {
    start: *mut T,
    len: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

// SAFETY: threads borrow different items.
unsafe impl<T: Send> Sync for SliceMut<'_, T> {}

impl<'a, T> SliceMut<'a, T> {
    /// # Safety
    ///
    /// The range must be within the slice, and none of its items may be borrowed.
    unsafe fn part(&self, range: Range<usize>) -> &'a mut [T] {
        debug_assert!(range.end <= self.len);
        // SAFETY: the caller upholds the contract.
        unsafe { slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}

impl<'a, T: Send> ParallelIterator for SliceMut<'a, T> {
    type Item = &'a mut T;
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        self.len
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = &'a mut T> {
        // SAFETY: the caller upholds the contract.
        unsafe { self.part(range) }.iter_mut()
    }
}

/// Consecutive pieces of a slice, mutably borrowed.
pub struct ChunksMut<'a, T> {
    all: SliceMut<'a, T>,
    size: usize,
}

impl<'a, T: Send> ParallelIterator for ChunksMut<'a, T> {
    type Item = &'a mut [T];
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        self.all.len.div_ceil(self.size)
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = &'a mut [T]> {
        let end = self.all.len.min(range.end.saturating_mul(self.size));
        // SAFETY: the caller upholds the contract; pieces are disjoint.
        unsafe { self.all.part(range.start * self.size..end) }.chunks_mut(self.size)
    }
}

/// The items of a vector, moved out of it. After a panic, items that were not visited are leaked.
pub struct Owned<T>(Vec<MaybeUninit<T>>);

// SAFETY: threads move different items out.
unsafe impl<T: Send> Sync for Owned<T> {}

impl<T: Send> ParallelIterator for Owned<T> {
    type Item = T;
    const EXACT: bool = true;

    fn positions(&self) -> usize {
        self.0.len()
    }

    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = T> {
        // SAFETY: all items were initialized, and the caller requests each once.
        self.0[range].iter().map(|item| unsafe { ptr::read(item.as_ptr()) })
    }
}

impl<T: Send> IntoParallelIterator for Vec<T> {
    type Iter = Owned<T>;
    type Item = T;

    fn into_par_iter(self) -> Owned<T> {
        let mut list = ManuallyDrop::new(self);
        // SAFETY: the vector is not dropped, and `MaybeUninit<T>` has the layout of `T`.
        Owned(unsafe { Vec::from_raw_parts(list.as_mut_ptr().cast(), list.len(), list.capacity()) })
    }
}

macro_rules! borrowed {
    ($($borrowed:ty: $bound:ident => $iterator:ident, $item:ty, $method:ident;)*) => {$(
        impl<'a, T: $bound> IntoParallelIterator for $borrowed {
            type Iter = $iterator<'a, T>;
            type Item = $item;

            fn into_par_iter(self) -> $iterator<'a, T> {
                self.$method()
            }
        }
    )*};
}

borrowed! {
    &'a [T]: Sync => Slice, &'a T, par_iter;
    &'a Vec<T>: Sync => Slice, &'a T, par_iter;
    &'a mut [T]: Send => SliceMut, &'a mut T, par_iter_mut;
    &'a mut Vec<T>: Send => SliceMut, &'a mut T, par_iter_mut;
}

/// Parallel iterators over a borrowed slice.
pub trait ParallelSlice<T>: AsRef<[T]> {
    /// Its items.
    fn par_iter(&self) -> Slice<'_, T> {
        Slice(self.as_ref())
    }

    /// Consecutive pieces of `size` items; the last may be shorter.
    fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
        assert!(size > 0, "pieces have items");
        Chunks { all: self.as_ref(), size }
    }

    /// All pieces of `size` consecutive items; each starts one item after the previous one.
    fn par_windows(&self, size: usize) -> Windows<'_, T> {
        assert!(size > 0, "pieces have items");
        Windows { all: self.as_ref(), size }
    }
}

impl<T> ParallelSlice<T> for [T] {}

/// Parallel iterators over a mutably borrowed slice, and parallel sorts.
pub trait ParallelSliceMut<T>: AsMut<[T]> {
    /// Its items.
    fn par_iter_mut(&mut self) -> SliceMut<'_, T> {
        let all = self.as_mut();
        SliceMut { start: all.as_mut_ptr(), len: all.len(), borrowed: PhantomData }
    }

    /// Consecutive pieces of `size` items; the last may be shorter.
    fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
        assert!(size > 0, "pieces have items");
        ChunksMut { all: self.par_iter_mut(), size }
    }

    /// Sorts the items, not stably.
    fn par_sort_unstable(&mut self)
    where
        T: Ord + Send,
    {
        rayon::slice::ParallelSliceMut::par_sort_unstable(self.as_mut());
    }

    /// Sorts the items by a comparison, not stably.
    fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> Ordering + Sync)
    where
        T: Send,
    {
        rayon::slice::ParallelSliceMut::par_sort_unstable_by(self.as_mut(), compare);
    }

    /// Sorts the items by a key, not stably.
    fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K + Sync)
    where
        T: Send,
    {
        rayon::slice::ParallelSliceMut::par_sort_unstable_by_key(self.as_mut(), key);
    }
}

impl<T> ParallelSliceMut<T> for [T] {}
