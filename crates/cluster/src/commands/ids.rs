//! What vertices are called in results, also those of other ranks.

use std::fmt;

use equipoise_graph::VertexId;
use serde::Serialize;

use super::rows::Cell;
use crate::{Comm, Partition, SliceIds};

/// What a vertex is called in the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Id {
    Number(u64),
    Name(String),
}

impl Id {
    /// The cell of a row that says so.
    pub fn cell(&self) -> Cell<'_> {
        match self {
            Self::Number(number) => Cell::Whole(*number),
            Self::Name(name) => Cell::Word(name),
        }
    }

    fn read(bytes: &[u8], ids: &SliceIds) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        match (ids, text.parse()) {
            (SliceIds::Dense { .. } | SliceIds::Table { .. }, Ok(number)) => Self::Number(number),
            _ => Self::Name(text),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// The cell of a vertex whose id is known on this rank.
pub fn cell(ids: &SliceIds, vertex: u64) -> Cell<'_> {
    match ids.id(vertex) {
        Some(VertexId::Number(number)) => Cell::Whole(number),
        Some(VertexId::Name(name)) => Cell::Word(name),
        None => Cell::Missing,
    }
}

/// What the input calls `vertex`. To be asked by all ranks for the same.
pub fn of_one(comm: &dyn Comm, ids: &SliceIds, partition: &Partition, vertex: u64) -> Id {
    let owner = partition.owner(vertex);
    let mine = if owner == comm.rank() { text(ids, vertex) } else { String::new() };
    let all = comm.all_gather(mine.as_bytes());
    Id::read(all.get(owner).map_or(&[][..], Vec::as_slice), ids)
}

/// What the input calls each of `vertices`, whoever owns them. To be asked by all ranks, each for its own.
///
/// Each vertex is asked for once, from its owner.
pub fn of_many(comm: &dyn Comm, ids: &SliceIds, partition: &Partition, vertices: &[u64]) -> Ids {
    if let SliceIds::Dense { .. } = ids {
        return Ids { asked: Vec::new(), found: Vec::new() };
    }
    let mut asked = vertices.to_vec();
    asked.sort_unstable();
    asked.dedup();
    let mut questions = vec![Vec::new(); comm.size()];
    for vertex in &asked {
        questions[partition.owner(*vertex)].extend_from_slice(&vertex.to_le_bytes());
    }
    let heard = comm.all_to_all(&questions);
    let answers: Vec<Vec<u8>> = heard.iter().map(|questions| answered(ids, questions)).collect();
    // Those asked for ascend, and so do ranks.
    let found = comm.all_to_all(&answers).iter().flat_map(|bytes| texts(bytes)).collect::<Vec<_>>();
    let found = found.iter().map(|text| Id::read(text, ids)).collect();
    Ids { asked, found }
}

/// What vertices of any rank are called.
pub struct Ids {
    asked: Vec<u64>,
    found: Vec<Id>,
}

impl Ids {
    /// The cell of a vertex that was asked for.
    pub fn cell<'a>(&'a self, ids: &'a SliceIds, vertex: u64) -> Cell<'a> {
        match (ids, self.asked.binary_search(&vertex)) {
            (SliceIds::Dense { .. }, _) => cell(ids, vertex),
            (_, Ok(place)) => self.found.get(place).map_or(Cell::Missing, Id::cell),
            (_, Err(_)) => Cell::Missing,
        }
    }
}

fn text(ids: &SliceIds, vertex: u64) -> String {
    ids.id(vertex).map_or(String::new(), |id| id.to_string())
}

/// The ids of the vertices asked for, each after its length.
fn answered(ids: &SliceIds, questions: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    for vertex in questions.as_chunks::<8>().0 {
        let text = text(ids, u64::from_le_bytes(*vertex));
        answer.extend_from_slice(&(text.len() as u64).to_le_bytes());
        answer.extend_from_slice(text.as_bytes());
    }
    answer
}

fn texts(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let length = (u64::from_le_bytes(*length) as usize).min(rest.len());
        texts.push(rest[..length].to_vec());
        bytes = &rest[length..];
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_threads;

    #[test]
    fn ids_of_other_ranks_are_asked_for() {
        let partition = Partition { starts: vec![0, 2, 2, 4] };
        let all = [30, 40, 700, 900];
        let ends = run_threads(3, 7, |comm| {
            let range = partition.range(comm.rank());
            let table = all[range.start as usize..range.end as usize].to_vec();
            let ids = SliceIds::Table { first: range.start, table };
            let asked: &[u64] = if comm.rank() == 1 { &[] } else { &[3, 0, 3, 2] };
            let found = of_many(comm, &ids, &partition, asked);
            let cells: Vec<Cell> = asked.iter().map(|&vertex| found.cell(&ids, vertex)).collect();
            let expected: Vec<Cell> = asked.iter().map(|&v| Cell::Whole(all[v as usize])).collect();
            assert_eq!(cells, expected);
            of_one(comm, &ids, &partition, 3)
        });
        assert_eq!(ends, [Id::Number(900), Id::Number(900), Id::Number(900)]);
    }
}
