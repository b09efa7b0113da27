//! The ids of vertices in the input file.

use std::fmt;

use crate::{Error, Result, Storage, VertexNames};

/// The ids of the vertices `0..n` of a graph in its input file.
///
/// ```
/// use equipoise_graph::{VertexIds, VertexNames};
///
/// let ids = VertexIds::Dense { first: 1 };
/// assert_eq!(ids.id(0), 1);
/// assert_eq!(ids.vertex(3, 10), Some(2));
/// assert_eq!(ids.vertex(11, 10), None);
///
/// let ids = VertexIds::Table(vec![5, 70, 900].into());
/// assert_eq!(ids.id(2), 900);
/// assert_eq!(ids.vertex("70", 3), Some(1));
///
/// let ids = VertexIds::Names(VertexNames::new(["7", "Ann"])?);
/// assert_eq!(ids.id(1), "Ann");
/// assert_eq!(ids.vertex("Ann", 2), Some(1));
/// assert_eq!(ids.vertex(7, 2), Some(0));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum VertexIds {
    /// Vertex `v` has the id `first + v`.
    Dense {
        /// The id of vertex 0.
        first: u64,
    },
    /// Vertex `v` has the id `table[v]`; the table is strictly ascending.
    Table(Storage<u64>),
    /// Vertices have names.
    Names(VertexNames),
}

/// The id of a vertex in the input file: a number or a name.
///
/// ```
/// use equipoise_graph::VertexId;
///
/// assert_eq!(VertexId::from(7).to_string(), "7");
/// assert_eq!(VertexId::from("Ann").to_string(), "Ann");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VertexId<'a> {
    /// A number.
    Number(u64),
    /// A name.
    Name(&'a str),
}

impl VertexId<'_> {
    /// The number, or the number whose digits are the name.
    fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Name(name) => name.parse().ok().filter(|_| !name.starts_with('+')),
        }
    }
}

impl fmt::Display for VertexId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

impl From<u64> for VertexId<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for VertexId<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl PartialEq<u64> for VertexId<'_> {
    fn eq(&self, number: &u64) -> bool {
        *self == Self::Number(*number)
    }
}

impl PartialEq<&str> for VertexId<'_> {
    fn eq(&self, name: &&str) -> bool {
        *self == VertexId::Name(name)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for VertexId<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Name(name) => serializer.serialize_str(name),
        }
    }
}

impl VertexIds {
    /// The id of `vertex` in the input file.
    pub fn id(&self, vertex: u32) -> VertexId<'_> {
        match self {
            VertexIds::Dense { first } => VertexId::Number(first + u64::from(vertex)),
            VertexIds::Table(table) => VertexId::Number(table[vertex as usize]),
            VertexIds::Names(names) => VertexId::Name(names.get(vertex)),
        }
    }

    /// The vertex with the id `id` in the input file, in a graph with `vertices` vertices.
    pub fn vertex<'i>(&self, id: impl Into<VertexId<'i>>, vertices: u32) -> Option<u32> {
        let id = id.into();
        let index = match self {
            VertexIds::Dense { first } => id.number()?.checked_sub(*first)?,
            VertexIds::Table(table) => table.binary_search(&id.number()?).ok()? as u64,
            VertexIds::Names(names) => match id {
                VertexId::Name(name) => names.find(name)?.into(),
                VertexId::Number(number) => names.find(&number.to_string())?.into(),
            },
        };
        u32::try_from(index).ok().filter(|&vertex| vertex < vertices)
    }

    /// Checks that these can be the ids of a graph with `vertices` vertices.
    pub(crate) fn check(&self, vertices: u32) -> Result<()> {
        match self {
            VertexIds::Dense { first } => match first.checked_add(vertices.into()) {
                Some(_) => Ok(()),
                None => Err(Error::Structure(format!(
                    "the ids of {vertices} vertices, numbered from {first}, do not fit into 64 bits"
                ))),
            },
            VertexIds::Table(table) => {
                let (expected, found) = (u64::from(vertices), table.len() as u64);
                if found != expected {
                    return Err(Error::Length { what: "vertex ids", expected, found });
                }
                if table.is_sorted_by(|a, b| a < b) {
                    Ok(())
                } else {
                    Err(Error::Structure("the vertex ids do not ascend".into()))
                }
            }
            VertexIds::Names(names) => names.check(vertices.into()),
        }
    }
}

impl Default for VertexIds {
    /// Counted from 0.
    fn default() -> Self {
        VertexIds::Dense { first: 0 }
    }
}
