//! The header of a file, and where it says that the sections lie.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::{Csr, MAX_VERTICES};

const MAGIC: [u8; 8] = *b"\x89EQP\r\n\x1a\n";
const VERSION: u32 = 1;

/// The size of the header.
pub(super) const HEADER: usize = 64;
/// What every section starts at a multiple of.
pub(super) const ALIGNMENT: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Graph { undirected: bool },
    Matrix,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Values {
    None,
    U32,
    F32,
    F64,
}

impl Values {
    const ALL: [Self; 4] = [Self::None, Self::U32, Self::F32, Self::F64];

    pub(super) fn name(self) -> &'static str {
        ["none", "u32", "f32", "f64"][self as usize]
    }

    pub(super) fn size(self) -> u64 {
        [0, 4, 4, 8][self as usize]
    }
}

/// How vertices are called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ids {
    /// By the numbers from this one on.
    From(u64),
    /// By numbers in a table.
    Table,
    /// By names, which take so many bytes.
    Names(u64),
}

impl Ids {
    /// The byte that says which it is, and the number that belongs to it.
    fn to_numbers(self) -> (u8, u64) {
        match self {
            Self::From(first) => (0, first),
            Self::Table => (1, 0),
            Self::Names(bytes) => (2, bytes),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) values: Values,
    pub(super) rows: u64,
    pub(super) columns: u64,
    pub(super) entries: u64,
    pub(super) ids: Ids,
    /// Of the sections.
    pub(super) checksum: u64,
}

impl Header {
    pub(super) fn new(kind: Kind, values: Values, csr: &Csr, ids: Ids) -> Self {
        let (rows, columns) = (csr.rows().into(), csr.columns().into());
        Self { kind, values, rows, columns, entries: csr.entries(), ids, checksum: 0 }
    }

    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let (kind, undirected) = match self.kind {
            Kind::Graph { undirected } => (0, undirected),
            Kind::Matrix => (1, false),
        };
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let (ids, of_ids) = self.ids.to_numbers();
        bytes[12..16].copy_from_slice(&[kind, undirected.into(), self.values as u8, ids]);
        let numbers = [self.rows, self.columns, self.entries, of_ids, self.checksum];
        bytes[16..56].copy_from_slice(&numbers.map(u64::to_le_bytes).concat());
        let checksum = xxh3_64(&bytes[..56]);
        bytes[56..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub(super) fn of(bytes: &[u8]) -> Result<Self, String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("is not an Equipoise file: it does not start as one".into());
        }
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            let length = bytes.len();
            return Err(format!("is cut short: its header has {HEADER} bytes, found {length}"));
        };
        let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if version != VERSION {
            return Err(format!(
                "is of version {version} of the format, and this Equipoise knows version \
                 {VERSION}: use a newer Equipoise, or one that wrote it to convert it to mtx"
            ));
        }
        let number =
            |at: usize| (0..8).rev().fold(0, |sum, i| sum << 8 | u64::from(header[at + i]));
        if number(56) != xxh3_64(&header[..56]) {
            return Err("is damaged: its header does not match the header's checksum".into());
        }
        let kind = match header[12..14] {
            [0, undirected @ (0 | 1)] => Kind::Graph { undirected: undirected == 1 },
            [1, 0] => Kind::Matrix,
            [kind, flags] => return Err(format!("has an unknown kind ({kind}, {flags})")),
            _ => unreachable!("two bytes"),
        };
        let ids = match header[15] {
            0 => Ids::From(number(40)),
            1 => Ids::Table,
            2 => Ids::Names(number(40)),
            other => return Err(format!("has an unknown kind of ids ({other})")),
        };
        let values = match (kind, Values::ALL.get(usize::from(header[14]))) {
            (Kind::Graph { .. }, Some(&values)) => values,
            (Kind::Matrix, Some(&values @ (Values::F32 | Values::F64))) => values,
            _ => return Err(format!("has an unknown type of values ({})", header[14])),
        };
        let [rows, columns, entries, checksum] = [16, 24, 32, 48].map(number);
        let header = Self { kind, values, rows, columns, entries, ids, checksum };
        header.check_shape()?;
        Ok(header)
    }

    fn check_shape(&self) -> Result<(), String> {
        let (rows, columns) = (self.rows, self.columns);
        if rows.max(columns) > MAX_VERTICES {
            return Err(format!(
                "has {rows} rows and {columns} columns: the most are {MAX_VERTICES}"
            ));
        }
        match self.kind {
            Kind::Graph { .. } if rows != columns => {
                Err(format!("holds a graph, but of {rows} rows and {columns} columns"))
            }
            Kind::Matrix if self.ids != Ids::From(0) => Err("holds a matrix, but with ids".into()),
            _ => match self.ids {
                Ids::From(first) if first.checked_add(rows).is_none() => {
                    Err("has ids that do not fit into 64 bits".into())
                }
                _ => Ok(()),
            },
        }
    }
}

/// Where the sections lie: offsets, indices, values, ids, names.
pub(super) type Sections = [Range<usize>; 5];

/// The places of the sections, which are known to fill the `length` bytes of the file.
pub(super) fn sections_of(header: &Header, length: usize) -> Result<Sections, String> {
    let (ids, names) = match header.ids {
        Ids::From(_) => (0, 0),
        Ids::Table => (header.rows, 0),
        Ids::Names(bytes) => (header.rows, bytes),
    };
    let sizes = [
        (header.rows + 1, 8),
        (header.entries, 4),
        (header.entries, header.values.size()),
        (ids, 8),
        (names, 1),
    ];
    let mut end = HEADER as u128;
    let sections = sizes.map(|(count, size)| {
        let size = u128::from(count) * u128::from(size);
        let start = if size == 0 { end } else { end.next_multiple_of(ALIGNMENT as u128) };
        end = start + size;
        start..end
    });
    match end == length as u128 {
        true => Ok(sections.map(|section| section.start as usize..section.end as usize)),
        false => Err(format!(
            "has {length} bytes, but {} rows and {} entries, as its header says, take {end}",
            header.rows, header.entries
        )),
    }
}
