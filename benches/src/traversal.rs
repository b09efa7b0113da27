//! Programs that search graphs, and what they find.

use std::time::Duration;

use crate::{
    Result,
    measure::{Timed, alternate},
};

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The fewest edges to every vertex.
    Bfs,
    /// The shortest paths to every vertex.
    Sssp,
}

impl Algorithm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Bfs, Self::Sssp];

    /// `bfs` or `sssp`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
        }
    }
}

/// What a search found, as far as the program says.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// How long it took.
    pub time: Duration,
    /// How many vertices were reached.
    pub reached: u64,
    /// The sum of their levels or distances.
    pub total: Option<u64>,
}

/// A program with a graph loaded.
pub trait Contender {
    /// Its name.
    fn name(&self) -> &str;
    /// Searches from a vertex; fails where it finds its own result wrong.
    fn search(&mut self, algorithm: Algorithm, source: u32) -> Result<Outcome>;
}

/// The time each contender takes for a search: the mean, over the sources, of the median of its
/// repeats. The first contender's results are those that all others must agree with.
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

fn agree(name: &str, found: &Outcome, expected: &Outcome) -> Result<()> {
    let totals = found.total.zip(expected.total);
    match found.reached == expected.reached && totals.is_none_or(|(a, b)| a == b) {
        true => Ok(()),
        false => Err(format!("{name} found {found:?}, but equipoise {expected:?}").into()),
    }
}
