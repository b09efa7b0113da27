//! Rows by one search a source, in batches.

use equipoise_graph::io::Progress;
use equipoise_schedule::Error;
use rayon::prelude::*;

use super::{
    super::output::Tables,
    edges::DeviceEdges,
    length::DeviceLength,
    searches::{Batch, batch_bytes, batch_size},
};
use crate::{Result, Times, gpu_graph::GraphOnGpu, times::timed_on};

/// How many searches run at once, at most so many. Fails where there is no memory for one.
pub(super) fn searches_at_once(
    there: &GraphOnGpu,
    most: Option<u32>,
    wanted: usize,
    with_hops: bool,
    available: u64,
) -> Result<u32> {
    let (gpu, graph) = (&there.gpu, there.graph);
    let vertices = graph.vertices();
    let edges = match with_hops {
        true => there.bytes_missing_entering(true)?,
        false => there.bytes_missing(true),
    };
    let beside = available.saturating_sub(edges);
    let searches = batch_size(gpu, vertices, wanted, with_hops, beside);
    let searches = searches.min(most.unwrap_or(u32::MAX)).max(1);
    let needed = edges.saturating_add(batch_bytes(gpu, vertices, searches, with_hops));
    match needed <= available {
        true => Ok(searches),
        false => {
            let what = format!("{searches} searches of {vertices} vertices at once");
            Err(Error::OutOfMemory { what, needed, available }.into())
        }
    }
}

/// Fills rows with the distances from sources, so many of them at once. With next hops the sources
/// are all vertices, and the searches go backwards: each finds the hops to where it starts from, and
/// makes a column.
pub(super) fn solve<T: DeviceLength>(
    there: &GraphOnGpu,
    sources: &[u32],
    searches: u32,
    tables: &mut Tables<T>,
    progress: Option<&dyn Progress>,
) -> Result<Times> {
    let (gpu, with_hops) = (&there.gpu, tables.hops.is_some());
    let stopwatch = gpu.stopwatch();
    let graph = there.get()?;
    let (edges, reversing) = timed_on(gpu, || match with_hops {
        true => DeviceEdges::<T>::entering(graph),
        false => DeviceEdges::<T>::leaving(graph),
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
        let (stored, download) = timed_on(gpu, || match with_hops {
            true => store_columns(&batch, first, sources.len(), tables),
            false => store_rows(&batch, first, sources.len(), tables),
        });
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

fn store_rows<T: DeviceLength>(
    batch: &Batch<T>,
    first: usize,
    count: usize,
    tables: &mut Tables<T>,
) -> Result<()> {
    let found = batch.lengths(count)?;
    let rows = &mut tables.lengths[first * batch.vertices()..][..found.len()];
    rows.par_iter_mut()
        .zip(found)
        .for_each(|(length, bits)| *length = T::of_bits(bits).in_result());
    Ok(())
}

fn store_columns<T: DeviceLength>(
    batch: &Batch<T>,
    first: usize,
    count: usize,
    tables: &mut Tables<T>,
) -> Result<()> {
    let vertices = batch.vertices();
    put_columns(&batch.lengths(count)?, first, vertices, &mut tables.lengths, |bits| {
        T::of_bits(bits).in_result()
    });
    if let (Some(all), Some(found)) = (&mut tables.hops, batch.hops(count)?) {
        put_columns(&found, first, vertices, all, |hop| hop);
    }
    Ok(())
}

/// Makes columns of rows, the first of them column `first`.
fn put_columns<T: Send>(
    rows: &[u32],
    first: usize,
    vertices: usize,
    matrix: &mut [T],
    number: impl Fn(u32) -> T + Sync,
) {
    matrix.par_chunks_mut(vertices).enumerate().for_each(|(vertex, row)| {
        for (place, found) in row[first..].iter_mut().zip(rows.chunks_exact(vertices)) {
            *place = number(found[vertex]);
        }
    });
}
