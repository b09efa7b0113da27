//! Cycles of predecessors of equal distance.

use bytemuck::{cast_slice, pod_collect_to_vec};

use crate::{Comm, DistGraph, Error, NONE, Reduction, Result};

/// Fails if predecessors form a cycle. `flat` contains the owned vertices with a predecessor of the same distance, which
/// exists: only these can be part of a cycle.
///
/// Pointer doubling: each of them replaces its pointer by that of the vertex it points to, until it points to a vertex that
/// is not flat. On a cycle that never happens.
pub(super) fn check_no_cycle(
    comm: &dyn Comm,
    graph: &DistGraph,
    predecessors: &[u64],
    flat: &[bool],
) -> Result<()> {
    // The pointer of each vertex; `NONE` once it leaves the flat vertices.
    let look = |(&before, &flat): (&u64, &bool)| if flat { before } else { NONE };
    let mut ahead: Vec<u64> = predecessors.iter().zip(flat).map(look).collect();
    let is_waiting = |ahead: &[u64], vertex: &u32| ahead[*vertex as usize] != NONE;
    let mut waiting: Vec<u32> = (0..graph.owned()).filter(|v| is_waiting(&ahead, v)).collect();
    // A path has at most 2⁶⁴ vertices.
    for _ in 0..=u64::BITS {
        let mut left = [waiting.len() as u64];
        comm.all_reduce(&mut left, Reduction::Sum);
        if left == [0] {
            return Ok(());
        }
        waiting.sort_by_key(|&vertex| graph.partition.owner(ahead[vertex as usize]));
        let mut questions = vec![Vec::new(); comm.size()];
        for &vertex in &waiting {
            let wanted = ahead[vertex as usize];
            questions[graph.partition.owner(wanted)].extend_from_slice(&wanted.to_ne_bytes());
        }
        let answer = |wanted: Vec<u8>| {
            let wanted: Vec<u64> = pod_collect_to_vec(&wanted);
            let start = graph.partition.range(comm.rank()).start;
            let seen: Vec<u64> = wanted.iter().map(|id| ahead[(id - start) as usize]).collect();
            cast_slice(&seen).to_vec()
        };
        let answers: Vec<Vec<u8>> = comm.all_to_all(&questions).into_iter().map(answer).collect();
        let answers: Vec<u64> = pod_collect_to_vec(&comm.all_to_all(&answers).concat());
        waiting.iter().zip(answers).for_each(|(&vertex, seen)| ahead[vertex as usize] = seen);
        waiting.retain(|vertex| is_waiting(&ahead, vertex));
    }
    Err(Error::Wrong("the predecessors of some vertices lead back to them".into()))
}
