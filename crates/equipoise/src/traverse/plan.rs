//! Which strategy each turn of a search gets.

use super::options::Way;
use crate::{Error, Result, Trace};

/// A strategy for each turn of a search on a GPU: from some turns on, another one.
///
/// ```
/// use equipoise::{TurnPlan, Way};
///
/// let plan: TurnPlan = "0 node\n2 pull\n4 merge-path\n".parse()?;
/// assert_eq!((plan.way(0), plan.way(3), plan.way(9)), (Way::Node, Way::Pull, Way::MergePath));
/// assert_eq!(TurnPlan::from(Way::Edge).to_string(), "0 edge\n");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Turns"))]
pub struct TurnPlan {
    /// The first turn of each strategy, ascending from 0.
    turns: Vec<(u32, Way)>,
}

/// A plan as it is read, which may be none.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Turns {
    turns: Vec<(u32, Way)>,
}

#[cfg(feature = "serde")]
impl TryFrom<Turns> for TurnPlan {
    type Error = Error;

    fn try_from(plan: Turns) -> Result<Self> {
        Self::of_ways(plan.turns.into_iter().map(Ok))
    }
}

impl TurnPlan {
    /// The strategy of a turn, counted from 0: a level of BFS, an iteration of SSSP.
    pub fn way(&self, turn: u32) -> Way {
        let after = self.turns.partition_point(|&(first, _)| first <= turn);
        self.turns[after - 1].1
    }

    /// The strategies in it, some perhaps several times.
    pub fn ways(&self) -> impl Iterator<Item = Way> {
        self.turns.iter().map(|&(_, way)| way)
    }

    /// The plan by which a search went that left this trace.
    ///
    /// Fails where a step of it is not of a strategy that a plan can have.
    ///
    /// ```
    /// use equipoise::{Step, Trace, TurnPlan, Way};
    ///
    /// let steps = vec![Step::new(0, "node"), Step::new(1, "node"), Step::new(2, "pull")];
    /// let plan = TurnPlan::of_trace(&Trace { steps })?;
    /// assert_eq!(plan.to_string(), "0 node\n2 pull\n");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn of_trace(trace: &Trace) -> Result<Self> {
        let steps = trace.steps.iter().map(|step| (step.index, &step.strategy[..]));
        Self::of_names(steps)
    }

    fn of_names<'a>(names: impl Iterator<Item = (u32, &'a str)>) -> Result<Self> {
        Self::of_ways(names.map(|(turn, name)| match name.parse() {
            Ok(way) => Ok((turn, way)),
            Err(error) => Err(Error::Option(format!("{error}"))),
        }))
    }

    fn of_ways(ways: impl Iterator<Item = Result<(u32, Way)>>) -> Result<Self> {
        let mut turns: Vec<(u32, Way)> = Vec::new();
        let mut previous = None;
        for turn_and_way in ways {
            let (turn, way) = turn_and_way?;
            let problem = match previous.replace(turn) {
                None if turn > 0 => format!("a plan starts at turn 0, this one at turn {turn}"),
                Some(last) if turn <= last => {
                    format!("the turns of a plan ascend: {turn} comes after {last}")
                }
                _ => String::new(),
            };
            if !problem.is_empty() {
                return Err(Error::Option(problem));
            }
            if turns.last().is_none_or(|&(_, last)| last != way) {
                turns.push((turn, way));
            }
        }
        match turns.is_empty() {
            true => Err(Error::Option("a plan needs a strategy for turn 0".into())),
            false => Ok(Self { turns }),
        }
    }
}

impl From<Way> for TurnPlan {
    fn from(way: Way) -> Self {
        Self { turns: vec![(0, way)] }
    }
}

impl std::fmt::Display for TurnPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.turns.iter().try_for_each(|(turn, way)| writeln!(f, "{turn} {way}"))
    }
}

/// Lines of a turn and a strategy, which is that of all turns up to the next line's. Empty lines
/// and those that start with `#` are skipped.
impl std::str::FromStr for TurnPlan {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let lines = text.lines().map(str::trim);
        let lines = lines.zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let mut names = Vec::new();
        for (line, number) in lines {
            let words = line.split_once(char::is_whitespace);
            let Some((Ok(turn), name)) = words.map(|(turn, name)| (turn.parse(), name.trim()))
            else {
                return Err(Error::Option(format!(
                    "line {number} of the plan: `{line}` is no turn and strategy, such as `3 pull`"
                )));
            };
            names.push((turn, name));
        }
        Self::of_names(names.into_iter())
    }
}
