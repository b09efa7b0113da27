//! All pairs on a GPU.

mod block;
mod blocked;
mod by_searches;
mod edges;
mod length;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod naive;
mod panels;
mod pieces;
mod product;
mod searches;
mod streamed;
mod strip;
mod with_hops;

use equipoise_graph::{Weights, memory};

use super::{
    choice,
    length::fits_u32,
    options::{ApspOptions, ApspStrategy},
    output::{ApspOutput, Shape, Tables},
    result::Apsp,
    rows,
};
use crate::{Error, Result, Times, gpu_graph::GpuGraph, times::timed_on, weights::check_weights};
use length::DeviceLength;
use strip::{MOST_LENGTHS, MULTIPLE, Strip, strip_bytes};

/// Divisors of the device's memory for further attempts where some of it is refused.
const SHARES: [u64; 3] = [2, 4, 8];

pub(super) fn apsp(graph: &GpuGraph, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
    let host_graph = graph.graph;
    host_graph.check_fits_device()?;
    check_weights(host_graph)?;
    options.check(host_graph)?;
    match host_graph.weights() {
        Some(Weights::F64(_)) => Err(Error::WeightsTooWide { what: "all pairs" }),
        Some(Weights::F32(_)) => solve::<f32>(graph, options, output)?.without_overflow(host_graph),
        Some(Weights::U32(weights)) if !fits_u32(graph.vertices(), weights) => {
            Err(Error::too_far_for_gpu("the longest possible path".into()))
        }
        _ => solve::<u32>(graph, options, output),
    }
}

/// The way of solving all pairs in the available memory.
enum Method {
    Empty,
    /// This number of searches at once.
    Searches(u32),
    /// With the whole matrix on the device.
    Whole,
    /// In strips of this number of rows.
    Strips(u32),
}

fn solve<T: DeviceLength>(
    graph: &GpuGraph,
    options: &ApspOptions,
    output: &ApspOutput,
) -> Result<Apsp> {
    let gpu = &graph.gpu;
    let available = gpu.memory().available().min(options.memory_limit.unwrap_or(u64::MAX));
    let solve = |available| solve_in::<T>(graph, options, output, available);
    retry_with_less(available, || gpu.clean_up(), solve)
}

/// Retries with less of the device's memory while an allocation is refused: the driver and other
/// programs may take memory at any time. Calls `clean_up` before each retry. Returns the first refusal
/// if all attempts are refused.
fn retry_with_less<T>(
    bytes: u64,
    clean_up: impl Fn(),
    attempt: impl Fn(u64) -> Result<T>,
) -> Result<T> {
    let refusal = match attempt(bytes) {
        Err(error) if is_refusal(&error) => error,
        other => return other,
    };
    for share in SHARES {
        clean_up();
        match attempt(bytes / share) {
            Err(error) if is_refusal(&error) => {}
            other => return other,
        }
    }
    Err(refusal)
}

fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Device(equipoise_schedule::Error::OutOfMemory { .. }))
}

/// Solves all pairs in `on_device` bytes of the device's memory.
fn solve_in<T: DeviceLength>(
    graph: &GpuGraph,
    options: &ApspOptions,
    output: &ApspOutput,
    on_device: u64,
) -> Result<Apsp> {
    let host_graph = graph.graph;
    let equal_weights = rows::equal_weight::<T>(host_graph).is_some();
    let choice = choice::GPU.choose(host_graph, options, equal_weights, || {
        method(graph, options, ApspStrategy::Blocked, on_device).is_ok()
    });
    let strategy = choice.strategy;
    let method = method(graph, options, strategy, on_device)?;
    let shape = Shape::new(host_graph, options.row_count(host_graph));
    let (needed, available) = (shape.bytes::<T>(options.next_hops, output), memory::available());
    let too_big = || {
        let what = options.describe(host_graph, strategy);
        equipoise_graph::Error::OutOfMemory { what, needed, available }
    };
    if needed > available {
        return Err(too_big().into());
    }
    let mut tables = shape.tables::<T>(options.next_hops, output, too_big)?;
    let (panels, times) = match method {
        Method::Empty => (1, Times::default()),
        Method::Searches(at_once) => {
            let sources = options.row_sources(host_graph);
            let progress = output.progress;
            (1, by_searches::solve(graph, &sources, at_once, &mut tables, progress)?)
        }
        Method::Whole if strategy == ApspStrategy::Naive => {
            (1, solve_whole(graph, naive::naive, &mut tables)?)
        }
        Method::Whole => (1, solve_whole(graph, blocked::blocked, &mut tables)?),
        Method::Strips(rows) => {
            let stopwatch = graph.gpu.stopwatch();
            let (panels, times) =
                streamed::solve(&graph.gpu, host_graph, rows, &mut tables, output.progress)?;
            (panels, Times { compile: stopwatch.compiled(), ..times })
        }
    };
    Ok(Apsp { panels, ..Apsp::new(host_graph, options, choice, tables, times) })
}

