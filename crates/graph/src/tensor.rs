//! Sparse tensors with three modes.

use crate::{
    Csr, Error, MAX_VERTICES, Result,
    assemble::{OneEach, Shape, assemble},
    memory::{self, bytes_of},
    parallel::*,
};

crate::named_enum! {
    /// A mode of a [`SparseTensor`], counted from 1 as in papers and in `--mode`.
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
    /// The index of the mode, counted from 0.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The two other modes, in order.
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

/// A sparse three-mode tensor in coordinate form: the position and the value of each nonzero, in
/// any order. Coordinates are counted from 0.
///
/// Nonzeros with equal positions are kept; they count as their sum, because every operation on a
/// tensor is a sum over its nonzeros.
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
    /// Creates a tensor from the coordinates of its nonzeros in each mode, and their values.
    ///
    /// Fails if the lengths differ, or a nonzero is out of range.
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
            tensor.position(nonzero).iter().zip(&shape).all(|(coordinate, size)| coordinate < size)
        };
        let outside = (0..tensor.values.len()).into_par_iter().find_first(|it| !inside(it));
        match outside {
            None => Ok(tensor),
            Some(nonzero) => {
                Err(Error::NonzeroOutside { nonzero, coordinates: tensor.position(nonzero), shape })
            }
        }
    }

    /// Creates a tensor from nonzeros (i, j, k, value).
    ///
    /// Fails if a nonzero is out of range, or memory is insufficient.
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

    /// The smallest tensor with these nonzeros, whose numbers of coordinates are equal and less
    /// than `u32::MAX`.
    pub(crate) fn just_large_enough(coordinates: [Vec<u32>; 3], values: Vec<f32>) -> Self {
        let size = |of_mode: &Vec<u32>| of_mode.par_iter().max().map_or(0, |&last| last + 1);
        let shape = [0, 1, 2].map(|mode| size(&coordinates[mode]));
        Self { shape, coordinates, values }
    }

    /// A tensor from nonzeros that are known to be in range.
    pub(crate) fn from_parts(
        shape: [u32; 3],
        coordinates: [Vec<u32>; 3],
        values: Vec<f32>,
    ) -> Self {
        Self { shape, coordinates, values }
    }

    pub(crate) fn memory_of(nonzeros: u64) -> u64 {
        bytes_of::<([u32; 3], f32)>(nonzeros)
    }

    /// The size of each mode.
    pub fn shape(&self) -> [u32; 3] {
        self.shape
    }

    /// The size of one mode: its number of slices.
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

    /// The number of nonzeros, duplicates included.
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

    /// The nonzeros grouped by the slices of a mode.
    ///
    /// Fails if memory is insufficient.
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
        Slices::new(self, mode)
    }

    fn position(&self, nonzero: usize) -> [u32; 3] {
        [0, 1, 2].map(|mode| self.coordinates[mode][nonzero])
    }
}

/// The nonzeros of a tensor grouped by the slices of one mode, as compressed rows: nonzeros with
/// the same coordinate in that mode are adjacent, by ascending coordinate in the first of the other
/// modes. Nonzeros with equal positions keep their order.
///
/// ```
/// use equipoise_graph::{Mode, SparseTensor};
///
/// let entries = [(0, 5, 1, 1.0), (2, 3, 0, 2.0), (0, 4, 0, 3.0)];
/// let slices = SparseTensor::from_entries([3, 6, 2], &entries)?.slices(Mode::First)?;
/// assert_eq!(slices.rows().row(0), [4, 5]);
/// assert_eq!(slices.values(), [3.0, 1.0, 2.0]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    rows: Csr,
    seconds: Vec<u32>,
    values: Vec<f32>,
}

impl Slices {
    fn new(tensor: &SparseTensor, mode: Mode) -> Result<Self> {
        let [first, second] = mode.others();
        let [slices, firsts, seconds] = [mode, first, second].map(|mode| tensor.coordinates(mode));
        // The value of an entry is the second coordinate and the bits of the nonzero's value.
        let entry = |nonzero: usize| {
            let value = [seconds[nonzero], tensor.values[nonzero].to_bits()];
            (slices[nonzero], firsts[nonzero], value)
        };
        let nonzeros = OneEach { inputs: tensor.values.len(), entry };
        let shape = Shape { rows: tensor.size(mode) as usize, columns: tensor.size(first) };
        let rows = assemble(shape, nonzeros, None)?;
        let what = format_args!("the slices of {} nonzeros", tensor.nonzeros());
        memory::check(what, bytes_of::<(u32, f32)>(tensor.nonzeros()))?;
        Ok(Self {
            seconds: rows.values.par_iter().map(|&[second, _]| second).collect(),
            values: rows.values.par_iter().map(|&[_, bits]| f32::from_bits(bits)).collect(),
            rows: Csr::unchecked(tensor.size(first), rows.offsets.into(), rows.columns.into()),
        })
    }

    /// The start of each slice, and the coordinate of each nonzero in the first of the other modes.
    pub fn rows(&self) -> &Csr {
        &self.rows
    }

    /// The coordinate of each nonzero in the second of the other modes.
    pub fn seconds(&self) -> &[u32] {
        &self.seconds
    }

    /// The value of each nonzero.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// The largest coordinate, counted from 1, so that the size of a mode fits in 32 bits.
pub(crate) const LAST_COORDINATE: u64 = MAX_VERTICES;
