//! A matrix that is larger than the memory of the GPU: it stays with the host, and strips of its
//! rows take turns on the device.
//!
//! Vertices that paths may go through are taken a panel at a time, as many as a strip has rows.
//! First the strip of the panel's own rows is closed over the panel, block by block, and of each
//! block what other rows need is kept. Then every other strip comes and takes the blocks in the same
//! order. So each length is compared with the same paths in the same order as if the whole matrix
//! were there, and the result is the same, bit by bit. All of the matrix moves to the device and back
//! once a panel: the more rows a strip has, the less often.

use std::ops::Range;

use equipoise_graph::{Graph, io::Progress};
use equipoise_schedule::{
    Error,
    device::{Buffer, Gpu},
};

use super::{
    super::{output::Tables, start},
    block::{BLOCK, Block, Columns, block_bytes, column_bytes, panel_bytes},
    length::DeviceLength,
    matrix::{MOST_LENGTHS, MULTIPLE, Strip, strip_bytes},
};
use crate::{
    Result, Times,
    times::{timed, timed_on},
};

/// Comparisons that are enqueued before the host waits, and says how far it is.
const AT_ONCE: u64 = 1 << 41;

/// The bytes that strips of so many rows take, and what is kept of a panel's blocks.
fn bytes(gpu: &Gpu, vertices: u32, rows: u64, with_hops: bool) -> u64 {
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    let blocks = rows.div_ceil(BLOCK.into()).saturating_mul(block_bytes(gpu, side));
    strip_bytes(gpu, vertices, rows, with_hops)
        .saturating_add(blocks)
        .saturating_add(column_bytes(gpu, side, with_hops) + panel_bytes(gpu, side))
}

/// The bytes that strips of the fewest rows take.
pub(super) fn least_bytes(gpu: &Gpu, vertices: u32, with_hops: bool) -> u64 {
    bytes(gpu, vertices, MULTIPLE.into(), with_hops)
}

/// The most rows of a strip for which there is memory.
pub(super) fn rows_of_strip(
    gpu: &Gpu,
    vertices: u32,
    with_hops: bool,
    available: u64,
) -> Result<u32> {
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    let largest = (gpu.properties().largest_buffer / 4).min(MOST_LENGTHS) / side;
    let step = u64::from(MULTIPLE);
    let fits = |rows: u64| bytes(gpu, vertices, rows * step, with_hops) <= available;
    // The largest multiple that fits, by halving what is not known of it.
    let (mut good, mut bad) = (0, largest.min(side) / step + 1);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        match fits(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    match good {
        0 => Err(Error::OutOfMemory {
            what: format!("a strip of {step} rows of all pairs of {vertices} vertices"),
            needed: least_bytes(gpu, vertices, with_hops),
            available,
        }
        .into()),
        multiples => Ok((multiples * step) as u32),
    }
}

/// Solves all pairs in the host's tables with strips of so many rows; how many there are, and where
/// the time went.
pub(super) fn solve<T: DeviceLength>(
    gpu: &Gpu,
    graph: &Graph,
    rows: u32,
    tables: &mut Tables<T>,
    progress: Option<&dyn Progress>,
) -> Result<(u32, Times)> {
    let vertices = graph.vertices() as usize;
    let ((), prepare) = timed(|| {
        start::put_edges(graph, &mut tables.lengths);
        if let Some(hops) = &mut tables.hops {
            start::put_hops(graph, hops);
        }
    });
    let mut stream = Stream::new(gpu, graph.vertices(), rows, tables, progress)?;
    let strip =
        |number: usize| number * rows as usize..((number + 1) * rows as usize).min(vertices);
    let strips = vertices.div_ceil(rows as usize);
    let steps = vertices.div_ceil(BLOCK as usize) * strips;
    stream.say(|progress| progress.start("closing", steps as u64));
    for panel in 0..strips {
        let others = (0..strips).filter(|&number| number != panel);
        for number in std::iter::once(panel).chain(others) {
            stream.visit(tables, strip(panel), strip(number))?;
        }
    }
    stream.say(|progress| progress.finish());
    start::tell(&mut tables.lengths);
    Ok((strips as u32, Times { prepare, ..stream.times }))
}

/// What is on the device while strips come and go.
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

    /// Lets a strip take the paths through a panel of vertices: its own, which makes the panel's
    /// blocks, or another's.
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
        // The strips move as part of the run: it cannot do without.
        self.times.overhead += upload + download;
        self.times.kernel += kernel;
        Ok(())
    }

    fn steps(&self, blocks: u32, has_its_rows: bool) -> Result<()> {
        let step = u64::from(BLOCK) * u64::from(self.strip.rows) * u64::from(self.strip.side);
        let at_once = AT_ONCE.div_ceil(step).min(blocks.into()) as u32;
        for start in (0..blocks).step_by(at_once as usize) {
            let end = (start + at_once).min(blocks);
            for (number, block) in (start..end).zip(&self.blocks[start as usize..]) {
                match has_its_rows {
                    true => block.step_of_its_rows(&self.strip, &self.columns, number),
                    false => {
                        block.step_of_other_rows(
                            &self.strip,
                            &self.columns,
                            &self.discarded,
                            number,
                        );
                    }
                }
            }
            self.strip.gpu.finish()?;
            self.say(|progress| progress.advance((end - start).into()));
        }
        Ok(())
    }

    fn say(&self, what: impl FnOnce(&dyn Progress)) {
        if let Some(progress) = self.progress {
            what(progress);
        }
    }
}
