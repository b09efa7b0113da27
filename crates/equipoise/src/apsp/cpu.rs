//! All pairs on the cpu.

use equipoise_graph::{Error, Graph, Weights, memory};

use super::{
    choice, floyd_warshall,
    length::{Length, fits_u32},
    matrix,
    options::{ApspOptions, ApspStrategy},
    output::{ApspOutput, Shape, Tables},
    result::Apsp,
    rows,
    tile::Vectors,
    with_hops,
};
use crate::{Result, Times, times::timed, weights::check_weights};

/// Steps of Floyd-Warshall per block with next hops.
const BLOCK: usize = 64;

pub(super) fn apsp(graph: &Graph, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
    graph.check()?;
    check_weights(graph)?;
    options.check(graph)?;
    match graph.weights() {
        Some(Weights::U32(weights)) if !fits_u32(graph.vertices(), weights) => {
            solve::<u64>(graph, options, output)
        }
        None | Some(Weights::U32(_)) => solve::<u32>(graph, options, output),
        Some(Weights::F32(_)) => solve::<f32>(graph, options, output)?.without_overflow(graph),
        Some(Weights::F64(_)) => solve::<f64>(graph, options, output)?.without_overflow(graph),
    }
}

fn solve<T: Length>(graph: &Graph, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
    let available = memory::available().min(options.memory_limit.unwrap_or(u64::MAX));
    let equal_weight = rows::equal_weight::<T>(graph);
    let needed = |strategy| needed::<T>(graph, options, strategy, output);
    let choice = choice::CPU.choose(graph, options, equal_weight.is_some(), || {
        needed(ApspStrategy::Blocked) <= available
    });
    let strategy = choice.strategy;
    let too_big = || {
        let what = options.describe(graph, strategy);
        Error::OutOfMemory { what, needed: needed(strategy), available }
    };
    if needed(strategy) > available {
        return Err(too_big().into());
    }
    let shape = shape(graph, options, strategy);
    let mut tables = shape.tables(options.next_hops, output, too_big)?;
    let (filled, kernel) = timed(|| fill(graph, options, strategy, equal_weight, &mut tables));
    filled?;
    tables.lengths.truncate((shape.rows * shape.columns) as usize);
    let times = Times { kernel, ..Times::default() };
    Ok(Apsp::new(graph, options, choice, tables, times))
}

fn fill<T: Length>(
    graph: &Graph,
    options: &ApspOptions,
    strategy: ApspStrategy,
    equal_weight: Option<T>,
    Tables { lengths, hops }: &mut Tables<T>,
) -> Result<()> {
    match (strategy, hops) {
        (ApspStrategy::Sssp, None) => {
            rows::rows(graph, &options.row_sources(graph), equal_weight, lengths);
        }
        (ApspStrategy::Sssp, Some(hops)) => {
            rows::rows_and_hops(graph.transpose()?, equal_weight, lengths, hops);
        }
        (ApspStrategy::Naive, None) => matrix::naive(graph, lengths),
        (ApspStrategy::Naive, Some(hops)) => with_hops::with_hops(graph, lengths, hops, 1),
        (ApspStrategy::Blocked | ApspStrategy::Auto, None) => {
            floyd_warshall::floyd_warshall(graph, lengths, Vectors::widest());
        }
        (ApspStrategy::Blocked | ApspStrategy::Auto, Some(hops)) => {
            with_hops::with_hops(graph, lengths, hops, BLOCK);
        }
    }
    Ok(())
}

/// The shape of the result, with the working memory of a strategy.
fn shape(graph: &Graph, options: &ApspOptions, strategy: ApspStrategy) -> Shape {
    let shape = Shape::new(graph, options.row_count(graph));
    match (strategy, options.next_hops) {
        (ApspStrategy::Blocked | ApspStrategy::Auto, false) => {
            Shape { room: floyd_warshall::numbers(graph.vertices()), ..shape }
        }
        _ => shape,
    }
}

/// An upper bound on the bytes of a strategy: its tables, and the working memory of threads.
fn needed<T: Length>(
    graph: &Graph,
    options: &ApspOptions,
    strategy: ApspStrategy,
    output: &ApspOutput,
) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    let vertices = u64::from(graph.vertices());
    let length = size_of::<T>() as u64;
    let working_memory = match (strategy, options.next_hops) {
        (ApspStrategy::Sssp, _) => {
            let heap = graph.edges().saturating_mul(size_of::<T::HeapKey>() as u64);
            threads.saturating_mul(heap.max(vertices * size_of::<u32>() as u64))
        }
        (ApspStrategy::Naive, _) => vertices * length,
        (_, true) => BLOCK as u64 * vertices * length,
        (_, false) => threads * floyd_warshall::numbers_per_thread(graph.vertices()) * length,
    };
    let tables = shape(graph, options, strategy).bytes::<T>(options.next_hops, output);
    tables.saturating_add(working_memory)
}
