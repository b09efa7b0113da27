//! Whether predecessors of equal distance lead anywhere.

use bytemuck::{cast_slice, pod_collect_to_vec};

use crate::{Comm, DistGraph, Error, NONE, Reduction, Result};

/// Fails where predecessors form a cycle. `flat` says which owned vertices have one of the same distance: only these can
/// be part of it, and their predecessors are vertices of the graph.
///
/// Each of them looks as far ahead as the vertex that it looked at last has looked, so that the distance doubles with
/// each round; one that sees a vertex that is not flat is done. On a cycle nobody ever is.
pub(super) fn check_no_cycle(
    comm: &dyn Comm,
    graph: &DistGraph,
    predecessors: &[u64],
    flat: &[bool],
) -> Result<()> {
    // Where each vertex looks; `NONE` where it is done.
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
            let asked = ahead[vertex as usize];
            questions[graph.partition.owner(asked)].extend_from_slice(&asked.to_ne_bytes());
        }
        let answer = |asked: Vec<u8>| {
            let asked: Vec<u64> = pod_collect_to_vec(&asked);
            let start = graph.partition.range(comm.rank()).start;
            let seen: Vec<u64> = asked.iter().map(|id| ahead[(id - start) as usize]).collect();
            cast_slice(&seen).to_vec()
        };
        let answers: Vec<Vec<u8>> = comm.all_to_all(&questions).into_iter().map(answer).collect();
        let answers: Vec<u64> = pod_collect_to_vec(&comm.all_to_all(&answers).concat());
        waiting.iter().zip(answers).for_each(|(&vertex, seen)| ahead[vertex as usize] = seen);
        waiting.retain(|vertex| is_waiting(&ahead, vertex));
    }
    Err(Error::Wrong("the predecessors of some vertices lead back to them".into()))
}
