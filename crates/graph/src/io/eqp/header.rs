//! The header of a file, and the positions of the sections.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::{Csr, MAX_VERTICES, io::error::ParseError};

pub(in crate::io) const MAGIC: [u8; 8] = *b"\x89EQP\r\n\x1a\n";
const VERSION: u32 = 1;

pub(super) const HEADER: usize = 64;
pub(super) const ALIGNMENT: usize = 64;

/// Why a big-endian processor can neither read nor write files.
pub(super) const BIG_ENDIAN: &str = "files of this format are mapped as they are, which needs a \
                                     little-endian processor";

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

/// The kinds of vertex ids in an `.eqp` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqpIds {
    /// The numbers from this one on.
    From(u64),
    /// Numbers in a table.
    Table,
    /// Names.
    Names,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) values: Values,
    pub(super) rows: u64,
    pub(super) columns: u64,
    pub(super) entries: u64,
    pub(super) ids: EqpIds,
    pub(super) name_bytes: u64,
    pub(super) checksum: u64,
}

impl Header {
    /// The header of a file without names.
    pub(super) fn new(kind: Kind, values: Values, csr: &Csr, ids: EqpIds) -> Self {
        let (rows, columns, entries) = (csr.rows().into(), csr.columns().into(), csr.entries());
        Self { kind, values, rows, columns, entries, ids, name_bytes: 0, checksum: 0 }
    }

    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let (kind, undirected) = match self.kind {
            Kind::Graph { undirected } => (0, undirected),
            Kind::Matrix => (1, false),
        };
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        let (ids, ids_number) = match self.ids {
            EqpIds::From(first) => (0, first),
            EqpIds::Table => (1, 0),
            EqpIds::Names => (2, self.name_bytes),
        };
        bytes[12..16].copy_from_slice(&[kind, undirected.into(), self.values as u8, ids]);
        let numbers = [self.rows, self.columns, self.entries, ids_number, self.checksum];
        bytes[16..56].copy_from_slice(&numbers.map(u64::to_le_bytes).concat());
        let checksum = xxh3_64(&bytes[..56]);
        bytes[56..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
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
        let (ids, name_bytes) = match header[15] {
            0 => (EqpIds::From(number(40)), 0),
            1 => (EqpIds::Table, 0),
            2 => (EqpIds::Names, number(40)),
            other => return Err(format!("has an unknown kind of ids ({other})")),
        };
        let values = match (kind, Values::ALL.get(usize::from(header[14]))) {
            (Kind::Graph { .. }, Some(&values)) => values,
            (Kind::Matrix, Some(&values @ (Values::F32 | Values::F64))) => values,
            _ => return Err(format!("has an unknown type of values ({})", header[14])),
        };
        let [rows, columns, entries, checksum] = [16, 24, 32, 48].map(number);
        let header = Self { kind, values, rows, columns, entries, ids, name_bytes, checksum };
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
            Kind::Matrix if self.ids != EqpIds::From(0) => {
                Err("holds a matrix, but with ids".into())
            }
            _ => match self.ids {
                EqpIds::From(first) if first.checked_add(rows).is_none() => {
                    Err("has ids that do not fit into 64 bits".into())
                }
                _ => Ok(()),
            },
        }
    }
}

/// The positions of the sections: offsets, indices, values, ids, names.
pub(super) type Sections = [Range<usize>; 5];

/// Reads the header of a file of `length` bytes, and checks that its sections fill the file.
pub(super) fn read_header(bytes: &[u8], length: u64) -> Result<(Header, Sections), ParseError> {
    if cfg!(target_endian = "big") {
        return Err(ParseError::Whole(format!("cannot be read on this machine: {BIG_ENDIAN}")));
    }
    let header = Header::parse(bytes).map_err(ParseError::Whole)?;
    let sections = sections_of(&header, length as usize).map_err(ParseError::Whole)?;
    Ok((header, sections))
}

fn sections_of(header: &Header, length: usize) -> Result<Sections, String> {
    let ids = if matches!(header.ids, EqpIds::From(_)) { 0 } else { header.rows };
    let sizes = [
        (header.rows + 1, 8),
        (header.entries, 4),
        (header.entries, header.values.size()),
        (ids, 8),
        (header.name_bytes, 1),
    ];
    let mut end = HEADER as u128;
    let sections = sizes.map(|(count, size)| {
        let size = u128::from(count) * u128::from(size);
        let start = if size == 0 { end } else { end.next_multiple_of(ALIGNMENT as u128) };
        end = start + size;
        start..end
    });
    if end == length as u128 {
        Ok(sections.map(|section| section.start as usize..section.end as usize))
    } else {
        Err(format!(
            "has {length} bytes, but {} rows and {} entries, as its header says, take {end}",
            header.rows, header.entries
        ))
    }
}
