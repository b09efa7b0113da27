//! Sparse tensors of three modes.

mod slices;

pub use slices::Slices;

use rayon::prelude::*;

use crate::{
    Error, MAX_VERTICES, Result,
    memory::{self, bytes_of},
};

crate::named_enum! {
    /// A mode of a [`SparseTensor`], counted from 1 as papers and `--mode` do.
    ///
    /// ```
    /// use equipoise_graph::Mode;
    ///
    /// assert_eq!("2".parse(), Ok(Mode::Second));
    /// assert_eq!(Mode::Second.index(), 1);
    /// ```
    #[derive(Default)]
    pub enum Mode("mode") {
        /// The mode of the coordinates i.
        #[default]
        First = "1",
        /// The mode of the coordinates j.
        Second = "2",
        /// The mode of the coordinates k.
        Third = "3",
    }
}

impl Mode {
    /// Its place among the modes, counted from 0.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The two other modes, in their order.
    ///
    /// ```
    /// use equipoise_graph::Mode;
    ///
    /// assert_eq!(Mode::Second.others(), [Mode::First, Mode::Third]);
    /// ```
    pub fn others(self) -> [Self; 2] {
        match self {
            Self::First => [Self::Second, Self::Third],
            Self::Second => [Self::First, Self::Third],
            Self::Third => [Self::First, Self::Second],
        }
    }
}

/// A sparse tensor of three modes in coordinate form: the place and the value of each nonzero, in
/// any order. Coordinates are counted from 0.
///
/// Several nonzeros at the same place are all kept: the tensor has their sum there, as everything
/// that is computed of a tensor here is a sum over its nonzeros.
///
/// ```
/// use equipoise_graph::{Mode, SparseTensor};
///
/// let tensor = SparseTensor::from_entries([2, 3, 4], &[(0, 2, 3, 0.5), (1, 0, 0, -1.0)])?;
/// assert_eq!((tensor.shape(), tensor.nonzeros()), ([2, 3, 4], 2));
/// assert_eq!(tensor.coordinates(Mode::Third), [3, 0]);
///
/// let error = SparseTensor::from_entries([2, 3, 4], &[(0, 3, 3, 0.5)]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "nonzero 0 at (0, 3, 3) does not exist: the tensor is of 2 × 3 × 4, numbered from 0"
/// );
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SparseTensor {
    shape: [u32; 3],
    coordinates: [Vec<u32>; 3],
    values: Vec<f32>,
}

