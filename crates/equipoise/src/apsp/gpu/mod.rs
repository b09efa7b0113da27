//! All pairs on a GPU.

mod block;
mod blocked;
mod by_searches;
mod edges;
mod length;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod matrix;
mod naive;
mod panels;
mod pieces;
mod product;
mod searches;
mod streamed;
mod with_hops;

use equipoise_graph::{Weights, memory};

use super::{
    Apsp, ApspOptions, ApspOutput, ApspStrategy, choice,
    output::{Shape, Tables},
    plan, rows,
};
use crate::{Error, Result, Times, gpu_graph::GraphOnGpu, sssp::check_weights, times::timed_on};
use length::DeviceLength;
use matrix::{MOST_LENGTHS, MULTIPLE, Strip, strip_bytes};

/// What a device's memory is divided by where some of it is refused.
const SHARES: [u64; 3] = [2, 4, 8];

/// All pairs, on a GPU.
pub(crate) fn apsp(there: &GraphOnGpu, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
    let graph = there.graph;
    graph.check_fits_device()?;
    check_weights(graph)?;
    plan::check_options(graph, options)?;
    match graph.weights() {
        Some(Weights::F64(_)) => Err(Error::weights_of_64_bits()),
        Some(Weights::F32(_)) => solve::<f32>(there, options, output)?.without_overflow(graph),
        Some(Weights::U32(weights)) if !plan::fits_u32(graph.vertices(), weights) => {
            Err(Error::too_far_for_gpu("the longest path that there may be".into()))
        }
        _ => solve::<u32>(there, options, output),
    }
}

/// How the work is done in the memory there is.
enum Method {
    /// Nothing is to be done.
    Empty,
    /// So many searches at once.
    Searches(u32),
    /// With all of the matrix on the device.
    Whole,
    /// In strips of so many rows.
    Strips(u32),
}

fn solve<T: DeviceLength>(
    there: &GraphOnGpu,
    options: &ApspOptions,
    output: &ApspOutput,
) -> Result<Apsp> {
    let gpu = &there.gpu;
    let on_device = gpu.memory().available().min(options.memory_limit.unwrap_or(u64::MAX));
    let solve = |on_device| solve_in::<T>(there, options, output, on_device);
    with_less_where_refused(on_device, || gpu.clean_up(), solve)
}

/// Tries with less and less of the device's memory while some that seemed to be there is refused:
/// its driver and other programs take what they need when they need it. Calls `clean_up` before it
/// tries again. Tells what was refused first.
fn with_less_where_refused<T>(
    bytes: u64,
    clean_up: impl Fn(),
    attempt: impl Fn(u64) -> Result<T>,
) -> Result<T> {
    let refused = match attempt(bytes) {
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
    Err(refused)
}

fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Device(equipoise_schedule::Error::OutOfMemory { .. }))
}

/// Solves it in so many bytes of the device's memory.
fn solve_in<T: DeviceLength>(
    there: &GraphOnGpu,
    options: &ApspOptions,
    output: &ApspOutput,
    on_device: u64,
) -> Result<Apsp> {
    let (gpu, graph) = (&there.gpu, there.graph);
    let equal_weights = rows::equal_weight::<T>(graph).is_some();
    let choice = choice::GPU.choose(graph, options, equal_weights, || {
        method::<T>(there, options, ApspStrategy::Blocked, on_device).is_ok()
    });
    let strategy = choice.strategy;
    let method = method::<T>(there, options, strategy, on_device)?;
    let shape = Shape::of(graph, plan::row_count(graph, options));
    let (needed, available) = (shape.bytes::<T>(options.next_hops, output), memory::available());
    let too_big = || {
        let what = plan::in_words(graph, options, strategy);
        equipoise_graph::Error::OutOfMemory { what, needed, available }
    };
    if needed > available {
        return Err(too_big().into());
    }
    let mut tables = shape.tables::<T>(options.next_hops, output, too_big)?;
    let (panels, times) = match method {
        Method::Empty => (1, Times::default()),
        Method::Searches(at_once) => {
            let sources = plan::sources(graph, options);
            let progress = output.progress;
            (1, by_searches::solve(there, &sources, at_once, &mut tables, progress)?)
        }
        Method::Whole if strategy == ApspStrategy::Naive => {
            (1, whole(there, naive::naive, &mut tables)?)
        }
        Method::Whole => (1, whole(there, blocked::blocked, &mut tables)?),
        Method::Strips(rows) => {
            let stopwatch = gpu.stopwatch();
            let (panels, times) = streamed::solve(gpu, graph, rows, &mut tables, output.progress)?;
            (panels, Times { compile: stopwatch.compiled(), ..times })
        }
    };
    Ok(Apsp { panels, ..Apsp::of(graph, options, choice, tables, times) })
}

