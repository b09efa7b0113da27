//! The time of every candidate for a search for shortest paths.

use std::time::Duration;

use crate::{
    Error, GraphOn, Result, Sssp, SsspCandidate, SsspOptions, learned,
    sssp::{feature_names, feature_values},
    tree::check_vertex,
};

/// What is measured of a search for shortest paths.
///
/// ```
/// use equipoise::{SsspCandidate, SsspMeasureOptions};
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
/// use equipoise::{GraphOn, MeasuredSssp, SsspCandidate, SsspMeasureOptions};
/// use equipoise::{device::Device, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
/// let there = GraphOn::upload(&Device::Cpu.open()?, &graph)?;
/// let options = SsspMeasureOptions { candidates: SsspCandidate::of_cpu(), repeat: 1 };
/// let measured = there.measure_sssp(0, &options)?;
/// assert_eq!(measured.features.len(), MeasuredSssp::feature_names().len());
/// assert!(measured.times.iter().all(Result::is_ok));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeasuredSssp {
    /// The features of the search, in the order of [`feature_names`](Self::feature_names).
    pub features: Vec<f32>,
    /// The median time of each candidate, or why there is no memory for it. Copying to and from
    /// the device and finding predecessors there are not in it.
    pub times: Vec<Result<Duration, String>>,
    /// What the first candidate found, verified. All others found the same distances.
    pub search: Sssp,
}

impl MeasuredSssp {
    /// The names of the features: of the graph's shape, and of its weights and the source.
    ///
    /// ```
    /// assert!(equipoise::MeasuredSssp::feature_names().contains(&"source_degree"));
    /// ```
    pub fn feature_names() -> Vec<&'static str> {
        feature_names()
    }
}

impl GraphOn<'_> {
    /// Searches from `source` by every candidate, and times that. A candidate that takes more than
    /// 20 times as long as the fastest before it is timed once.
    ///
    /// Fails where a candidate finds other distances than the first, which is verified, where
    /// there is no memory for any, and as [`sssp`](Self::sssp) does.
    pub fn measure_sssp(&self, source: u32, options: &SsspMeasureOptions) -> Result<MeasuredSssp> {
        let SsspMeasureOptions { candidates, repeat } = options;
        learned::check_measuring(candidates.len(), *repeat)?;
        check_vertex(self.graph, source)?;
        let mut first: Option<Sssp> = None;
        let mut times = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let options = candidate.options(self.graph, &SsspOptions::default());
            let search = || {
                let found = self.sssp(source, &options)?;
                let time = found.times.run();
                match &first {
                    Some(first) if first.distances == found.distances => {}
                    Some(_) => {
                        let message = format!("`{candidate}` finds other distances");
                        return Err(Error::Wrong(message));
                    }
                    None => {
                        found.verify(self.graph, &options)?;
                        first = Some(found);
                    }
                }
                Ok(time)
            };
            let least = learned::least(&times);
            times.push(learned::unless_too_large(learned::median_time(search, *repeat, least))?);
        }
        let reason = || times.iter().find_map(|time| time.as_ref().err().cloned());
        let search = first.ok_or_else(|| {
            Error::Option(format!("no candidate can run: {}", reason().unwrap_or_default()))
        })?;
        let features = feature_values(self.graph, self.shape()?, source);
        Ok(MeasuredSssp { features, times, search })
    }
}
