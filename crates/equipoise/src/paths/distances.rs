//! Distances from some vertices, on the device of the graph.

use equipoise_graph::{Graph, cancel::Cancel, parallel::*};

use crate::{
    Distances, LoadedGraph, NONE, Result,
    bfs::BfsOptions,
    sssp::{SsspOptions, sssp},
    traversal::Strategy,
};

/// For each source the distance to every vertex, infinite without a path.
pub(super) fn distances(
    loaded: &LoadedGraph,
    sources: &[u32],
    weighted: bool,
) -> Result<Vec<Vec<f64>>> {
    let (graph, cancel) = (loaded.graph(), Cancel::current());
    let weighted = weighted && graph.weights().is_some();
    match (loaded.is_on_gpu(), weighted) {
        (true, false) => {
            let options = BfsOptions { levels_only: true, ..BfsOptions::default() };
            let searches = loaded.bfs_batch(sources, &options)?;
            Ok(searches.iter().map(|search| from_levels(&search.levels)).collect())
        }
        (true, true) => {
            let search = |&source: &u32| loaded.sssp(source, &SsspOptions::default());
            sources.iter().map(|source| Ok(from_distances(search(source)?.distances()?))).collect()
        }
        // One thread per search: graphs are small if all vertices are sources.
        (false, false) => {
            Ok(sources.par_iter().map(|&source| levels(graph, source, &cancel)).collect())
        }
        (false, true) => {
            let options = SsspOptions { strategy: Strategy::Dijkstra, ..SsspOptions::default() };
            let search = |&source: &u32| cancel.watch(|| sssp(graph, source, &options));
            let searches = sources.par_iter();
            searches.map(|source| Ok(from_distances(&search(source)?.distances))).collect()
        }
    }
}

fn from_levels(levels: &[u32]) -> Vec<f64> {
    levels.iter().map(|&level| if level == NONE { f64::INFINITY } else { level.into() }).collect()
}

fn from_distances(distances: &Distances) -> Vec<f64> {
    (0..distances.len()).map(|vertex| distances.get(vertex).unwrap_or(f64::INFINITY)).collect()
}

/// The distances by edges to every vertex, in one thread.
fn levels(graph: &Graph, source: u32, cancel: &Cancel) -> Vec<f64> {
    let mut levels = vec![f64::INFINITY; graph.vertices() as usize];
    levels[source as usize] = 0.0;
    let (mut frontier, mut next, mut level) = (vec![source], Vec::new(), 0.0);
    while !frontier.is_empty() {
        cancel.poll();
        level += 1.0;
        for &vertex in &frontier {
            for &target in graph.neighbors(vertex) {
                if levels[target as usize] == f64::INFINITY {
                    levels[target as usize] = level;
                    next.push(target);
                }
            }
        }
        std::mem::swap(&mut frontier, &mut next);
        next.clear();
    }
    levels
}
