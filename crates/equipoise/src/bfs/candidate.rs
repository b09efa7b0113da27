//! The candidates among which a model chooses.

use std::{fmt, str::FromStr};

use equipoise_select::{Model, features};

use crate::{
    Error, Result, learned,
    traversal::{Count, Strategy, TraversalSettings},
};

/// The sizes of groups among which a model chooses.
const GROUPS: [u32; 3] = [8, 16, 32];

/// A strategy for a level of BFS on a GPU, with the settings that it has.
///
/// ```
/// use equipoise::{bfs::Candidate, traversal::{Count, Strategy}};
///
/// let candidate: Candidate = "virtual-warp+plane+16".parse()?;
/// assert_eq!((candidate.strategy, candidate.count), (Strategy::VirtualWarp, Some(Count::Plane)));
/// assert_eq!("node".parse::<Candidate>()?.to_string(), "node");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The strategy.
    pub strategy: Strategy,
    /// How it counts the vertices it finds, if it passes over the whole graph.
    pub count: Option<Count>,
    /// The units of a group, if it has groups.
    pub group: Option<u32>,
}

impl Candidate {
    /// All candidates for a level of BFS, in the order of their strategies.
    ///
    /// ```
    /// use equipoise::bfs::Candidate;
    ///
    /// // Two fused ones, eleven with a worklist and one without counters, four over the whole graph with four counters
    /// // each, and virtual-warp with four counters and three sizes of groups.
    /// assert_eq!(Candidate::of_bfs().len(), 2 + 11 + 1 + 4 * 4 + 3 * 4);
    /// ```
    pub fn of_bfs() -> Vec<Self> {
        let strategies = Strategy::STEPS.iter().filter(|&&one| one != Strategy::TwoPhase);
        strategies.flat_map(|&strategy| Self::of_strategy(strategy)).collect()
    }

    /// The candidates for a level on the cpu: the two directions.
    ///
    /// ```
    /// assert_eq!(equipoise::bfs::Candidate::directions_of_cpu(), ["push", "pull"]);
    /// ```
    pub fn directions_of_cpu() -> [&'static str; 2] {
        super::direction::CANDIDATES
    }

    fn of_strategy(strategy: Strategy) -> Vec<Self> {
        let (counts, groups) = (counts(strategy), groups(strategy));
        let with = |count| groups.iter().map(move |&group| Self { strategy, count, group });
        counts.into_iter().flat_map(with).collect()
    }

    /// These settings, with those of the candidate.
    ///
    /// ```
    /// use equipoise::{bfs::Candidate, traversal::TraversalSettings};
    ///
    /// let candidate: Candidate = "virtual-warp+atomic+8".parse()?;
    /// assert_eq!(candidate.settings(&TraversalSettings::default()).warp_size, 8);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn settings(&self, base: &TraversalSettings) -> TraversalSettings {
        TraversalSettings {
            count: self.count.unwrap_or(base.count),
            warp_size: self.group.unwrap_or(base.warp_size),
            ..base.clone()
        }
    }

    /// A model for BFS, with the features of [`equipoise_select::features`] and the candidates of
    /// [`of_bfs`](Self::of_bfs), in their order.
    ///
    /// Fails where the model is for another algorithm, or has other features or candidates.
    ///
    /// ```
    /// use equipoise::{bfs::Candidate, explain::Explainable};
    ///
    /// let error = Candidate::align(&Explainable::Sssp.embedded_model(true)?).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `sssp`, not for `bfs`");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn align(model: &Model) -> Result<Model> {
        let names: Vec<String> = Self::of_bfs().iter().map(Self::to_string).collect();
        learned::align(model, "bfs", &features::NAMES, &names)
    }
}

fn counts(strategy: Strategy) -> Vec<Option<Count>> {
    match strategy {
        Strategy::Topology
        | Strategy::Pull
        | Strategy::EdgeTopology
        | Strategy::EdgeReverse
        | Strategy::VirtualWarp => Count::ALL.iter().copied().map(Some).collect(),
        _ => vec![None],
    }
}

fn groups(strategy: Strategy) -> Vec<Option<u32>> {
    match strategy {
        Strategy::VirtualWarp => GROUPS.map(Some).to_vec(),
        _ => vec![None],
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = self.strategy.to_string();
        name.extend(self.count.map(|count| format!("+{count}")));
        name.extend(self.group.map(|group| format!("+{group}")));
        f.pad(&name)
    }
}

impl FromStr for Candidate {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        learned::named(text, &Self::of_bfs())
    }
}
