//! The ids of vertices in the input, distributed over ranks.

use std::ops::Range;

use equipoise_graph::{VertexId, VertexNames};

use crate::{Comm, Partition, Reduction, Result};

/// The ids of vertices in the input. Unless they are consecutive numbers, each rank has those of a range of vertices, in
/// ascending order.
///
/// ```
/// use equipoise_cluster::{Alone, SliceIds};
///
/// let ids = SliceIds::Table { first: 0, table: vec![5, 70, 900] };
/// assert_eq!(ids.find(&Alone, 3, "70"), Some(1));
/// assert_eq!(ids.id(2).map(|id| id.to_string()), Some("900".into()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SliceIds {
    /// Vertex `v` has the id `first + v`.
    Dense {
        /// The id of vertex 0.
        first: u64,
    },
    /// Numbers with gaps.
    Table {
        /// The first vertex whose id is on this rank.
        first: u64,
        /// The ids of that vertex and those that follow.
        table: Vec<u64>,
    },
    /// Names.
    Names {
        /// The first vertex whose name is on this rank.
        first: u64,
        /// The names of that vertex and those that follow.
        names: VertexNames,
    },
}

impl SliceIds {
    /// The id of a vertex, if this rank has it.
    ///
    /// ```
    /// let ids = equipoise_cluster::SliceIds::Dense { first: 1 };
    /// assert_eq!(ids.id(6).map(|id| id.to_string()), Some("7".into()));
    /// ```
    pub fn id(&self, vertex: u64) -> Option<VertexId<'_>> {
        let index = |first: u64| vertex.checked_sub(first);
        match self {
            Self::Dense { first } => first.checked_add(vertex).map(VertexId::Number),
            Self::Table { first, table } => {
                table.get(usize::try_from(index(*first)?).ok()?).copied().map(VertexId::Number)
            }
            Self::Names { first, names } => {
                let index = index(*first).filter(|&index| index < names.len())?;
                Some(VertexId::Name(names.get(u32::try_from(index).ok()?)))
            }
        }
    }

    /// The vertex with an id, in a graph with this number of vertices. All ranks call it.
    ///
    /// ```
    /// use equipoise_cluster::{Comm, SliceIds, run_threads};
    ///
    /// let found = run_threads(2, 64, |comm| {
    ///     let first = 2 * comm.rank() as u64;
    ///     let table = if first == 0 { vec![3, 8] } else { vec![9, 11] };
    ///     SliceIds::Table { first, table }.find(comm, 4, "9")
    /// });
    /// assert_eq!(found, [Some(2), Some(2)]);
    /// ```
    pub fn find(&self, comm: &dyn Comm, vertices: u64, id: &str) -> Option<u64> {
        let number = || id.parse::<u64>().ok().filter(|_| !id.starts_with('+'));
        let here = match self {
            Self::Dense { first } => {
                return number()?.checked_sub(*first).filter(|&vertex| vertex < vertices);
            }
            Self::Table { first, table } => number()
                .and_then(|number| table.binary_search(&number).ok())
                .map(|index| first + index as u64),
            Self::Names { first, names } => names.find(id).map(|index| first + u64::from(index)),
        };
        let mut found = [here.unwrap_or(u64::MAX)];
        comm.all_reduce(&mut found, Reduction::Min);
        (found[0] != u64::MAX).then_some(found[0])
    }

    /// The ids, redistributed to the owners of vertices. All ranks call it.
    ///
    /// ```
    /// use equipoise_cluster::{Comm, Partition, SliceIds, run_threads};
    ///
    /// let partition = Partition { starts: vec![0, 1, 4] };
    /// let tables = run_threads(2, 64, |comm| {
    ///     let first = 2 * comm.rank() as u64;
    ///     let table = if first == 0 { vec![3, 8] } else { vec![9, 11] };
    ///     SliceIds::Table { first, table }.owned(comm, &partition).unwrap()
    /// });
    /// assert_eq!(tables[1], SliceIds::Table { first: 1, table: vec![8, 9, 11] });
    /// ```
    pub fn owned(self, comm: &dyn Comm, partition: &Partition) -> Result<Self> {
        let ranks = 0..comm.size();
        let first_owned = partition.range(comm.rank()).start;
        match self {
            Self::Dense { .. } => Ok(self),
            Self::Table { first, table } => {
                let part = |rank| &table[overlap(first, table.len(), partition.range(rank))];
                let outgoing: Vec<Vec<u8>> =
                    ranks.map(|rank| bytemuck::cast_slice(part(rank)).to_vec()).collect();
                let incoming = comm.all_to_all(&outgoing);
                let numbers = |bytes: &Vec<u8>| bytemuck::pod_collect_to_vec::<u8, u64>(bytes);
                let table = incoming.iter().flat_map(numbers).collect();
                Ok(Self::Table { first: first_owned, table })
            }
            Self::Names { first, names } => {
                let part = |rank| overlap(first, names.len() as usize, partition.range(rank));
                let outgoing: Vec<Vec<u8>> = ranks.map(|rank| packed(&names, part(rank))).collect();
                let incoming = comm.all_to_all(&outgoing);
                let names = VertexNames::new(incoming.iter().flat_map(|bytes| unpacked(bytes)));
                Ok(Self::Names { first: first_owned, names: names? })
            }
        }
    }
}

/// The indices that belong to `vertices`, among `length` entries for the vertices from `first` on.
fn overlap(first: u64, length: usize, vertices: Range<u64>) -> Range<usize> {
    let index = |vertex: u64| vertex.saturating_sub(first).min(length as u64) as usize;
    index(vertices.start)..index(vertices.end)
}

/// Names, each after its length.
fn packed(names: &VertexNames, indices: Range<usize>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for name in names.iter().skip(indices.start).take(indices.len()) {
        bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
    }
    bytes
}

fn unpacked(bytes: &[u8]) -> impl Iterator<Item = &str> {
    let mut left = bytes;
    std::iter::from_fn(move || {
        let (length, rest) = left.split_first_chunk()?;
        let (name, rest) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
        left = rest;
        std::str::from_utf8(name).ok()
    })
}