impl SparseTensor {
    /// A tensor from the coordinates of its nonzeros in each mode, and their values.
    ///
    /// Fails where they are not equally many, or one lies outside of the shape.
    ///
    /// ```
    /// use equipoise_graph::SparseTensor;
    ///
    /// let tensor = SparseTensor::new([1, 2, 3], [vec![0], vec![1], vec![2]], vec![0.5])?;
    /// assert_eq!(tensor.values(), [0.5]);
    /// assert!(SparseTensor::new([1, 2, 3], [vec![0], vec![1], vec![]], vec![0.5]).is_err());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn new(shape: [u32; 3], coordinates: [Vec<u32>; 3], values: Vec<f32>) -> Result<Self> {
        let names = ["coordinates of mode 1", "coordinates of mode 2", "coordinates of mode 3"];
        let expected = values.len() as u64;
        for (what, of_mode) in names.into_iter().zip(&coordinates) {
            let found = of_mode.len() as u64;
            if found != expected {
                return Err(Error::Length { what, expected, found });
            }
        }
        let tensor = Self { shape, coordinates, values };
        let inside = |&nonzero: &usize| {
            tensor.place(nonzero).iter().zip(&shape).all(|(coordinate, size)| coordinate < size)
        };
        let outside = (0..tensor.values.len()).into_par_iter().find_first(|it| !inside(it));
        match outside {
            None => Ok(tensor),
            Some(nonzero) => {
                Err(Error::NonzeroOutside { nonzero, place: tensor.place(nonzero), shape })
            }
        }
    }

    /// A tensor from nonzeros (i, j, k, value).
    ///
    /// Fails where one lies outside of the shape, or there is not enough memory.
    ///
    /// ```
    /// use equipoise_graph::SparseTensor;
    ///
    /// let empty = SparseTensor::from_entries([3, 3, 3], &[])?;
    /// assert_eq!(empty.nonzeros(), 0);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn from_entries(shape: [u32; 3], entries: &[(u32, u32, u32, f32)]) -> Result<Self> {
        let nonzeros = entries.len() as u64;
        memory::check(format_args!("a tensor of {nonzeros} nonzeros"), Self::memory_of(nonzeros))?;
        let coordinates = [
            entries.iter().map(|entry| entry.0).collect(),
            entries.iter().map(|entry| entry.1).collect(),
            entries.iter().map(|entry| entry.2).collect(),
        ];
        Self::new(shape, coordinates, entries.iter().map(|entry| entry.3).collect())
    }

    /// The smallest tensor that holds these nonzeros, whose coordinates are equally many and not
    /// the largest that 32 bits have.
    pub(crate) fn just_large_enough(coordinates: [Vec<u32>; 3], values: Vec<f32>) -> Self {
        let size = |of_mode: &Vec<u32>| of_mode.par_iter().max().map_or(0, |&last| last + 1);
        let shape = [0, 1, 2].map(|mode| size(&coordinates[mode]));
        Self { shape, coordinates, values }
    }

    /// A tensor from nonzeros that are known to lie inside.
    pub(crate) fn from_parts(
        shape: [u32; 3],
        coordinates: [Vec<u32>; 3],
        values: Vec<f32>,
    ) -> Self {
        Self { shape, coordinates, values }
    }

    /// The bytes that so many nonzeros take.
    pub(crate) fn memory_of(nonzeros: u64) -> u64 {
        bytes_of::<([u32; 3], f32)>(nonzeros)
    }

    /// The size of each mode.
    pub fn shape(&self) -> [u32; 3] {
        self.shape
    }

    /// The size of one mode: how many slices it has.
    ///
    /// ```
    /// use equipoise_graph::{Mode, SparseTensor};
    ///
    /// assert_eq!(SparseTensor::from_entries([3, 4, 5], &[])?.size(Mode::Third), 5);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn size(&self, mode: Mode) -> u32 {
        self.shape[mode.index()]
    }

    /// How many nonzeros there are, each counted where several are at the same place.
    pub fn nonzeros(&self) -> u64 {
        self.values.len() as u64
    }

    /// The coordinate of each nonzero in one mode.
    pub fn coordinates(&self, mode: Mode) -> &[u32] {
        &self.coordinates[mode.index()]
    }

    /// The value of each nonzero.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The nonzeros by the slices of a mode.
    ///
    /// Fails where there is not enough memory.
    ///
    /// ```
    /// use equipoise_graph::{Mode, SparseTensor};
    ///
    /// let tensor = SparseTensor::from_entries([2, 3, 4], &[(1, 2, 3, 0.5), (0, 2, 1, 4.0)])?;
    /// let slices = tensor.slices(Mode::First)?;
    /// assert_eq!(slices.rows().offsets(), [0, 1, 2]);
    /// assert_eq!((slices.rows().indices(), slices.seconds()), (&[2, 2][..], &[1, 3][..]));
    /// assert_eq!(slices.values(), [4.0, 0.5]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn slices(&self, mode: Mode) -> Result<Slices> {
        Slices::of(self, mode)
    }

    fn place(&self, nonzero: usize) -> [u32; 3] {
        [0, 1, 2].map(|mode| self.coordinates[mode][nonzero])
    }
}

/// The largest coordinate, counted from 1: the size of a mode has 32 bits, too.
pub(crate) const LAST_COORDINATE: u64 = MAX_VERTICES;
