//! Programs that search graphs, and their results.

use std::time::Duration;

use crate::{
    Result,
    measure::{Timed, alternate},
};

/// The problem to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The fewest edges to every vertex.
    Bfs,
    /// The shortest paths to every vertex.
    Sssp,
}

impl Algorithm {
    /// Both algorithms.
    pub const ALL: [Self; 2] = [Self::Bfs, Self::Sssp];

    /// The name: `bfs` or `sssp`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
        }
    }
}

/// The result of a search, as far as the program reports it.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The time of the search.
    pub time: Duration,
    /// The number of reached vertices.
    pub reached: u64,
    /// The sum of their levels or distances.
    pub total: Option<u64>,
}

/// A program with a loaded graph.
pub trait Contender {
    /// Its name.
    fn name(&self) -> &str;
    /// Searches from a vertex; fails if the program finds its own result wrong.
    fn search(&mut self, algorithm: Algorithm, source: u32) -> Result<Outcome>;
}

/// The time of each contender for a search: the mean over the sources of the median of its repeats.
/// All results must agree with the first contender's.
pub fn compare(
    contenders: &mut [Box<dyn Contender + '_>],
    algorithm: Algorithm,
    sources: &[u32],
    repeats: usize,
) -> Result<Vec<Duration>> {
    let mut sums = vec![Duration::ZERO; contenders.len()];
    for &source in sources {
        let expected = contenders[0].search(algorithm, source)?;
        let mut works: Vec<Timed> = contenders
            .iter_mut()
            .map(|contender| -> Timed {
                Box::new(move || {
                    let outcome = contender.search(algorithm, source)?;
                    agree(contender.name(), &outcome, &expected)?;
                    Ok(outcome.time)
                })
            })
            .collect();
        for (sum, median) in sums.iter_mut().zip(alternate(&mut works, repeats)?) {
            *sum += median;
        }
    }
    Ok(sums.into_iter().map(|sum| sum / sources.len() as u32).collect())
}

fn agree(name: &str, outcome: &Outcome, expected: &Outcome) -> Result<()> {
    let totals = outcome.total.zip(expected.total);
    if outcome.reached == expected.reached && totals.is_none_or(|(a, b)| a == b) {
        Ok(())
    } else {
        Err(format!("{name} found {outcome:?}, but equipoise {expected:?}").into())
    }
}
