//! All pairs on the cpu.

use equipoise_graph::{Error, Graph, memory};

use super::{
    Apsp, ApspOptions, ApspOutput, ApspStrategy, choice, floyd_warshall,
    length::Length,
    naive,
    output::{Shape, Tables},
    plan, rows,
    tile::Vectors,
    with_hops,
};
use crate::{Result, Times, times::timed};

/// Steps of Floyd-Warshall that are done together where next hops are wanted.
const BLOCK: usize = 64;

pub(super) fn solve<T: Length>(
    graph: &Graph,
    options: &ApspOptions,
    output: &ApspOutput,
) -> Result<Apsp> {
    let available = options.memory_limit.unwrap_or_else(memory::available);
    let equal_weight = rows::equal_weight::<T>(graph);
    let needed = |strategy| needed::<T>(graph, options, strategy, output);
    let choice = choice::CPU.choose(graph, options, equal_weight.is_some(), || {
        needed(ApspStrategy::Blocked) <= available
    });
    let strategy = choice.strategy;
    let too_big = || {
        let what = plan::in_words(graph, options, strategy);
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
    Ok(Apsp::of(graph, options, choice, tables, times))
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
            rows::rows(graph, &plan::sources(graph, options), equal_weight, lengths);
        }
        (ApspStrategy::Sssp, Some(hops)) => {
            rows::rows_and_hops(graph.transpose()?, equal_weight, lengths, hops);
        }
        (ApspStrategy::Naive, None) => naive::naive(graph, lengths),
        (ApspStrategy::Naive, Some(hops)) => with_hops::with_hops(graph, lengths, hops, 1),
        (ApspStrategy::Blocked | ApspStrategy::Auto, None) => {
            let vectors = Vectors::available();
            let widest = vectors.last().copied().unwrap_or(Vectors::Plain);
            floyd_warshall::floyd_warshall(graph, lengths, widest);
        }
        (ApspStrategy::Blocked | ApspStrategy::Auto, Some(hops)) => {
            with_hops::with_hops(graph, lengths, hops, BLOCK);
        }
    }
    Ok(())
}

/// The numbers of a result, and the room that a strategy needs to find them.
fn shape(graph: &Graph, options: &ApspOptions, strategy: ApspStrategy) -> Shape {
    let shape = Shape::of(graph, plan::row_count(graph, options));
    match (strategy, options.next_hops) {
        (ApspStrategy::Blocked | ApspStrategy::Auto, false) => {
            Shape { room: floyd_warshall::numbers(graph.vertices()), ..shape }
        }
        _ => shape,
    }
}

/// The bytes that a strategy needs, at most: what it finds, and what threads work with.
fn needed<T: Length>(
    graph: &Graph,
    options: &ApspOptions,
    strategy: ApspStrategy,
    output: &ApspOutput,
) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    let vertices = u64::from(graph.vertices());
    let length = size_of::<T>() as u64;
    let beside = match (strategy, options.next_hops) {
        (ApspStrategy::Sssp, _) => {
            let heap = graph.edges().saturating_mul(size_of::<T::HeapKey>() as u64);
            threads.saturating_mul(heap.max(vertices * size_of::<u32>() as u64))
        }
        (ApspStrategy::Naive, _) => vertices * length,
        (_, true) => BLOCK as u64 * vertices * length,
        (_, false) => threads * floyd_warshall::numbers_per_thread(graph.vertices()) * length,
    };
    let tables = shape(graph, options, strategy).bytes::<T>(options.next_hops, output);
    tables.saturating_add(beside)
}
