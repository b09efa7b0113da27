//! Graphs without parallel edges.

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use crate::{Result, weights::selected_weights};

/// The graph with only the lightest of parallel edges; `None` if it has no parallel edges.
pub(super) fn without_parallel_edges(graph: &Graph) -> Result<Option<Graph>> {
    let has_parallel = |vertex: u32| !graph.neighbors(vertex).is_sorted_by(|a, b| a < b);
    if graph.is_simple() || !(0..graph.vertices()).into_par_iter().any(has_parallel) {
        return Ok(None);
    }
    // A target, an index and a weight per edge, and offsets.
    let edge_bytes = memory::bytes_of::<[u32; 5]>(graph.edges());
    let offset_bytes = memory::bytes_of::<u64>(graph.vertices().into());
    let bytes = edge_bytes.saturating_add(offset_bytes);
    memory::check("the graph without parallel edges", bytes)?;
    let (csr, lightest) = lightest_edges(graph)?;
    let weights = graph.weights().map(|weights| selected_weights(weights, lightest));
    let simple = Graph::from_csr(csr, weights, graph.is_undirected())?;
    Ok(Some(simple.with_ids(graph.ids().clone())?))
}

/// The rows with each target once, and the index of the lightest edge to it.
fn lightest_edges(graph: &Graph) -> Result<(Csr, Vec<usize>)> {
    let csr = graph.csr();
    let weight = |edge: usize| graph.weights().map_or(1.0, |weights| weights.get(edge));
    let (mut offsets, mut targets, mut lightest) = (vec![0], Vec::new(), Vec::new());
    for vertex in 0..csr.rows() {
        let start = targets.len();
        for edge in csr.range(vertex) {
            let target = csr.indices()[edge];
            match lightest.last_mut() {
                Some(other) if targets.len() > start && targets.last() == Some(&target) => {
                    if weight(edge) < weight(*other) {
                        *other = edge;
                    }
                }
                _ => {
                    targets.push(target);
                    lightest.push(edge);
                }
            }
        }
        offsets.push(targets.len() as u64);
    }
    Ok((Csr::new(csr.rows(), offsets, targets)?, lightest))
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Duplicates, Edges, GraphBuilder, Weights};

    use super::*;

    #[test]
    fn the_lightest_of_parallel_edges_is_kept() {
        let edges = Edges::from(vec![(0, 1, 5u32), (0, 1, 2), (0, 2, 9), (0, 1, 7), (2, 2, 1)]);
        let build = |undirected| {
            let builder = GraphBuilder::new().duplicates(Duplicates::Keep).undirected(undirected);
            builder.build(edges.clone()).unwrap()
        };
        let simple = without_parallel_edges(&build(false)).unwrap().unwrap();
        assert_eq!(simple.csr().indices(), [1, 2, 2]);
        assert_eq!(simple.weights(), Some(&Weights::from(vec![2u32, 9, 1])));
        let simple = without_parallel_edges(&build(true)).unwrap().unwrap();
        assert!(simple.is_undirected());
        assert_eq!(simple.neighbors(1), [0]);
        assert!(without_parallel_edges(&simple).unwrap().is_none());
    }
}
