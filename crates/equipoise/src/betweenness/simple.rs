//! Graphs without parallel edges.

use equipoise_graph::{Csr, Graph, Weights, memory};
use rayon::prelude::*;

use crate::Result;

/// The graph with only the lightest of parallel edges; nothing where there are none.
pub(super) fn without_parallel_edges(graph: &Graph) -> Result<Option<Graph>> {
    let has_parallel = |vertex: u32| !graph.neighbors(vertex).is_sorted_by(|a, b| a < b);
    if graph.is_simple() || !(0..graph.vertices()).into_par_iter().any(has_parallel) {
        return Ok(None);
    }
    // A target and a weight of each edge, and where each row ends.
    let bytes = memory::bytes_of::<[u32; 3]>(graph.edges());
    let ends = memory::bytes_of::<u64>(graph.vertices().into());
    memory::check("the graph without parallel edges", bytes.saturating_add(ends))?;
    let kept = match graph.weights() {
        None => {
            let (csr, _) = lightest(graph.csr(), |_| 0u8)?;
            Graph::from_csr(csr, None, graph.is_undirected())?
        }
        Some(Weights::U32(weights)) => {
            let (csr, weights) = lightest(graph.csr(), |edge| weights[edge])?;
            Graph::from_csr(csr, Some(weights.into()), graph.is_undirected())?
        }
        Some(Weights::F32(weights)) => {
            let (csr, weights) = lightest(graph.csr(), |edge| weights[edge])?;
            Graph::from_csr(csr, Some(weights.into()), graph.is_undirected())?
        }
        Some(Weights::F64(weights)) => {
            let (csr, weights) = lightest(graph.csr(), |edge| weights[edge])?;
            Graph::from_csr(csr, Some(weights.into()), graph.is_undirected())?
        }
    };
    Ok(Some(kept.with_ids(graph.ids().clone())?))
}

/// The rows with each target once, and the least weight of the edges that lead there.
fn lightest<W: Copy + PartialOrd>(
    csr: &Csr,
    weight: impl Fn(usize) -> W,
) -> Result<(Csr, Vec<W>), equipoise_graph::Error> {
    let (mut offsets, mut targets, mut weights) = (vec![0], Vec::new(), Vec::new());
    for vertex in 0..csr.rows() {
        let start = targets.len();
        for edge in csr.range(vertex) {
            let (target, weight) = (csr.indices()[edge], weight(edge));
            match weights.last_mut() {
                Some(least) if targets.len() > start && targets.last() == Some(&target) => {
                    if weight < *least {
                        *least = weight;
                    }
                }
                _ => {
                    targets.push(target);
                    weights.push(weight);
                }
            }
        }
        offsets.push(targets.len() as u64);
    }
    Ok((Csr::new(csr.rows(), offsets, targets)?, weights))
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Duplicates, Edges, GraphBuilder};

    use super::*;

    #[test]
    fn the_lightest_of_parallel_edges_is_kept() {
        let edges = Edges::from(vec![(0, 1, 5u32), (0, 1, 2), (0, 2, 9), (0, 1, 7), (2, 2, 1)]);
        let build = |undirected| {
            let builder = GraphBuilder::new().duplicates(Duplicates::Keep).undirected(undirected);
            builder.build(edges.clone()).unwrap()
        };
        let kept = without_parallel_edges(&build(false)).unwrap().unwrap();
        assert_eq!(kept.csr().indices(), [1, 2, 2]);
        assert_eq!(kept.weights(), Some(&Weights::from(vec![2u32, 9, 1])));
        let kept = without_parallel_edges(&build(true)).unwrap().unwrap();
        assert!(kept.is_undirected());
        assert_eq!(kept.neighbors(1), [0]);
        assert!(without_parallel_edges(&kept).unwrap().is_none());
    }
}
