//! The names that vertices had in the file they came from.

use crate::{Error, Result, Storage};

/// How the vertices `0..n` of a graph are named in its input file.
///
/// ```
/// use equipoise_graph::VertexIds;
///
/// let ids = VertexIds::Dense { first: 1 };
/// assert_eq!(ids.id(0), 1);
/// assert_eq!(ids.vertex(3, 10), Some(2));
/// assert_eq!(ids.vertex(11, 10), None);
///
/// let ids = VertexIds::Table(vec![5, 70, 900].into());
/// assert_eq!(ids.id(2), 900);
/// assert_eq!(ids.vertex(70, 3), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum VertexIds {
    /// Vertex `v` is called `first + v`.
    Dense {
        /// The id of vertex 0.
        first: u64,
    },
    /// Vertex `v` is called `table[v]`; the table is strictly ascending.
    Table(Storage<u64>),
}

impl VertexIds {
    /// The id that `vertex` has in the input file.
    pub fn id(&self, vertex: u32) -> u64 {
        match self {
            VertexIds::Dense { first } => first + u64::from(vertex),
            VertexIds::Table(table) => table[vertex as usize],
        }
    }

    /// The vertex that the input file calls `id`, of a graph with `vertices` vertices.
    pub fn vertex(&self, id: u64, vertices: u32) -> Option<u32> {
        let index = match self {
            VertexIds::Dense { first } => id.checked_sub(*first)?,
            VertexIds::Table(table) => table.binary_search(&id).ok()? as u64,
        };
        u32::try_from(index).ok().filter(|&vertex| vertex < vertices)
    }

    /// Whether these can be the ids of a graph with `vertices` vertices.
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
                match table.is_sorted_by(|a, b| a < b) {
                    true => Ok(()),
                    false => Err(Error::Structure("the vertex ids do not ascend".into())),
                }
            }
        }
    }
}

impl Default for VertexIds {
    /// Numbered from 0.
    fn default() -> Self {
        VertexIds::Dense { first: 0 }
    }
}
