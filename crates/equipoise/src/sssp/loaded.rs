//! Shortest paths in a graph on a device.

use super::{SsspCandidate, SsspOptions, SsspSearch, on_gpu, sssp};
#[cfg(doc)]
use crate::Error;
use crate::{LoadedGraph, Result, tree::check_vertex};

impl LoadedGraph<'_> {
    /// Finds shortest paths from `source` to every vertex, as [`sssp`](crate::sssp::sssp()) does.
    ///
    /// CUDA supports weights of 64 bits (`f64`) with the strategies `auto` and `near-far`; other GPUs do not.
    ///
    /// Fails as that does, and where the device does not have the strategy, or no memory for it or for the graph, where a
    /// distance needs more than a GPU's 32 bits, and where a GPU does not support the weights
    /// ([`Error::WeightsTooWide`]).
    pub fn sssp(&self, source: u32, options: &SsspOptions) -> Result<SsspSearch<'_>> {
        self.run(
            |graph| on_gpu(graph, source, options),
            || {
                let options = self.chosen_on_cpu(source, options)?;
                Ok(SsspSearch::on_host(self.graph, sssp(self.graph, source, &options)?))
            },
        )
    }

    /// The options with the choice of the model, if any.
    fn chosen_on_cpu(&self, source: u32, options: &SsspOptions) -> Result<SsspOptions> {
        let Some(model) = options.chooser("cpu")? else { return Ok(options.clone()) };
        check_vertex(self.graph, source)?;
        let search = (self.graph, self.shape()?, source);
        options.chosen_by(model, search, &SsspCandidate::of_cpu(), |_| true)
    }
}
