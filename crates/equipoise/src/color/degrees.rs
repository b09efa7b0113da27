//! Which degrees the uncolored vertices have, iteration by iteration.

use equipoise_graph::Graph;

use super::{Coloring, order::class_of};
use crate::{Result, neighbors::neighbors};

/// How many vertices with so many neighbours an iteration started with.
///
/// ```
/// use equipoise::color::{ColorOptions, ColorStrategy, ColorSwitch, color};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let star = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (0, 3)]))?;
/// let (strategy, switch) = (ColorStrategy::Hybrid, ColorSwitch::Stall);
/// let options = ColorOptions { strategy, switch, ..ColorOptions::default() };
/// let active = color(&star, &options)?.active_degrees(&star)?;
/// let second: Vec<_> = active.iter().filter(|degrees| degrees.iteration == 1).collect();
/// assert_eq!((second[0].least, second[0].most, second[0].vertices), (0, 1, 3));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ActiveDegrees {
    /// The iteration, counted from 0.
    pub iteration: u32,
    /// The fewest neighbours of these vertices.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// How many vertices they are.
    pub vertices: u64,
}

impl Coloring {
    /// The degrees of the vertices that were still to be colored when each iteration started, in
    /// ranges that double: what the paper's Figures 7 and 9 are drawn from. What is done once more
    /// by `passes` is left out.
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
