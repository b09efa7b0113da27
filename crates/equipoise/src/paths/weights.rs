//! Distances by weights: a search per source.

use equipoise_graph::{cancel::Cancel, memory, parallel::*};

use super::{
    Search,
    sums::{Found, SourceSums, VertexSums},
};
use crate::{
    Distances, Error, LoadedGraph, Result, Step, Trace,
    sssp::{SsspOptions, sssp},
    times::Clock,
    traversal::Strategy,
};

/// Searches per step of the trace, whose distances are in memory together.
const AT_ONCE: usize = 32;

/// Finds the distances by weights from the sources. Fails if a sum is infinite.
pub(super) fn weighted_paths(
    loaded: &LoadedGraph,
    search: &Search,
) -> Result<Found<Vec<VertexSums>>> {
    let vertices = loaded.graph().vertices();
    let bytes = memory::bytes_of::<[f64; AT_ONCE + 5]>(vertices.into());
    memory::check(format_args!("distances between {vertices} vertices"), bytes)?;
    let mut of_sources = SourceSums::new(search.within);
    let mut of_vertices = vec![VertexSums::default(); vertices as usize];
    let mut trace = Trace::default();
    let mut clock = Clock::start();
    for (index, group) in (0..).zip(search.sources.chunks(AT_ONCE)) {
        let rows = distances(loaded, group)?;
        let found = rows.iter().map(|row| of_sources.add_row(row)).sum();
        add_rows(&mut of_vertices, group, &rows);
        let frontier = group.len() as u64;
        let edges = frontier * loaded.graph().edges();
        let time = clock.lap();
        trace.steps.push(Step { frontier, edges, found, time, ..Step::new(index, "search") });
    }
    check_finite(loaded, &of_vertices)?;
    if let Some(farthest) = of_sources.farthest().filter(|_| search.from_farthest) {
        let row = &distances(loaded, &[farthest.vertex])?[0];
        row.iter().filter(|far| far.is_finite()).for_each(|&far| of_sources.add_distance(far));
    }
    Ok(Found { of_sources, of_vertices, trace })
}

/// For each source the distance to every vertex, infinite without a path.
fn distances(loaded: &LoadedGraph, sources: &[u32]) -> Result<Vec<Vec<f64>>> {
    let (graph, cancel) = (loaded.graph(), Cancel::current());
    if loaded.is_on_gpu() {
        let search = |&source: &u32| loaded.sssp(source, &SsspOptions::default());
        return sources.iter().map(|source| Ok(to_row(search(source)?.distances()?))).collect();
    }
    // One thread per search: graphs are small if all vertices are sources.
    let options = SsspOptions { strategy: Strategy::Dijkstra, ..SsspOptions::default() };
    let search = |&source: &u32| cancel.watch(|| sssp(graph, source, &options));
    sources.par_iter().map(|source| Ok(to_row(&search(source)?.distances))).collect()
}

fn to_row(distances: &Distances) -> Vec<f64> {
    (0..distances.len()).map(|vertex| distances.get(vertex).unwrap_or(f64::INFINITY)).collect()
}

/// Adds the rows of distances from some sources, in their order.
fn add_rows(of_vertices: &mut [VertexSums], sources: &[u32], rows: &[Vec<f64>]) {
    let add_to = |(vertex, sums): (usize, &mut VertexSums)| {
        for (&source, row) in sources.iter().zip(rows) {
            sums.add(source as usize == vertex, row[vertex]);
        }
    };
    of_vertices.par_iter_mut().enumerate().with_min_len(1 << 10).for_each(add_to);
}

fn check_finite(loaded: &LoadedGraph, of_vertices: &[VertexSums]) -> Result<()> {
    let Some(vertex) = of_vertices.iter().position(VertexSums::is_infinite) else { return Ok(()) };
    let id = loaded.graph().ids().id(vertex as u32);
    Err(Error::TooFar {
        what: format!("the sum of the distances to vertex {id}, or of one over them,"),
        numbers: "the numbers of 64 bits that it is given in, up to 1.8e308",
        instead: "divide or multiply all weights by the same number",
    })
}
