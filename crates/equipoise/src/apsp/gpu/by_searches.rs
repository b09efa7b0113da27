//! Rows by one search per source, in batches.

use equipoise_graph::{io::Progress, parallel::*};
use equipoise_schedule::Error;

use super::{
    edges::DeviceEdges,
    length::DeviceLength,
    searches::{Batch, batch_bytes, batch_size},
};
use crate::{Result, Times, apsp::output::Tables, gpu_graph::GpuGraph, times::timed_on};

/// The number of searches at once: `most` or `wanted`, or fewer if memory is short. Fails where one
/// does not fit in memory.
pub(super) fn searches_at_once(
    graph: &GpuGraph,
    most: Option<u32>,
    wanted: usize,
    with_hops: bool,
    available: u64,
) -> Result<u32> {
    let (gpu, vertices) = (&graph.gpu, graph.vertices());
    let edges =
        if with_hops { graph.bytes_missing_entering(true)? } else { graph.bytes_missing(true) };
    let for_batch = available.saturating_sub(edges);
    let searches = batch_size(gpu, vertices, wanted, with_hops, for_batch);
    let searches = searches.min(most.unwrap_or(u32::MAX)).max(1);
    let needed = edges.saturating_add(batch_bytes(gpu, vertices, searches, with_hops));
    if needed <= available {
        return Ok(searches);
    }
    let what = format!("{searches} searches of {vertices} vertices at once");
    Err(Error::OutOfMemory { what, needed, available }.into())
}

/// Fills the tables with the distances from sources, `searches` at once. With next hops the sources
/// are all vertices, and the searches go backwards: each finds the hops to its source, and makes a
/// column.
pub(super) fn solve<T: DeviceLength>(
    graph: &GpuGraph,
    sources: &[u32],
    searches: u32,
    tables: &mut Tables<T>,
    progress: Option<&dyn Progress>,
) -> Result<Times> {
    let (gpu, with_hops) = (&graph.gpu, tables.hops.is_some());
    let stopwatch = gpu.stopwatch();
    graph.engine_graph()?;
    let (edges, reversing) = timed_on(gpu, || {
        if with_hops { DeviceEdges::<T>::entering(graph) } else { DeviceEdges::<T>::leaving(graph) }
    });
    let edges = edges?;
    let upload = graph.upload_time(true);
    let (batch, prepare) = timed_on(gpu, || Batch::new(gpu, &edges, searches, with_hops));
    let mut batch = batch?;
    let prepare = if with_hops { prepare + reversing } else { prepare };
    let mut times = Times { upload, prepare, ..Times::default() };
    if let Some(progress) = progress {
        progress.start("searching", sources.len() as u64);
    }
    for (number, sources) in sources.chunks(searches as usize).enumerate() {
        let (searched, kernel) = timed_on(gpu, || batch.search(sources));
        searched?;
        let (found, tree) = timed_on(gpu, || batch.find_hops(sources));
        found?;
        let first = number * searches as usize;
        let (stored, download) = timed_on(gpu, || store(&batch, first, sources.len(), tables));
        stored?;
        times.kernel += kernel;
        times.tree += tree;
        times.download += download;
        if let Some(progress) = progress {
            progress.advance(sources.len() as u64);
        }
    }
    if let Some(progress) = progress {
        progress.finish();
    }
    times.compile = stopwatch.compiled();
    Ok(times)
}

/// Copies `count` rows of a batch to the tables, from row `first` on, or with next hops to columns.
fn store<T: DeviceLength>(
    batch: &Batch<T>,
    first: usize,
    count: usize,
    tables: &mut Tables<T>,
) -> Result<()> {
    let (lengths, vertices) = (batch.lengths(count)?, batch.vertices());
    let length = |bits| T::of_bits(bits).in_result();
    match (&mut tables.hops, batch.hops(count)?) {
        (Some(all_hops), Some(hops)) => {
            put_columns(&lengths, first, vertices, &mut tables.lengths, length);
            put_columns(&hops, first, vertices, all_hops, |hop| hop);
        }
        _ => {
            let rows = &mut tables.lengths[first * vertices..][..lengths.len()];
            rows.par_iter_mut().zip(lengths).for_each(|(number, bits)| *number = length(bits));
        }
    }
    Ok(())
}

/// Stores rows as columns of a matrix, from column `first` on.
fn put_columns<T: Send>(
    rows: &[u32],
    first: usize,
    vertices: usize,
    matrix: &mut [T],
    number: impl Fn(u32) -> T + Sync,
) {
    matrix.par_chunks_mut(vertices).enumerate().for_each(|(vertex, matrix_row)| {
        for (element, row) in matrix_row[first..].iter_mut().zip(rows.chunks_exact(vertices)) {
            *element = number(row[vertex]);
        }
    });
}
