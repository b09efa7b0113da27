//! What happened, level by level or iteration by iteration.

use std::{borrow::Cow, time::Duration};

/// One level of a search, or one iteration of an algorithm that has them.
///
/// ```
/// use equipoise::Step;
///
/// let step = Step { frontier: 1, edges: 3, found: 2, ..Step::new(0, "push") };
/// assert_eq!(step.strategy, "push");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// The level or iteration, counted from 0; for delta-stepping the bucket.
    pub index: u32,
    /// How the work was done.
    pub strategy: Cow<'static, str>,
    /// The vertices worked on.
    pub frontier: u64,
    /// The edges looked at.
    pub edges: u64,
    /// The vertices found, improved or finished.
    pub found: u64,
    /// The iterations within the step, where a strategy makes several of it; 1 otherwise.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub sub_steps: u32,
    /// How long it took.
    #[cfg_attr(feature = "serde", serde(rename = "seconds", with = "crate::seconds"))]
    pub time: Duration,
}

impl Step {
    /// A step in which nothing has happened yet.
    pub fn new(index: u32, strategy: impl Into<Cow<'static, str>>) -> Self {
        let strategy = strategy.into();
        let (frontier, edges, found, sub_steps) = (0, 0, 0, 1);
        Self { index, strategy, frontier, edges, found, sub_steps, time: Duration::ZERO }
    }
}

#[cfg(feature = "serde")]
fn one() -> u32 {
    1
}

/// All steps of a run, in order.
///
/// ```
/// use equipoise::{Step, Trace};
///
/// let trace = Trace { steps: vec![Step { edges: 4, ..Step::new(0, "push") }] };
/// assert_eq!(trace.edges(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The edges looked at in all steps.
    pub fn edges(&self) -> u64 {
        self.steps.iter().map(|step| step.edges).sum()
    }
}
