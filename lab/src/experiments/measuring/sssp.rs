//! Times every strategy and width for shortest-path searches.

use equipoise::{
    LoadedGraph,
    device::OpenDevice,
    graph::{Graph, Weights},
    sssp::SsspCandidate,
};
use equipoise_cli::{sources, suite::Entry};
use rayon::prelude::*;

use super::{
    request::{Measure, Request, Runs, from_sources, too_large},
    step,
};
use crate::{
    experiments::{MeasuredSssp, Result, SsspMeasureOptions, measure_sssp},
    learn::{Schema, Step},
};

/// The maximum weights of the searches of a graph, in turn; the minimum is 1. With 1 all edges are
/// equal.
const GREATEST: [u32; 4] = [1000, 10, 1000, 1];
/// A candidate that is slower than the fastest by more than this factor is skipped in further
/// searches of the graph.
const HOPELESS: u32 = 20;

/// Measures searches with random weights, on a GPU or the cpu.
pub struct Searches {
    device: OpenDevice,
    options: SsspMeasureOptions,
    request: Request,
}

impl Searches {
    pub fn new(device: OpenDevice, request: &Request) -> Result<Self> {
        let candidates = request.select(&match device {
            OpenDevice::Cpu => SsspCandidate::of_cpu(),
            OpenDevice::Gpu(_) => SsspCandidate::of_gpu(),
        })?;
        let options = SsspMeasureOptions { candidates, repeat: request.repeat };
        Ok(Self { device, options, request: request.clone() })
    }

    /// Measures a search without hopeless candidates, and records new ones.
    fn step(
        &self,
        device_graph: &LoadedGraph,
        source: u32,
        hopeless: &mut [bool],
    ) -> equipoise::Result<Step> {
        let SsspMeasureOptions { candidates, repeat } = &self.options;
        let all = candidates.iter().zip(&*hopeless);
        let candidates = all.filter(|(_, hopeless)| !**hopeless).map(|(it, _)| *it).collect();
        let options = SsspMeasureOptions { candidates, repeat: *repeat };
        let MeasuredSssp { features, times, .. } = measure_sssp(device_graph, source, &options)?;
        let least = times.iter().flatten().min().copied();
        let mut times = times.into_iter().peekable();
        let all = hopeless.iter_mut().map(|hopeless| {
            let reason = || format!("over {HOPELESS} times the fastest in another search");
            let time = times.next_if(|_| !*hopeless).unwrap_or_else(|| Err(reason()));
            *hopeless |=
                matches!((&time, least), (Ok(time), Some(least)) if *time > HOPELESS * least);
            time
        });
        Ok(step::of_times(features, &all.collect::<Vec<_>>()))
    }
}

impl Measure for Searches {
    fn schema(&self) -> Schema {
        let candidates: Vec<String> =
            self.options.candidates.iter().map(SsspCandidate::to_string).collect();
        Schema::new(&SsspCandidate::feature_names(), &candidates)
    }

    fn runs(&self) -> Vec<String> {
        let greatest = GREATEST.iter().cycle();
        let named = from_sources(&self.request).into_iter().zip(greatest);
        named.map(|(name, greatest)| format!("{name} weights 1..{greatest}")).collect()
    }

    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>> {
        let mut graph = entry.load()?;
        let sources = sources::up_to(&graph, self.request.sources, self.request.seed);
        let searches: Vec<(u32, u32, String)> = sources
            .into_iter()
            .zip(GREATEST.iter().copied().cycle())
            .zip(self.runs())
            .map(|((source, greatest), name)| (greatest, source, name))
            .filter(|(_, _, name)| (runs.is_wanted)(name))
            .collect();
        let mut hopeless = vec![false; self.options.candidates.len()];
        for greatest in [1000, 10, 1] {
            let with_these = searches.iter().filter(|search| search.0 == greatest);
            if with_these.clone().next().is_none() {
                continue;
            }
            let weights = Weights::from(weights(&graph, greatest, self.request.seed));
            graph = graph.with_weights(Some(weights)).map_err(equipoise::Error::from)?;
            let device_graph = match LoadedGraph::new(&self.device, &graph) {
                Ok(device_graph) => device_graph,
                Err(error) => return too_large(error).map(Some),
            };
            for (_, source, name) in with_these {
                match self.step(&device_graph, *source, &mut hopeless) {
                    Ok(step) => (runs.record)(name, vec![step])?,
                    Err(error) => return too_large(error).map(Some),
                }
            }
        }
        Ok(None)
    }
}

/// A weight for each edge, from 1 to `greatest`; equal in both directions.
fn weights(graph: &Graph, greatest: u32, seed: u64) -> Vec<u32> {
    let of_vertex = |vertex: u32| {
        let weight = move |&other: &u32| {
            let (low, high) = (vertex.min(other), vertex.max(other));
            let ends = u64::from(low) << 32 | u64::from(high);
            1 + (mixed(ends ^ mixed(seed)) % u64::from(greatest)) as u32
        };
        graph.neighbors(vertex).par_iter().map(weight)
    };
    (0..graph.vertices()).into_par_iter().flat_map(of_vertex).collect()
}

/// Mixes the bits of a number: the finaliser of SplitMix64.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use equipoise::graph::{io::ReadOptions, load};

    use super::*;

    #[test]
    fn weights_are_in_range_and_alike_both_ways() {
        let graph = load("rmat:scale=8", &ReadOptions::default()).unwrap();
        let drawn = weights(&graph, 10, 1);
        assert_eq!(drawn.len() as u64, graph.edges());
        assert!((1..=10).all(|weight| drawn.contains(&weight)));
        assert!(drawn.iter().all(|weight| (1..=10).contains(weight)));
        let graph = graph.with_weights(Some(drawn.into())).unwrap();
        assert_eq!(graph.weights(), graph.transpose().unwrap().weights());
        assert!(weights(&graph, 1, 1).iter().all(|&weight| weight == 1));
    }
}
