//! Ids of vertices in results, including those of other ranks.

pub use equipoise_terminal::ids::Id;
use equipoise_terminal::rows::Cell;

use crate::{Comm, Partition, SliceIds};

/// The text of `bytes` of another rank.
fn read(bytes: &[u8], ids: &SliceIds) -> Id {
    let text = String::from_utf8_lossy(bytes).into_owned();
    match (ids, text.parse()) {
        (SliceIds::Dense { .. } | SliceIds::Table { .. }, Ok(number)) => Id::Number(number),
        _ => Id::Name(text),
    }
}

/// The cell of a vertex whose id is known on this rank.
pub fn cell(ids: &SliceIds, vertex: u64) -> Cell<'_> {
    ids.id(vertex).map_or(Cell::Missing, Cell::from)
}

/// The id of `vertex`. All ranks call it, with the same vertex.
pub fn of_one(comm: &dyn Comm, ids: &SliceIds, partition: &Partition, vertex: u64) -> Id {
    let owner = partition.owner(vertex);
    let mine = if owner == comm.rank() { text(ids, vertex) } else { String::new() };
    let all = comm.all_gather(mine.as_bytes());
    read(all.get(owner).map_or(&[][..], Vec::as_slice), ids)
}

/// The ids of `vertices` of any rank. All ranks call it, each for its own.
///
/// Requests each vertex once, from its owner.
pub fn of_many(comm: &dyn Comm, ids: &SliceIds, partition: &Partition, vertices: &[u64]) -> Ids {
    if let SliceIds::Dense { .. } = ids {
        return Ids { wanted: Vec::new(), result: Vec::new() };
    }
    let mut wanted = vertices.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let mut questions = vec![Vec::new(); comm.size()];
    for vertex in &wanted {
        questions[partition.owner(*vertex)].extend_from_slice(&vertex.to_le_bytes());
    }
    let received = comm.all_to_all(&questions);
    let answers: Vec<Vec<u8>> = received.iter().map(|questions| answered(ids, questions)).collect();
    // Wanted vertices ascend, and so do their owners.
    let result =
        comm.all_to_all(&answers).iter().flat_map(|bytes| texts(bytes)).collect::<Vec<_>>();
    let result = result.iter().map(|text| read(text, ids)).collect();
    Ids { wanted, result }
}

/// The ids of wanted vertices.
pub struct Ids {
    wanted: Vec<u64>,
    result: Vec<Id>,
}

impl Ids {
    /// The cell of a wanted vertex.
    pub fn cell<'a>(&'a self, ids: &'a SliceIds, vertex: u64) -> Cell<'a> {
        match (ids, self.wanted.binary_search(&vertex)) {
            (SliceIds::Dense { .. }, _) => cell(ids, vertex),
            (_, Ok(index)) => self.result.get(index).map_or(Cell::Missing, Id::cell),
            (_, Err(_)) => Cell::Missing,
        }
    }
}

fn text(ids: &SliceIds, vertex: u64) -> String {
    ids.id(vertex).map_or(String::new(), |id| id.to_string())
}

/// The ids of the requested vertices, each after its length.
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
            let wanted: &[u64] = if comm.rank() == 1 { &[] } else { &[3, 0, 3, 2] };
            let result = of_many(comm, &ids, &partition, wanted);
            let cells: Vec<Cell> = wanted.iter().map(|&vertex| result.cell(&ids, vertex)).collect();
            let expected: Vec<Cell> =
                wanted.iter().map(|&v| Cell::Whole(all[v as usize])).collect();
            assert_eq!(cells, expected);
            of_one(comm, &ids, &partition, 3)
        });
        assert_eq!(ends, [Id::Number(900), Id::Number(900), Id::Number(900)]);
    }
}
