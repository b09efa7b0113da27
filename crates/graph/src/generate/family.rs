//! The traits that each generator implements.

use std::ops::Range;

use super::{
    keys::{Key, Table, Values},
    random::{BLOCK, Ends},
};
use crate::{Duplicates, SelfLoops};

pub(super) struct Description {
    pub name: &'static str,
    pub about: &'static str,
    pub example: &'static str,
    /// Its specific keys, in addition to [`COMMON_KEYS`].
    pub keys: &'static [Key],
}

pub(super) static COMMON_KEYS: [Key; 3] = [
    Key::default("seed", "1", "the same seed gives the same graph on any number of threads"),
    Key::optional("weights", "LOW..HIGH, ends included: whole numbers, or decimals for f64"),
    Key::default("directed", "false", "whether edges lead one way"),
];

impl Description {
    pub(super) fn table(&self) -> Table {
        Table { name: self.name, example: self.example, keys: [self.keys, &COMMON_KEYS] }
    }
}

pub(super) struct Size {
    /// The number of vertices; for a matrix, the maximum of rows and columns.
    pub vertices: u128,
    /// An upper bound on the generated edges, each counted once.
    pub edges: u128,
}

/// The parameters of a generator, as they are written in specs.
pub(super) trait Parameters {
    fn description(&self) -> &'static Description;
    fn values(&self) -> Vec<(&'static str, String)>;
    fn read(values: &Values) -> Result<Self, String>
    where
        Self: Sized;
}

/// Declares the parameters of a generator, with a key for each, in the order in which specs are
/// written.
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $type:ident = $description:ident($name:literal, $about:literal, $example:literal) {
            $( $(#[$field_meta:meta])* $field:ident: $value:ty = $key:expr, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $type {
            $( $(#[$field_meta])* pub $field: $value, )+
        }

        pub(super) static $description: $crate::generate::family::Description =
            $crate::generate::family::Description {
                name: $name,
                about: $about,
                example: $example,
                keys: &[$($key),+],
            };

        impl $crate::generate::family::Parameters for $type {
            fn description(&self) -> &'static $crate::generate::family::Description {
                &$description
            }

            fn values(&self) -> Vec<(&'static str, String)> {
                vec![$( ($key.name, self.$field.to_string()) ),+]
            }

            fn read(values: &$crate::generate::keys::Values) -> Result<Self, String> {
                Ok(Self { $( $field: values.get($key.name)? ),+ })
            }
        }
    };
}
pub(super) use parameters;

pub(super) trait Family: Parameters {
    fn check(&self, _directed: bool) -> Result<(), String> {
        Ok(())
    }
    fn size(&self) -> Size;
    /// An upper bound on the generated edges, where [`Family::size`] counts some that are left out
    /// at random.
    fn most_edges(&self) -> u128 {
        self.size().edges
    }
    /// The rows and columns if this generates a matrix, whose entries are the edges; `None` for a
    /// graph.
    fn shape(&self) -> Option<(u64, u64)> {
        None
    }
    /// The number of blocks in which the edges are generated independently.
    fn blocks(&self) -> u64 {
        within_u64(self.size().edges).div_ceil(BLOCK as u64)
    }
    /// The numbers of the edges in some blocks, where [`Family::size`] is exact.
    fn numbers(&self, blocks: Range<u64>) -> Range<u64> {
        let edges = within_u64(self.size().edges);
        let number = |block: u64| block.saturating_mul(BLOCK as u64).min(edges);
        number(blocks.start)..number(blocks.end.max(blocks.start))
    }
    /// An upper bound on the edges in some blocks.
    fn most_edges_in(&self, blocks: Range<u64>) -> u64 {
        let numbers = self.numbers(blocks);
        numbers.end - numbers.start
    }
    /// The edges of some blocks. Called only if [`Family::check`] succeeds and the size is within
    /// the limits.
    fn ends(&self, blocks: Range<u64>, seed: u64, directed: bool) -> Ends;
    /// The cleaning that the edges need: none, if all are distinct and none is a self-loop.
    fn cleaning(&self) -> (Duplicates, SelfLoops) {
        (Duplicates::Keep, SelfLoops::Keep)
    }
}

pub(super) fn within_u64(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
