//! The numbers of a result, in memory or in a file.

use std::{
    collections::TryReserveError,
    fmt,
    io::{self, Write},
    ops::{Deref, DerefMut},
    path::Path,
};

use bytemuck::Pod;
use equipoise_graph::{io::MappedFile, parallel::*};

use crate::{Distances, Result, npy};

/// Numbers in memory, or in a NumPy file that is mapped into memory.
///
/// ```
/// use equipoise::apsp::Numbers;
///
/// let numbers = Numbers::from(vec![1u32, 2, 3]);
/// assert_eq!(numbers[1], 2);
/// assert_eq!(numbers.to_vec(), [1, 2, 3]);
/// ```
pub struct Numbers<T>(Storage<T>);

enum Storage<T> {
    Memory(Vec<T>),
    /// `length` numbers after a header of `start` bytes.
    File {
        file: MappedFile,
        start: usize,
        length: usize,
    },
}

impl<T: Pod + npy::Element + Send + Sync> Numbers<T> {
    /// `count` equal numbers in memory.
    pub(super) fn in_memory(count: usize, value: T) -> Result<Self, TryReserveError> {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count)?;
        numbers.par_extend((0..count).into_par_iter().map(|_| value));
        Ok(Self(Storage::Memory(numbers)))
    }

    /// `count` equal numbers in a file whose array has the given shape, with `count` numbers at most.
    pub(super) fn in_file(path: &Path, shape: &[u64], count: usize, value: T) -> Result<Self> {
        let failed = |source| equipoise_graph::Error::Io { path: path.to_owned(), source };
        let header = npy::native_header::<T>(shape).map_err(failed)?;
        let bytes = header.len() as u64 + (count as u64).saturating_mul(size_of::<T>() as u64);
        let mut file = MappedFile::create(path, bytes)?;
        let start = header.len();
        file[..start].copy_from_slice(&header);
        let mut numbers = Self(Storage::File { file, start, length: count });
        numbers.par_iter_mut().for_each(|number| *number = value);
        Ok(numbers)
    }

    /// Drops all but the first `count` numbers.
    pub(super) fn truncate(&mut self, count: usize) {
        match &mut self.0 {
            Storage::Memory(numbers) => numbers.truncate(count),
            Storage::File { length, .. } => *length = count.min(*length),
        }
    }

    /// Renames a finished file into place.
    pub(super) fn save(&mut self) -> Result<()> {
        match &mut self.0 {
            Storage::Memory(_) => Ok(()),
            Storage::File { file, start, length } => {
                Ok(file.save((*start + *length * size_of::<T>()) as u64)?)
            }
        }
    }
}

impl<T: Pod> Deref for Numbers<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Storage::Memory(numbers) => numbers,
            // Aligned: a map starts at a page, and the header's length is a multiple of 64.
            Storage::File { file, start, length } => {
                bytemuck::cast_slice(&file[*start..*start + length * size_of::<T>()])
            }
        }
    }
}

impl<T: Pod> DerefMut for Numbers<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Storage::Memory(numbers) => numbers,
            Storage::File { file, start, length } => {
                bytemuck::cast_slice_mut(&mut file[*start..*start + *length * size_of::<T>()])
            }
        }
    }
}

impl<T> From<Vec<T>> for Numbers<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(Storage::Memory(numbers))
    }
}

/// Clones are in memory.
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

/// Lengths of shortest paths between pairs of vertices, in memory or in a file.
///
/// ```
/// use equipoise::apsp::PairDistances;
///
/// let distances = PairDistances::U32(vec![0, 7, u32::MAX].into());
/// assert_eq!(distances.get(1), Some(7.0));
/// assert_eq!(distances.get(2), None);
/// assert_eq!(distances.len(), 3);
/// ```
pub type PairDistances = Distances<Numbers<u32>, Numbers<u64>, Numbers<f32>, Numbers<f64>>;

impl PairDistances {
    pub(super) fn write_npy(&self, out: &mut dyn Write, shape: &[u64]) -> io::Result<()> {
        match self {
            Self::U32(all) => npy::write(out, shape, all),
            Self::U64(all) => npy::write(out, shape, all),
            Self::F32(all) => npy::write(out, shape, all),
            Self::F64(all) => npy::write(out, shape, all),
        }
    }

    pub(super) fn save(&mut self) -> Result<()> {
        match self {
            Self::U32(all) => all.save(),
            Self::U64(all) => all.save(),
            Self::F32(all) => all.save(),
            Self::F64(all) => all.save(),
        }
    }
}
