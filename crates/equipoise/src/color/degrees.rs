//! The distribution of degrees, of all vertices and of the uncolored ones.

use equipoise_graph::{Csr, Graph, parallel::*};

use super::{Coloring, order::class_of};
use crate::{Result, neighbors::neighbors};

/// The uncolored vertices of a range of degrees at the start of an iteration.
///
/// ```
/// use equipoise::{color::{ColorStrategy, ColorSwitch, color}, prelude::*};
///
/// let star = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (0, 3)]))?;
/// let (strategy, switch) = (ColorStrategy::Hybrid, ColorSwitch::Stall);
/// let options = ColorOptions { strategy, switch, ..ColorOptions::default() };
/// let active = color(&star, &options)?.active_degrees(&star)?;
/// let second: Vec<_> = active.iter().filter(|degrees| degrees.iteration == 1).collect();
/// assert_eq!((second[0].least, second[0].most, second[0].vertices), (0, 1, 3));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ActiveDegrees {
    /// The iteration, counted from 0.
    pub iteration: u32,
    /// The smallest degree of the range.
    pub least: u64,
    /// The largest degree of the range.
    pub most: u64,
    /// The number of uncolored vertices.
    pub vertices: u64,
}

impl Coloring {
    /// The degrees of the uncolored vertices at the start of each iteration, in ranges that double: the data of the
    /// paper's Figures 7 and 9. Further `passes` are not included.
    pub fn active_degrees(&self, graph: &Graph) -> Result<Vec<ActiveDegrees>> {
        let neighbors = neighbors(graph)?;
        let last = self.iterations.iter().max().map_or(0, |&last| last as usize + 1);
        let mut colored = vec![[0u64; u32::BITS as usize]; last];
        for (vertex, &iteration) in (0..).zip(&self.iterations) {
            colored[iteration as usize][class_of(neighbors.row_len(vertex)) as usize] += 1;
        }
        let mut active = [0u64; u32::BITS as usize];
        let mut all = Vec::new();
        for (iteration, colored) in colored.iter().enumerate().rev() {
            for (class, (active, colored)) in active.iter_mut().zip(colored).enumerate().rev() {
                *active += colored;
                if *active > 0 {
                    let least = if class == 0 { 0 } else { 1 << class };
                    let most = (2 << class) - 1;
                    let (iteration, vertices) = (iteration as u32, *active);
                    all.push(ActiveDegrees { iteration, least, most, vertices });
                }
            }
        }
        all.reverse();
        Ok(all)
    }
}

/// The distribution of degrees, over edges of either direction.
///
/// ```
/// let degrees = equipoise::color::ColorDegrees { max: 4, mean: 1.5, deviation: 1.2 };
/// assert!(degrees.deviation < degrees.mean);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColorDegrees {
    /// The largest degree.
    pub max: u32,
    /// The mean degree.
    pub mean: f64,
    /// The standard deviation of degrees.
    pub deviation: f64,
}

impl ColorDegrees {
    pub(super) fn new(neighbors: &Csr) -> Self {
        let vertices = neighbors.rows();
        // Sums of integers do not depend on the threads.
        let (max, squares) = (0..vertices)
            .into_par_iter()
            .map(|vertex| neighbors.row_len(vertex))
            .map(|degree| (degree, (degree as u128).pow(2)))
            .reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
        let count = f64::from(vertices.max(1));
        let mean = neighbors.entries() as f64 / count;
        let deviation = (squares as f64 / count - mean * mean).max(0.0).sqrt();
        Self { max: max as u32, mean, deviation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_has_a_single_high_degree() {
        let star = Csr::new(4, vec![0, 3, 4, 5, 6], vec![1, 2, 3, 0, 0, 0]).unwrap();
        let degrees = ColorDegrees::new(&star);
        assert_eq!((degrees.max, degrees.mean), (3, 1.5));
        assert!((degrees.deviation - 0.75f64.sqrt()).abs() < 1e-12);
        let empty = ColorDegrees::new(&Csr::new(0, vec![0], vec![]).unwrap());
        assert_eq!(empty, ColorDegrees::default());
    }
}
