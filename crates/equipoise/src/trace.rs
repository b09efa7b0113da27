//! The trace of a run, by levels or iterations.

use std::{borrow::Cow, time::Duration};

/// One level of a search, or one iteration of another algorithm.
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
    /// The strategy of the step.
    pub strategy: Cow<'static, str>,
    /// The vertices worked on.
    pub frontier: u64,
    /// The edges looked at.
    pub edges: u64,
    /// The vertices found, improved or finished.
    pub found: u64,
    /// The iterations within the step; 1 for most strategies.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub sub_steps: u32,
    /// The time of the step.
    #[cfg_attr(feature = "serde", serde(rename = "seconds", with = "crate::seconds"))]
    pub time: Duration,
}

impl Step {
    /// A step with all counts at zero.
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
