//! Random sparse tensors.

use std::{fmt, str::FromStr};

use rand::Rng;
use rayon::prelude::*;

use super::{
    MAX_GENERATED_EDGES,
    keys::{Key, Table, Values},
    matrix::{MOST_SKEW, skewed},
    permutation::Permutation,
    random::{BLOCK, Random, Stream, random},
    spec::list_keys,
};
use crate::{Error, MAX_VERTICES, Result, SparseTensor, memory};

/// A tensor of three modes with nonzeros at random places, to be generated. Values are from -1 to
/// below 1. Several nonzeros at the same place are all kept.
///
/// With a skew of s, a coordinate of a mode of size n is `n uˢ` for a `u` that is uniform below 1,
/// renumbered at random: 1 draws slices evenly, 3 some far more often than others.
///
/// As text it is `tensor:key=value,…`, with 1 for a skew or a seed that is left out.
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
    /// How many nonzeros are generated.
    pub nonzeros: u64,
    /// How unlike slices are, in every mode, from 1 to 16.
    pub skew: u64,
    /// Chooses among the tensors of the same shape.
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

/// The keys of a tensor's spec, for people to read.
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

    /// Reads `tensor:key=value,…`, and makes sure that the tensor can be generated.
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
    /// Writes the spec so that it reads back equal; keys that have their default are left out.
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
    /// Whether the tensor can be generated.
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
        match shape.contains(&0) && nonzeros > 0 {
            true => Err(format!("nonzeros={nonzeros}: nonzeros need slices in every mode")),
            false => Ok(()),
        }
    }

    /// Generates the tensor.
    ///
    /// Fails where the parameters make no sense or ask for modes of more than [`MAX_VERTICES`]
    /// slices or for more than [`MAX_GENERATED_EDGES`] nonzeros, and where there is not enough
    /// memory.
    pub fn generate(&self) -> Result<SparseTensor> {
        self.check().map_err(|message| Error::Spec { spec: self.to_string(), message })?;
        let bytes = SparseTensor::memory_of(self.nonzeros);
        memory::check(format_args!("generating {self}"), bytes)?;
        let count = self.nonzeros as usize;
        let mut coordinates = [vec![0; count], vec![0; count], vec![0; count]];
        for (mode, of_mode) in (0..).zip(&mut coordinates) {
            self.draw_coordinates(mode, of_mode);
        }
        let mut values = vec![0.0; count];
        in_blocks(&mut values, self.seed, Stream::Weights, |random| {
            // 24 bits, which an f32 holds exactly.
            (random.next_u64() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
        });
        Ok(SparseTensor::from_parts(self.shape.map(|size| size as u32), coordinates, values))
    }

    fn draw_coordinates(&self, mode: usize, coordinates: &mut [u32]) {
        // Modes are drawn apart from each other: their seeds differ.
        let seed = self.seed.wrapping_mul(3).wrapping_add(mode as u64);
        let size = self.shape[mode];
        let labels = Permutation::new(size, seed);
        in_blocks(coordinates, seed, Stream::Edges, |random| {
            labels.apply(skewed(size, self.skew, random)) as u32
        });
    }
}

/// Draws all numbers of an array, whatever the number of threads.
fn in_blocks<T: Send>(
    numbers: &mut [T],
    seed: u64,
    stream: Stream,
    draw: impl Fn(&mut Random) -> T + Sync,
) {
    numbers.par_chunks_mut(BLOCK).enumerate().for_each(|(block, numbers)| {
        let mut random = random(seed, stream, block as u64);
        numbers.fill_with(|| draw(&mut random));
    });
}

/// Whether `text` is the name of the generator of tensors, alone or before a colon.
pub(crate) fn names_tensor(text: &str) -> bool {
    text.split(':').next() == Some(NAME)
}
