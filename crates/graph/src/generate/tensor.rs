//! Random sparse tensors.

use std::{fmt, str::FromStr};

use rand::Rng;

use super::{
    keys::{Key, Table, Values},
    matrix::{MOST_SKEW, skewed},
    permutation::Permutation,
    random::{Stream, draw_all},
    spec::MAX_GENERATED_EDGES,
    text::list_keys,
};
use crate::{Error, MAX_VERTICES, Result, SparseTensor, memory};

/// The recipe of a three-mode tensor with nonzeros at random positions. Values are uniform in [-1,
/// 1). Repeated positions are kept.
///
/// With skew s, a coordinate of a mode of size n is `⌊n uˢ⌋` for `u` uniform in [0, 1), renumbered
/// at random: skew 1 draws slices uniformly, 3 draws some far more often than others.
///
/// As text it is `tensor:key=value,…`; an omitted skew or seed is 1.
///
/// ```
/// use equipoise_graph::generate::TensorSpec;
///
/// let spec: TensorSpec = "tensor:i=100,j=50,k=20,nonzeros=4000,skew=3".parse()?;
/// let tensor = spec.generate()?;
/// assert_eq!((tensor.shape(), tensor.nonzeros()), ([100, 50, 20], 4000));
/// assert_eq!(tensor, spec.generate()?);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// The size of each mode.
    pub shape: [u64; 3],
    /// The number of generated nonzeros.
    pub nonzeros: u64,
    /// The skew of the distribution of slices, in every mode, from 1 to 16.
    pub skew: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

const NAME: &str = "tensor";
const EXAMPLE: &str = "tensor:i=20000,j=5000,k=500,nonzeros=1000000,skew=3";

static KEYS: [Key; 6] = [
    Key::required("i", "size of mode 1"),
    Key::required("j", "size of mode 2"),
    Key::required("k", "size of mode 3"),
    Key::required("nonzeros", "nonzeros generated"),
    Key::default("skew", "1", "how unlike slices are, from 1 (alike) to 16"),
    Key::default("seed", "1", "the same seed gives the same tensor on any number of threads"),
];

const TABLE: Table = Table { name: NAME, example: EXAMPLE, keys: [&KEYS, &[]] };

/// The help text: the keys of a tensor's spec.
///
/// ```
/// let help = equipoise_graph::generate::tensor_help();
/// assert!(help.contains("nonzeros     nonzeros generated (required)"));
/// ```
pub fn tensor_help() -> String {
    let mut text = format!("A spec is {NAME}:key=value,key=value,…\n  for example {EXAMPLE}\n");
    list_keys(&mut text, &KEYS);
    text
}

impl FromStr for TensorSpec {
    type Err = Error;

    /// Parses `tensor:key=value,…`, and checks that the tensor can be generated.
    fn from_str(text: &str) -> Result<Self> {
        read(text)
            .and_then(|spec| spec.check().map(|()| spec))
            .map_err(|message| Error::Spec { spec: text.to_owned(), message })
    }
}

fn read(text: &str) -> Result<TensorSpec, String> {
    let (name, pairs) = text.split_once(':').unwrap_or((text, ""));
    if name != NAME {
        return Err(format!("`{name}` makes no tensor: `{NAME}` does, as in `{EXAMPLE}`"));
    }
    let values = Values::read(TABLE, pairs)?;
    Ok(TensorSpec {
        shape: [values.get("i")?, values.get("j")?, values.get("k")?],
        nonzeros: values.get("nonzeros")?,
        skew: values.get("skew")?,
        seed: values.get("seed")?,
    })
}

impl fmt::Display for TensorSpec {
    /// Writes the spec so that it parses back equal; keys with default values are omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape: [i, j, k], nonzeros, skew, seed } = self;
        write!(f, "{NAME}:i={i},j={j},k={k},nonzeros={nonzeros}")?;
        for (name, value) in [("skew", skew), ("seed", seed)] {
            if *value != 1 {
                write!(f, ",{name}={value}")?;
            }
        }
        Ok(())
    }
}

impl TensorSpec {
    /// Checks that the tensor can be generated.
    fn check(&self) -> Result<(), String> {
        let Self { shape, nonzeros, skew, .. } = *self;
        for (name, size) in ["i", "j", "k"].into_iter().zip(shape) {
            if size > MAX_VERTICES {
                return Err(format!(
                    "{name}={size}: the limit is {MAX_VERTICES}, as coordinates have 32 bits"
                ));
            }
        }
        if nonzeros > MAX_GENERATED_EDGES {
            return Err(format!(
                "{nonzeros} nonzeros are too many to generate: the limit is {MAX_GENERATED_EDGES}"
            ));
        }
        if !(1..=MOST_SKEW).contains(&skew) {
            return Err(format!("skew={skew}: expected a whole number from 1 to {MOST_SKEW}"));
        }
        if shape.contains(&0) && nonzeros > 0 {
            Err(format!("nonzeros={nonzeros}: nonzeros need slices in every mode"))
        } else {
            Ok(())
        }
    }

    /// Generates the tensor.
    ///
    /// Fails if the parameters are invalid or exceed [`MAX_VERTICES`] slices per mode or
    /// [`MAX_GENERATED_EDGES`] nonzeros, and if memory is insufficient.
    pub fn generate(&self) -> Result<SparseTensor> {
        self.check().map_err(|message| Error::Spec { spec: self.to_string(), message })?;
        let bytes = SparseTensor::memory_of(self.nonzeros);
        memory::check(format_args!("generating {self}"), bytes)?;
        let coordinates = [0, 1, 2].map(|mode| self.draw_coordinates(mode));
        let values = draw_all(0..self.nonzeros, self.seed, Stream::Weights, |random| {
            // 24 bits, which f32 represents exactly.
            (random.next_u64() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
        });
        Ok(SparseTensor::from_parts(self.shape.map(|size| size as u32), coordinates, values))
    }

    fn draw_coordinates(&self, mode: usize) -> Vec<u32> {
        // Each mode has a different seed, so that modes are independent.
        let seed = self.seed.wrapping_mul(3).wrapping_add(mode as u64);
        let size = self.shape[mode];
        let labels = Permutation::new(size, seed);
        draw_all(0..self.nonzeros, seed, Stream::Edges, |random| {
            labels.apply(skewed(size, self.skew, random)) as u32
        })
    }
}

/// Whether `text` is the name of the tensor generator, alone or before a colon.
pub(crate) fn names_tensor(text: &str) -> bool {
    text.split(':').next() == Some(NAME)
}