/// The method of a strategy in `available` bytes of the device's memory. Fails where none fits.
fn method(
    graph: &GpuGraph,
    options: &ApspOptions,
    strategy: ApspStrategy,
    available: u64,
) -> Result<Method> {
    let (gpu, vertices, with_hops) = (&graph.gpu, graph.vertices(), options.next_hops);
    let wanted = options.row_count(graph.graph);
    if vertices == 0 || wanted == 0 {
        return Ok(Method::Empty);
    }
    if strategy == ApspStrategy::Sssp {
        let most = options.searches_at_once;
        return by_searches::searches_at_once(graph, most, wanted, with_hops, available)
            .map(Method::Searches);
    }
    let needed = whole_bytes(graph, with_hops);
    let lengths = u64::from(vertices.next_multiple_of(MULTIPLE)).pow(2);
    let most_lengths = (gpu.properties().largest_buffer / 4).min(MOST_LENGTHS);
    if needed <= available && lengths <= most_lengths {
        return Ok(Method::Whole);
    }
    // A small matrix takes less memory as a whole than in strips with their blocks.
    if strategy == ApspStrategy::Blocked && streamed::least_bytes(gpu, vertices, with_hops) < needed
    {
        return streamed::rows_of_strip(gpu, vertices, with_hops, available).map(Method::Strips);
    }
    Err(equipoise_schedule::Error::OutOfMemory {
        what: format!("all pairs of {vertices} vertices"),
        needed,
        available: available.min(gpu.properties().largest_buffer).min(4 * MOST_LENGTHS),
    }
    .into())
}

/// The bytes of the whole matrix, the edges it is made of and the panels of a block.
fn whole_bytes(graph: &GpuGraph, with_hops: bool) -> u64 {
    let (gpu, vertices) = (&graph.gpu, graph.vertices());
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    strip_bytes(gpu, vertices, side, with_hops)
        .saturating_add(graph.bytes_missing(true))
        .saturating_add(block::block_bytes(gpu, side))
        .saturating_add(block::column_bytes(gpu, side, with_hops))
}

/// Floyd-Warshall by `close`, with the whole matrix in the GPU's memory.
fn solve_whole<T: DeviceLength>(
    graph: &GpuGraph,
    close: impl Fn(&Strip<T>) -> Result<()>,
    tables: &mut Tables<T>,
) -> Result<Times> {
    let (gpu, with_hops) = (&graph.gpu, tables.hops.is_some());
    let stopwatch = gpu.stopwatch();
    graph.engine_graph()?;
    let (matrix, prepare) = timed_on(gpu, || Strip::from_graph(graph, with_hops));
    let (matrix, upload) = (matrix?, graph.upload_time(true));
    let (closed, kernel) = timed_on(gpu, || close(&matrix));
    closed?;
    let all = 0..graph.vertices() as usize;
    let (taken, download) = timed_on(gpu, || matrix.take(tables, all, 0, T::in_result));
    taken?;
    let compile = stopwatch.compiled();
    Ok(Times { upload, prepare, compile, kernel, download, ..Times::default() })
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    fn refusal(available: u64) -> Error {
        equipoise_schedule::Error::OutOfMemory { what: "rows".into(), needed: 99, available }.into()
    }

    #[test]
    fn refusals_are_retried_with_less() {
        let attempts = RefCell::new(Vec::new());
        let clean_ups = Cell::new(0);
        let clean_up = || clean_ups.set(clean_ups.get() + 1);
        let attempt = |most: u64| {
            retry_with_less(80, clean_up, |bytes| {
                attempts.borrow_mut().push(bytes);
                if bytes > most { Err(refusal(bytes)) } else { Ok(bytes) }
            })
        };
        assert_eq!(attempt(100).unwrap(), 80);
        assert_eq!(attempt(25).unwrap(), 20);
        assert_eq!(attempt(5).unwrap_err().to_string(), refusal(80).to_string());
        assert_eq!(attempts.take(), [80, 80, 40, 20, 80, 40, 20, 10]);
        assert_eq!(clean_ups.get(), 2 + 3);
    }

    #[test]
    fn other_failures_are_not_retried() {
        let clean_up = || panic!("retries");
        let failed = retry_with_less(80, clean_up, |_| -> Result<()> {
            Err(Error::Shape("a cycle".into()))
        });
        assert!(matches!(failed, Err(Error::Shape(_))));
    }
}
