//! The weights of a graph's edges.

use crate::{
    Error, Result, Storage,
    memory::{self, bytes_of},
    parallel::*,
};

/// The weights of a graph's edges, one per edge, in the order of the edges.
///
/// ```
/// use equipoise_graph::Weights;
///
/// let weights = Weights::from(vec![3u32, 4]);
/// assert_eq!(weights.len(), 2);
/// assert_eq!(weights.get(1), 4.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Whole numbers.
    U32(Storage<u32>),
    /// Floating-point numbers of either sign, in 32 bits. Path lengths have 32 bits, too: each
    /// addition rounds.
    F32(Storage<f32>),
    /// Floating-point numbers in 64 bits: the default for decimal numbers that are read or
    /// generated. The CPU adds them in 64 bits, and so does CUDA for shortest paths from a vertex;
    /// other path lengths on a GPU are not available in 64 bits.
    F64(Storage<f64>),
}

/// Evaluates an expression for the array of weights, of any type.
macro_rules! of_any_type {
    ($weights:expr, $array:ident => $result:expr) => {
        match $weights {
            $crate::Weights::U32($array) => $result,
            $crate::Weights::F32($array) => $result,
            $crate::Weights::F64($array) => $result,
        }
    };
}
pub(crate) use of_any_type;

crate::named_enum! {
    /// The requested type of weights.
    ///
    /// ```
    /// use equipoise_graph::{WeightType, io::{Format, ReadOptions, parse_graph}};
    ///
    /// let read = |weights| {
    ///     let options = ReadOptions { weights, ..Default::default() };
    ///     parse_graph(b"0 1 0.1\n", Format::EdgeList, &options)
    /// };
    /// assert_eq!(read(WeightType::Auto)?.weights().unwrap().get(0), 0.1);
    /// assert_eq!(read(WeightType::F32)?.weights().unwrap().get(0), f64::from(0.1f32));
    /// assert!(read(WeightType::U32).is_err());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    #[derive(Default)]
    pub enum WeightType("type of weights") {
        /// The type that the input states, or else u32 for whole numbers and f64 for others.
        #[default]
        Auto = "auto",
        /// Whole numbers from 0 to 4294967295.
        U32 = "u32",
        /// 32-bit floating-point numbers: sums are rounded, and every GPU supports them.
        F32 = "f32",
        /// 64-bit floating-point numbers.
        F64 = "f64",
    }
}

impl WeightType {
    /// This type, or `other` if this is `Auto`.
    pub(crate) fn or(self, other: Self) -> Self {
        if self == Self::Auto { other } else { self }
    }

    /// An upper bound on the bytes per weight, also for a type detected later.
    pub(crate) fn most_bytes(self) -> u64 {
        match self {
            Self::U32 | Self::F32 => 4,
            Self::F64 | Self::Auto => 8,
        }
    }
}

impl Weights {
    /// The number of weights.
    pub fn len(&self) -> usize {
        of_any_type!(self, weights => weights.len())
    }

    /// Whether it has no weights.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of edge `edge` as `f64`, which represents every type exactly.
    pub fn get(&self, edge: usize) -> f64 {
        match self {
            Weights::U32(weights) => weights[edge].into(),
            Weights::F32(weights) => weights[edge].into(),
            Weights::F64(weights) => weights[edge],
        }
    }

    /// The type's name: `u32`, `f32` or `f64`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Weights::U32(_) => "u32",
            Weights::F32(_) => "f32",
            Weights::F64(_) => "f64",
        }
    }

    /// The number of bytes per weight.
    pub(crate) fn bytes_each(&self) -> u64 {
        match self {
            Weights::U32(_) | Weights::F32(_) => 4,
            Weights::F64(_) => 8,
        }
    }

    /// The weights converted to another type.
    ///
    /// Fails if a whole number would be rounded, a number would become infinite or 0 or, for `u32`,
    /// is not whole, and if memory is insufficient.
    ///
    /// ```
    /// use equipoise_graph::{WeightType, Weights};
    ///
    /// let weights = Weights::from(vec![0.1f64, 2.0]);
    /// assert_eq!(weights.clone().converted(WeightType::F32)?, Weights::from(vec![0.1f32, 2.0]));
    /// assert!(weights.converted(WeightType::U32).is_err());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn converted(self, to: WeightType) -> Result<Self> {
        let is_unchanged = to == WeightType::Auto || self.type_name() == to.name();
        if is_unchanged {
            return Ok(self);
        }
        let bytes = to.most_bytes().saturating_mul(bytes_of::<u8>(self.len() as u64));
        memory::check("the weights in another type", bytes)?;
        match to {
            WeightType::U32 => Ok(self.to_u32()?.into()),
            WeightType::F32 => {
                let in_f32 = |weight| f64::from(weight as f32);
                of_any_type!(&self, all => check_representable(all, f64::from, in_f32, "f32")?);
                Ok(self.mapped(|weight| weight as f32).into())
            }
            WeightType::F64 | WeightType::Auto => Ok(self.mapped(|weight| weight).into()),
        }
    }

    fn to_u32(&self) -> Result<Vec<u32>> {
        let is_wrong = |&edge: &usize| f64::from(self.get(edge) as u32) != self.get(edge);
        match (0..self.len()).into_par_iter().find_first(is_wrong) {
            Some(edge) => Err(Error::NotWhole { weight: self.get(edge) }),
            None => Ok(self.mapped(|weight| weight as u32)),
        }
    }

    fn mapped<T: Send>(&self, convert: impl Fn(f64) -> T + Sync) -> Vec<T> {
        (0..self.len()).into_par_iter().map(|edge| convert(self.get(edge))).collect()
    }
}

impl From<Vec<u32>> for Weights {
    fn from(weights: Vec<u32>) -> Self {
        Weights::U32(weights.into())
    }
}

impl From<Vec<f32>> for Weights {
    fn from(weights: Vec<f32>) -> Self {
        Weights::F32(weights.into())
    }
}

impl From<Vec<f64>> for Weights {
    fn from(weights: Vec<f64>) -> Self {
        Weights::F64(weights.into())
    }
}

/// From here on, every `f64` is a whole number, so a value need not be meant as one.
const NO_FRACTIONS: f64 = (1u64 << 53) as f64;

/// Checks that numbers are representable in the type `name`: whole ones exactly, and no other as
/// infinity or 0. `round` converts a number to that type and back.
pub(crate) fn check_representable<A: Copy + Send + Sync>(
    numbers: &[A],
    wide: impl Fn(A) -> f64 + Sync,
    round: impl Fn(f64) -> f64 + Sync,
    name: &'static str,
) -> Result<()> {
    let rounded = |&number: &A| {
        let number = wide(number);
        if number.fract() == 0.0 && number.abs() < NO_FRACTIONS {
            round(number) != number
        } else {
            number.is_finite() && (round(number).is_infinite() || round(number) == 0.0)
        }
    };
    match numbers.par_iter().copied().find_first(rounded) {
        Some(number) => Err(Error::Inexact { value: wide(number), kind: name }),
        None => Ok(()),
    }
}
