//! Times every candidate for a shortest-path search.

use std::time::Duration;

use equipoise::{
    Error, LoadedGraph, Result,
    sssp::{Sssp, SsspCandidate, SsspOptions},
};

use super::median::{check_measuring, least, median_time, unless_too_large};

/// The parameters of a measurement of shortest-path search.
///
/// ```
/// use equipoise_lab::experiments::SsspMeasureOptions;
///
/// let candidates = vec!["near-far+32".parse()?, "node".parse()?];
/// let options = SsspMeasureOptions { candidates, repeat: 5 };
/// assert_eq!(options.candidates.len(), 2);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SsspMeasureOptions {
    /// The timed candidates.
    pub candidates: Vec<SsspCandidate>,
    /// The number of timed runs per candidate, after an untimed search.
    pub repeat: u32,
}

/// The times of every candidate for a shortest-path search.
///
/// ```
/// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspCandidate};
/// use equipoise_lab::experiments::{SsspMeasureOptions, measure_sssp};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
/// let loaded = LoadedGraph::new(&Device::Cpu.open()?, &graph)?;
/// let options = SsspMeasureOptions { candidates: SsspCandidate::of_cpu(), repeat: 1 };
/// let measured = measure_sssp(&loaded, 0, &options)?;
/// assert_eq!(measured.features.len(), SsspCandidate::feature_names().len());
/// assert!(measured.times.iter().all(Result::is_ok));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeasuredSssp {
    /// The features of the search, in the order of [`SsspCandidate::feature_names`].
    pub features: Vec<f32>,
    /// The median time of each candidate, or the reason why it has none; excluding copies to
    /// and from the device, and finding predecessors.
    pub times: Vec<Result<Duration, String>>,
    /// The verified result of the first candidate. All others found the same distances.
    pub search: Sssp,
}

/// Times a search from `source` by every candidate. A candidate that takes more than 20 times as
/// long as the fastest before it is timed once.
///
/// Fails if a candidate finds other distances than the first, which is verified, if no candidate
/// fits in memory, and as [`LoadedGraph::sssp`] does.
pub fn measure_sssp(
    device_graph: &LoadedGraph,
    source: u32,
    options: &SsspMeasureOptions,
) -> Result<MeasuredSssp> {
    let SsspMeasureOptions { candidates, repeat } = options;
    check_measuring(candidates.len(), *repeat)?;
    let graph = device_graph.graph();
    let features = SsspCandidate::features(graph, device_graph.shape()?, source)?;
    let mut first: Option<Sssp> = None;
    let mut times = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let options = candidate.options(graph, &SsspOptions::default());
        let search = || {
            let search = device_graph.sssp(source, &options)?.download()?;
            let time = search.times.run();
            match &first {
                Some(first) if first.distances == search.distances => {}
                Some(_) => {
                    return Err(Error::Wrong(format!("`{candidate}` finds other distances")));
                }
                None => {
                    search.verify(graph, &options)?;
                    first = Some(search);
                }
            }
            Ok(time)
        };
        let least = least(&times);
        times.push(unless_too_large(median_time(search, *repeat, least))?);
    }
    let reason = || times.iter().find_map(|time| time.as_ref().err().cloned());
    let search = first.ok_or_else(|| {
        Error::Option(format!("no candidate can run: {}", reason().unwrap_or_default()))
    })?;
    Ok(MeasuredSssp { features, times, search })
}
