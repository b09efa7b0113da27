//! What is checked before the work starts.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::{ApspOptions, ApspStrategy, length::MAX_U32_SUM};
use crate::{Error, Result, tree::check_vertex};

/// Whether no path can be too long for 32 bits.
pub(super) fn fits_u32(vertices: u32, weights: &[u32]) -> bool {
    let largest = weights.par_iter().max().copied().unwrap_or(0);
    u64::from(vertices.saturating_sub(1)) * u64::from(largest) <= MAX_U32_SUM
}

/// Refuses sources that are no vertices, and what does not go with them.
pub(super) fn check_options(graph: &Graph, options: &ApspOptions) -> Result<()> {
    let Some(sources) = &options.sources else { return Ok(()) };
    sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
    match options.strategy {
        ApspStrategy::Auto | ApspStrategy::Sssp => {}
        other => {
            return Err(Error::Option(format!(
                "rows of given sources are found by the strategy `sssp`, not by `{other}`"
            )));
        }
    }
    match options.next_hops {
        true => Err(Error::Option(
            "next hops lead from row to row: they need all rows, not those of given sources".into(),
        )),
        false => Ok(()),
    }
}

/// The sources of all rows.
pub(super) fn sources(graph: &Graph, options: &ApspOptions) -> Vec<u32> {
    options.sources.clone().unwrap_or_else(|| (0..graph.vertices()).collect())
}

/// How many rows there are.
pub(super) fn row_count(graph: &Graph, options: &ApspOptions) -> usize {
    options.sources.as_ref().map_or(graph.vertices() as usize, Vec::len)
}

/// What is asked for, in words, for what does not fit.
pub(super) fn in_words(graph: &Graph, options: &ApspOptions, strategy: ApspStrategy) -> String {
    match &options.sources {
        None => format!("{strategy} for all pairs of {} vertices", graph.vertices()),
        Some(sources) => {
            format!("{strategy} for {} rows of {} vertices", sources.len(), graph.vertices())
        }
    }
}
