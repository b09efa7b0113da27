//! Matrices larger than the memory of the GPU: the matrix stays on the host, and strips of its rows take
//! turns on the device.
//!
//! Intermediate vertices are processed in panels of as many vertices as a strip has rows. First the
//! strip of the panel's rows is closed over the panel, block by block, and the paths of each block are
//! kept. Then every other strip takes the blocks in the same order. So each length is compared with
//! the same paths in the same order as in the whole matrix, and the result is the same, bit by bit.
//! The whole matrix moves to the device and back once per panel: the larger the strips, the less often.

use std::ops::Range;

use equipoise_graph::{Graph, io::Progress};
use equipoise_schedule::{
    Error,
    device::{Buffer, Gpu},
};

use super::{
    block::{BLOCK, Block, Columns, block_bytes, column_bytes, panel_bytes},
    length::DeviceLength,
    strip::{MOST_LENGTHS, MULTIPLE, Strip, strip_bytes},
};
use crate::{
    Result, Times,
    apsp::{
        matrix::{mark_unreached, put_edges, put_hops},
        output::Tables,
    },
    bisect::largest,
    times::{timed, timed_on},
};

/// Comparisons that are enqueued before the host waits, and reports its progress.
const AT_ONCE: u64 = 1 << 41;

/// The bytes of a strip of `rows` rows, and of a panel's blocks.
fn bytes(gpu: &Gpu, vertices: u32, rows: u64, with_hops: bool) -> u64 {
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    let blocks = rows.div_ceil(BLOCK.into()).saturating_mul(block_bytes(gpu, side));
    strip_bytes(gpu, vertices, rows, with_hops)
        .saturating_add(blocks)
        .saturating_add(column_bytes(gpu, side, with_hops) + panel_bytes(gpu, side))
}

/// The bytes for the smallest strip.
pub(super) fn least_bytes(gpu: &Gpu, vertices: u32, with_hops: bool) -> u64 {
    bytes(gpu, vertices, MULTIPLE.into(), with_hops)
}

/// The rows of the largest strip that fits in `available` bytes.
pub(super) fn rows_of_strip(
    gpu: &Gpu,
    vertices: u32,
    with_hops: bool,
    available: u64,
) -> Result<u32> {
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    let most = (gpu.properties().largest_buffer / 4).min(MOST_LENGTHS) / side;
    let step = u64::from(MULTIPLE);
    let fits = |multiple| bytes(gpu, vertices, multiple * step, with_hops) <= available;
    match largest(most.min(side) / step, fits) {
        0 => Err(Error::OutOfMemory {
            what: format!("a strip of {step} rows of all pairs of {vertices} vertices"),
            needed: least_bytes(gpu, vertices, with_hops),
            available,
        }
        .into()),
        multiple => Ok((multiple * step) as u32),
    }
}

/// Solves all pairs in the host's tables with strips of `rows` rows. Returns the number of strips, and
/// the times.
pub(super) fn solve<T: DeviceLength>(
    gpu: &Gpu,
    graph: &Graph,
    rows: u32,
    tables: &mut Tables<T>,
    progress: Option<&dyn Progress>,
) -> Result<(u32, Times)> {
    let vertices = graph.vertices() as usize;
    let ((), prepare) = timed(|| {
        put_edges(graph, &mut tables.lengths);
        if let Some(hops) = &mut tables.hops {
            put_hops(graph, hops);
        }
    });
    let mut stream = Stream::new(gpu, graph.vertices(), rows, tables, progress)?;
    let strip =
        |number: usize| number * rows as usize..((number + 1) * rows as usize).min(vertices);
    let strips = vertices.div_ceil(rows as usize);
    let steps = vertices.div_ceil(BLOCK as usize) * strips;
    stream.report(|progress| progress.start("closing", steps as u64));
    for panel in 0..strips {
        let others = (0..strips).filter(|&number| number != panel);
        for number in std::iter::once(panel).chain(others) {
            stream.visit(tables, strip(panel), strip(number))?;
        }
    }
    stream.report(|progress| progress.finish());
    mark_unreached(&mut tables.lengths);
    Ok((strips as u32, Times { prepare, ..stream.times }))
}

/// The buffers of the device, shared by all strips.
struct Stream<'a, T: DeviceLength> {
    strip: Strip<'a, T>,
    blocks: Vec<Block<T>>,
    columns: Columns<T>,
    discarded: Buffer<T>,
    progress: Option<&'a dyn Progress>,
    times: Times,
}

impl<'a, T: DeviceLength> Stream<'a, T> {
    fn new(
        gpu: &'a Gpu,
        vertices: u32,
        rows: u32,
        tables: &Tables<T>,
        progress: Option<&'a dyn Progress>,
    ) -> Result<Self> {
        let with_hops = tables.hops.is_some();
        let strip = Strip::new(gpu, vertices, rows, with_hops)?;
        let side = strip.side;
        let blocks = (0..rows / BLOCK).map(|_| Block::new(gpu, side)).collect::<Result<_>>()?;
        let columns = Columns::new(gpu, side, with_hops)?;
        let discarded = gpu.empty((BLOCK * side) as usize)?;
        Ok(Self { strip, blocks, columns, discarded, progress, times: Times::default() })
    }

    /// Compares the lengths of a strip with the paths through a panel of vertices. The strip of the
    /// panel's rows must come first: it makes the panel's blocks.
    fn visit(
        &mut self,
        tables: &mut Tables<T>,
        panel: Range<usize>,
        rows: Range<usize>,
    ) -> Result<()> {
        let first = panel.start as u32;
        let (put, upload) =
            timed_on(self.strip.gpu, || self.strip.put(tables, rows.clone(), first));
        put?;
        let blocks = panel.len().div_ceil(BLOCK as usize);
        let (stepped, kernel) =
            timed_on(self.strip.gpu, || self.steps(blocks as u32, rows == panel));
        stepped?;
        let (taken, download) =
            timed_on(self.strip.gpu, || self.strip.take(tables, rows, first, |length| length));
        taken?;
        // Moving strips is part of the run, which depends on it.
        self.times.overhead += upload + download;
        self.times.kernel += kernel;
        Ok(())
    }

    fn steps(&self, blocks: u32, has_rows: bool) -> Result<()> {
        let discarded = (!has_rows).then_some(&self.discarded);
        let step = u64::from(BLOCK) * u64::from(self.strip.rows) * u64::from(self.strip.side);
        let at_once = AT_ONCE.div_ceil(step).min(blocks.into()) as u32;
        for start in (0..blocks).step_by(at_once as usize) {
            let end = (start + at_once).min(blocks);
            for (number, block) in (start..end).zip(&self.blocks[start as usize..]) {
                block.step(&self.strip, &self.columns, number, discarded);
            }
            self.strip.gpu.finish()?;
            self.report(|progress| progress.advance((end - start).into()));
        }
        Ok(())
    }

    fn report(&self, event: impl FnOnce(&dyn Progress)) {
        if let Some(progress) = self.progress {
            event(progress);
        }
    }
}
