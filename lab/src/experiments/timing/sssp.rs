//! The time of every candidate for a search for shortest paths.

use std::time::Duration;

use equipoise::{
    Error, LoadedGraph, Result,
    sssp::{Sssp, SsspCandidate, SsspOptions},
};

use super::median::{check_measuring, least, median_time, unless_too_large};

/// What is measured of a search for shortest paths.
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
    /// What is timed.
    pub candidates: Vec<SsspCandidate>,
    /// How often each of them is timed, after one search that does not count.
    pub repeat: u32,
}

/// A search for shortest paths by every candidate.
///
/// ```
/// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspCandidate};
/// use equipoise_lab::experiments::{SsspMeasureOptions, measure_sssp};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
/// let there = LoadedGraph::new(&Device::Cpu.open()?, &graph)?;
/// let options = SsspMeasureOptions { candidates: SsspCandidate::of_cpu(), repeat: 1 };
/// let measured = measure_sssp(&there, 0, &options)?;
/// assert_eq!(measured.features.len(), SsspCandidate::feature_names().len());
/// assert!(measured.times.iter().all(Result::is_ok));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeasuredSssp {
    /// The features of the search, in the order of [`SsspCandidate::feature_names`].
    pub features: Vec<f32>,
    /// The median time of each candidate, or why there is no memory for it. Copying to and from
    /// the device and finding predecessors there are not in it.
    pub times: Vec<Result<Duration, String>>,
    /// What the first candidate found, verified. All others found the same distances.
    pub search: Sssp,
}

/// Searches from `source` by every candidate, and times that. A candidate that takes more than 20
/// times as long as the fastest before it is timed once.
///
/// Fails where a candidate finds other distances than the first, which is verified, where there is no
/// memory for any, and as [`LoadedGraph::sssp`] does.
pub fn measure_sssp(
    there: &LoadedGraph,
    source: u32,
    options: &SsspMeasureOptions,
) -> Result<MeasuredSssp> {
    let SsspMeasureOptions { candidates, repeat } = options;
    check_measuring(candidates.len(), *repeat)?;
    let graph = there.graph();
    let features = SsspCandidate::features(graph, there.shape()?, source)?;
    let mut first: Option<Sssp> = None;
    let mut times = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let options = candidate.options(graph, &SsspOptions::default());
        let search = || {
            let found = there.sssp(source, &options)?.download()?;
            let time = found.times.run();
            match &first {
                Some(first) if first.distances == found.distances => {}
                Some(_) => {
                    return Err(Error::Wrong(format!("`{candidate}` finds other distances")));
                }
                None => {
                    found.verify(graph, &options)?;
                    first = Some(found);
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
