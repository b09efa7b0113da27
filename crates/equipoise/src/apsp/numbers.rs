//! Many numbers, in memory or in a file.

use std::{
    collections::TryReserveError,
    fmt,
    ops::{Deref, DerefMut},
    path::Path,
};

use bytemuck::Pod;
use equipoise_graph::io::MappedFile;
use rayon::prelude::*;

use crate::{Result, npy};

/// Numbers in memory, or in a NumPy file that is mapped into memory.
///
/// ```
/// use equipoise::apsp::Numbers;
///
/// let numbers = Numbers::from(vec![1u32, 2, 3]);
/// assert_eq!(numbers[1], 2);
/// assert_eq!(numbers.to_vec(), [1, 2, 3]);
/// ```
pub struct Numbers<T>(Place<T>);

enum Place<T> {
    Memory(Vec<T>),
    /// So many numbers after the header, which ends at `start`.
    File {
        file: MappedFile,
        start: usize,
        length: usize,
    },
}

impl<T: Pod + npy::Element + Send + Sync> Numbers<T> {
    /// So many, all alike, in memory.
    pub(super) fn in_memory(count: usize, value: T) -> Result<Self, TryReserveError> {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count)?;
        numbers.par_extend(rayon::iter::repeat_n(value, count));
        Ok(Self(Place::Memory(numbers)))
    }

    /// So many, all alike, in a file for an array of that shape, which has as many or fewer.
    pub(super) fn in_file(path: &Path, shape: &[u64], count: usize, value: T) -> Result<Self> {
        let failed = |source| equipoise_graph::Error::Io { path: path.to_owned(), source };
        let header = npy::native_header::<T>(shape).map_err(failed)?;
        let bytes = header.len() as u64 + (count as u64).saturating_mul(size_of::<T>() as u64);
        let mut file = MappedFile::create(path, bytes)?;
        let start = header.len();
        file[..start].copy_from_slice(&header);
        let mut numbers = Self(Place::File { file, start, length: count });
        numbers.par_iter_mut().for_each(|number| *number = value);
        Ok(numbers)
    }

    /// Drops all but the first so many.
    pub(super) fn truncate(&mut self, count: usize) {
        match &mut self.0 {
            Place::Memory(numbers) => numbers.truncate(count),
            Place::File { length, .. } => *length = count.min(*length),
        }
    }

    /// Lets the file take its place, where they are in one.
    pub(super) fn save(&mut self) -> Result<()> {
        match &mut self.0 {
            Place::Memory(_) => Ok(()),
            Place::File { file, start, length } => {
                Ok(file.save((*start + *length * size_of::<T>()) as u64)?)
            }
        }
    }
}

impl<T: Pod> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Place::Memory(numbers) => numbers,
            // A map starts with a page and the header's length is a multiple of 64.
            Place::File { file, start, length } => {
                bytemuck::cast_slice(&file[*start..*start + length * size_of::<T>()])
            }
        }
    }
}

impl<T: Pod> DerefMut for Numbers<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Place::Memory(numbers) => numbers,
            Place::File { file, start, length } => {
                bytemuck::cast_slice_mut(&mut file[*start..*start + *length * size_of::<T>()])
            }
        }
    }
}

impl<T> From<Vec<T>> for Numbers<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(Place::Memory(numbers))
    }
}

/// The copy is in memory.
impl<T: Pod> Clone for Numbers<T> {
    fn clone(&self) -> Self {
        self.to_vec().into()
    }
}

impl<T: Pod + PartialEq> PartialEq for Numbers<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
impl<T: Pod + serde::Serialize> serde::Serialize for Numbers<T> {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}
