//! The steps of a run, on one rank and on all.

use std::{borrow::Cow, time::Duration};

use crate::{Comm, Reduction};

/// One step of an algorithm.
///
/// ```
/// use equipoise_cluster::Step;
///
/// let step = Step { active: 3, ..Step::new("push") };
/// assert_eq!((step.name, step.bytes), ("push".into(), 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The number of active vertices.
    pub active: u64,
    /// The number of examined edges.
    pub edges: u64,
    /// The bytes sent to other ranks.
    pub bytes: u64,
    /// The time in calls that wait for other ranks, including the transfer.
    pub waited: Duration,
    /// The time of the step, including the wait.
    pub time: Duration,
}

impl Step {
    /// An empty step.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Step::new("pull").edges, 0);
    /// ```
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        let (waited, time) = (Duration::ZERO, Duration::ZERO);
        Self { name: name.into(), active: 0, edges: 0, bytes: 0, waited, time }
    }
}

/// All steps of a run, in order.
///
/// ```
/// use equipoise_cluster::{Step, Trace};
///
/// let trace = Trace { steps: vec![Step { bytes: 4, ..Step::new("push") }] };
/// assert_eq!(trace.bytes(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The bytes of all steps.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Trace::default().bytes(), 0);
    /// ```
    pub fn bytes(&self) -> u64 {
        self.steps.iter().map(|step| step.bytes).sum()
    }

    /// The examined edges of all steps.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Trace::default().edges(), 0);
    /// ```
    pub fn edges(&self) -> u64 {
        self.steps.iter().map(|step| step.edges).sum()
    }

    /// The time of all steps.
    ///
    /// ```
    /// assert!(equipoise_cluster::Trace::default().time().is_zero());
    /// ```
    pub fn time(&self) -> std::time::Duration {
        self.steps.iter().map(|step| step.time).sum()
    }

    /// The trace of all ranks: sums of vertices, edges and bytes, and the times of the slowest rank. All ranks make the same
    /// steps.
    ///
    /// ```
    /// use equipoise_cluster::{Step, Trace, run_threads};
    ///
    /// let of_a_rank = Trace { steps: vec![Step { bytes: 4, ..Step::new("push") }] };
    /// let together = run_threads(3, 64, |comm| of_a_rank.together(comm).bytes());
    /// assert_eq!(together, [12; 3]);
    /// ```
    pub fn together(&self, comm: &dyn Comm) -> Trace {
        let counts = |step: &Step| [step.active, step.edges, step.bytes];
        let mut sums: Vec<u64> = self.steps.iter().flat_map(counts).collect();
        comm.all_reduce(&mut sums, Reduction::Sum);
        let times = |step: &Step| [nanoseconds(step.waited), nanoseconds(step.time)];
        let mut longest: Vec<u64> = self.steps.iter().flat_map(times).collect();
        comm.all_reduce(&mut longest, Reduction::Max);
        let parts = sums.as_chunks::<3>().0.iter().zip(longest.as_chunks::<2>().0);
        let steps = self.steps.iter().zip(parts).map(|(step, (sums, longest))| Step {
            name: step.name.clone(),
            active: sums[0],
            edges: sums[1],
            bytes: sums[2],
            waited: Duration::from_nanos(longest[0]),
            time: Duration::from_nanos(longest[1]),
        });
        Trace { steps: steps.collect() }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
