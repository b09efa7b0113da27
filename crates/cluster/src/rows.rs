//! Files of compressed rows, of which a rank reads the rows that it needs: `.eqp`, and the parts of a folder.
//!
//! A file has five sections, of which some may be empty: where each row's edges start and the last one's end (`u64`), where
//! edges lead (`u32` or `u64`), their weights, the ids of the rows' vertices (`u64`; of names, where each ends), and names.
//! Its checksum is the XXH3 of a list of `u64`: the XXH3 of each block of 1 MiB, or the rest, of each section in turn. So
//! ranks compute it together.

mod checksum;
mod cut;
mod file;
mod read;

use std::{ops::Range, path::PathBuf};

pub(crate) use checksum::Hasher;
pub(crate) use read::read;

/// The places of the sections in a file: offsets, targets, weights, ids, names.
pub(crate) type Sections = [Range<u64>; 5];

/// A file with the rows of some vertices.
#[derive(Clone, Debug)]
pub(crate) struct RowFile {
    pub path: PathBuf,
    /// The vertex of its first row.
    pub first: u64,
    pub rows: u64,
    pub edges: u64,
    pub sections: Sections,
    /// How many bytes it has.
    pub bytes: u64,
    pub checksum: u64,
}

/// Files that hold a graph together, in the order of its vertices.
pub(crate) struct RowFiles {
    pub files: Vec<RowFile>,
    pub vertices: u64,
    pub edges: u64,
    /// Whether each edge stands in both directions.
    pub undirected: bool,
    /// How many bytes say where an edge leads: 4 or 8.
    pub target_bytes: u64,
    pub weights: Option<WeightType>,
    pub ids: IdKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightType {
    U32,
    F32,
    F64,
}

impl WeightType {
    /// The type of this name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::U32, Self::F32, Self::F64].into_iter().find(|known| known.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    pub fn bytes(self) -> u64 {
        match self {
            Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// What vertices are called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdKind {
    /// The numbers from this one on.
    From(u64),
    /// Numbers in a table.
    Table,
    Names,
}
