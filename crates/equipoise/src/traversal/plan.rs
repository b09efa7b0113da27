//! Plans: a strategy for each iteration of a search.

use super::options::Strategy;
use crate::{Error, Result, Trace};

/// A strategy for each iteration of a search on a GPU, as a list of iterations at which it changes.
///
/// ```
/// use equipoise::traversal::{IterationPlan, Strategy};
///
/// let plan: IterationPlan = "0 node\n2 pull\n4 merge-path\n".parse()?;
/// assert_eq!((plan.strategy(0), plan.strategy(3), plan.strategy(9)), (Strategy::Node, Strategy::Pull, Strategy::MergePath));
/// assert_eq!(IterationPlan::from(Strategy::Edge).to_string(), "0 edge\n");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PlanSteps"))]
pub struct IterationPlan {
    /// The first iteration of each strategy, ascending from 0.
    steps: Vec<(u32, Strategy)>,
}

/// A plan as it is deserialized, not yet validated.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct PlanSteps {
    steps: Vec<(u32, Strategy)>,
}

#[cfg(feature = "serde")]
impl TryFrom<PlanSteps> for IterationPlan {
    type Error = Error;

    fn try_from(plan: PlanSteps) -> Result<Self> {
        Self::of_strategies(plan.steps.into_iter().map(Ok))
    }
}

impl IterationPlan {
    /// The strategy of an iteration, counted from 0: a level of BFS, a round of SSSP.
    pub fn strategy(&self, iteration: u32) -> Strategy {
        let after = self.steps.partition_point(|&(first, _)| first <= iteration);
        self.steps[after - 1].1
    }

    /// Its strategies, in order and with repetitions.
    pub fn strategies(&self) -> impl Iterator<Item = Strategy> {
        self.steps.iter().map(|&(_, strategy)| strategy)
    }

    /// The plan that repeats the strategies of a trace.
    ///
    /// Fails where a plan cannot have the strategy of a step.
    ///
    /// ```
    /// use equipoise::{Step, Trace, traversal::{IterationPlan, Strategy}};
    ///
    /// let steps = vec![Step::new(0, "node"), Step::new(1, "node"), Step::new(2, "pull")];
    /// let plan = IterationPlan::of_trace(&Trace { steps })?;
    /// assert_eq!(plan.to_string(), "0 node\n2 pull\n");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn of_trace(trace: &Trace) -> Result<Self> {
        let steps = trace.steps.iter().map(|step| (step.index, &step.strategy[..]));
        Self::of_names(steps)
    }

    fn of_names<'a>(names: impl Iterator<Item = (u32, &'a str)>) -> Result<Self> {
        Self::of_strategies(names.map(|(iteration, name)| match name.parse::<Strategy>() {
            Ok(strategy) if !strategy.is_step() => {
                Err(Error::Option(format!("the strategy `{strategy}` is not for one iteration")))
            }
            Ok(strategy) => Ok((iteration, strategy)),
            Err(error) => Err(Error::Option(format!("{error}"))),
        }))
    }

    fn of_strategies(strategies: impl Iterator<Item = Result<(u32, Strategy)>>) -> Result<Self> {
        let mut steps: Vec<(u32, Strategy)> = Vec::new();
        let mut previous = None;
        for step in strategies {
            let (iteration, strategy) = step?;
            let problem = match previous.replace(iteration) {
                None if iteration > 0 => {
                    format!("a plan starts at iteration 0, this one at iteration {iteration}")
                }
                Some(last) if iteration <= last => {
                    format!("the iterations of a plan ascend: {iteration} comes after {last}")
                }
                _ => String::new(),
            };
            if !problem.is_empty() {
                return Err(Error::Option(problem));
            }
            if steps.last().is_none_or(|&(_, last)| last != strategy) {
                steps.push((iteration, strategy));
            }
        }
        if steps.is_empty() {
            return Err(Error::Option("a plan needs a strategy for iteration 0".into()));
        }
        Ok(Self { steps })
    }
}

impl From<Strategy> for IterationPlan {
    fn from(strategy: Strategy) -> Self {
        Self { steps: vec![(0, strategy)] }
    }
}

impl std::fmt::Display for IterationPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.steps
            .iter()
            .try_for_each(|(iteration, strategy)| writeln!(f, "{iteration} {strategy}"))
    }
}

/// Each line has an iteration and the strategy from it up to the next line's iteration. Empty lines and those that
/// start with `#` are skipped.
impl std::str::FromStr for IterationPlan {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let lines = text.lines().map(str::trim);
        let lines = lines.zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let mut names = Vec::new();
        for (line, number) in lines {
            let words = line.split_once(char::is_whitespace);
            let Some((Ok(iteration), name)) =
                words.map(|(iteration, name)| (iteration.parse(), name.trim()))
            else {
                return Err(Error::Option(format!(
                    "line {number} of the plan: `{line}` is no iteration and strategy, such as `3 pull`"
                )));
            };
            names.push((iteration, name));
        }
        Self::of_names(names.into_iter())
    }
}