/// How a strategy does it with so many bytes of the device's memory. Fails where it cannot.
fn method<T: DeviceLength>(
    there: &GraphOnGpu,
    options: &ApspOptions,
    strategy: ApspStrategy,
    available: u64,
) -> Result<Method> {
    let (gpu, graph) = (&there.gpu, there.graph);
    let (vertices, with_hops) = (graph.vertices(), options.next_hops);
    let wanted = plan::row_count(graph, options);
    if vertices == 0 || wanted == 0 {
        return Ok(Method::Empty);
    }
    let whole = whole_bytes(there, with_hops);
    let fits = fits(there, whole, available);
    // Of few vertices the whole matrix takes less than a strip of it with what it passes through.
    let streams = strategy == ApspStrategy::Blocked
        && streamed::least_bytes(gpu, vertices, with_hops) < whole;
    match strategy {
        ApspStrategy::Sssp => {
            let at_once = by_searches::searches_at_once(
                there,
                options.searches_at_once,
                wanted,
                with_hops,
                available,
            );
            at_once.map(Method::Searches)
        }
        _ if fits => Ok(Method::Whole),
        _ if !streams => Err(equipoise_schedule::Error::OutOfMemory {
            what: format!("all pairs of {vertices} vertices"),
            needed: whole,
            available: available.min(gpu.properties().largest_buffer).min(4 * MOST_LENGTHS),
        }
        .into()),
        _ => streamed::rows_of_strip(gpu, vertices, with_hops, available).map(Method::Strips),
    }
}

/// The bytes that the whole matrix takes, the edges it is made of and the panels of a block.
fn whole_bytes(there: &GraphOnGpu, with_hops: bool) -> u64 {
    let (gpu, vertices) = (&there.gpu, there.graph.vertices());
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    strip_bytes(gpu, vertices, side, with_hops)
        .saturating_add(there.bytes_missing(true))
        .saturating_add(block::block_bytes(gpu, side))
        .saturating_add(block::column_bytes(gpu, side, with_hops))
}

/// Whether the GPU has memory for the whole matrix, and can number it.
fn fits(there: &GraphOnGpu, whole: u64, available: u64) -> bool {
    let lengths = u64::from(there.graph.vertices().next_multiple_of(MULTIPLE)).pow(2);
    whole <= available && lengths <= (there.gpu.properties().largest_buffer / 4).min(MOST_LENGTHS)
}

/// Floyd-Warshall by `close`, with the whole matrix in the GPU's memory.
fn whole<T: DeviceLength>(
    there: &GraphOnGpu,
    close: impl Fn(&Strip<T>) -> Result<()>,
    tables: &mut Tables<T>,
) -> Result<Times> {
    let (gpu, with_hops) = (&there.gpu, tables.hops.is_some());
    let stopwatch = gpu.stopwatch();
    let graph = there.get()?;
    let (matrix, prepare) = timed_on(gpu, || Strip::of_graph(graph, with_hops));
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
    fn what_is_refused_is_tried_with_less() {
        let tried = RefCell::new(Vec::new());
        let cleaned = Cell::new(0);
        let clean_up = || cleaned.set(cleaned.get() + 1);
        let attempt = |most: u64| {
            with_less_where_refused(80, clean_up, |bytes| {
                tried.borrow_mut().push(bytes);
                if bytes > most { Err(refusal(bytes)) } else { Ok(bytes) }
            })
        };
        assert_eq!(attempt(100).unwrap(), 80);
        assert_eq!(attempt(25).unwrap(), 20);
        assert_eq!(attempt(5).unwrap_err().to_string(), refusal(80).to_string());
        assert_eq!(tried.take(), [80, 80, 40, 20, 80, 40, 20, 10]);
        assert_eq!(cleaned.get(), 2 + 3);
    }

    #[test]
    fn other_failures_are_told_at_once() {
        let clean_up = || panic!("tries again");
        let failed = with_less_where_refused(80, clean_up, |_| -> Result<()> {
            Err(Error::Shape("a circle".into()))
        });
        assert!(matches!(failed, Err(Error::Shape(_))));
    }
}
