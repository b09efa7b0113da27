//! Equipoise as a contender.

use equipoise::{
    Distances, NONE,
    bfs::{BfsOptions, bfs},
    graph::{Graph, Weights},
    sssp::{SsspOptions, sssp},
};

use crate::{
    Result,
    measure::timed,
    traversal::{Algorithm, Contender, Outcome},
};

/// Equipoise with default options. The whole call is timed.
pub struct Equipoise<'a> {
    /// The graph to search, with weights.
    pub weighted: &'a Graph,
    /// The graph to search, without weights.
    pub unweighted: &'a Graph,
}

impl Contender for Equipoise<'_> {
    fn name(&self) -> &str {
        "equipoise"
    }

    fn search(&mut self, algorithm: Algorithm, source: u32) -> Result<Outcome> {
        match algorithm {
            Algorithm::Bfs => {
                let options = BfsOptions::default();
                let (result, time) = timed(|| Ok(bfs(self.unweighted, source, &options)?))?;
                result.verify(self.unweighted, &options)?;
                let levels = result.levels.iter().filter(|&&level| level != NONE);
                let total = levels.map(|&level| u64::from(level)).sum();
                Ok(Outcome { time, reached: result.reached.into(), total: Some(total) })
            }
            Algorithm::Sssp => {
                let options = SsspOptions::default();
                let (result, time) = timed(|| Ok(sssp(self.weighted, source, &options)?))?;
                result.verify(self.weighted, &options)?;
                let total = total(&result.distances);
                Ok(Outcome { time, reached: result.reached.into(), total: Some(total) })
            }
        }
    }
}

fn total(distances: &Distances) -> u64 {
    (0..distances.len()).filter_map(|vertex| distances.get(vertex)).sum::<f64>() as u64
}

/// The integer weights of a graph.
pub fn whole_weights(graph: &Graph) -> Result<&[u32]> {
    match graph.weights() {
        Some(Weights::U32(weights)) => Ok(weights),
        _ => Err("the graph has no whole weights".into()),
    }
}

/// The specs of a skewed, a uniform and a long graph.
pub fn specs(scale: u32) -> [String; 3] {
    let vertices = 1u64 << scale;
    let side = (1000.0 * 2f64.powf((f64::from(scale) - 18.0) / 2.0)).round();
    [
        format!("rmat:scale={scale}"),
        format!("er:n={vertices},m={}", 16 * vertices),
        format!("grid:width={side},height={side},drop=0.1"),
    ]
}

/// `count` vertices, equal in every call, that reach much of the graph.
pub fn sources(graph: &Graph, count: usize) -> Result<Vec<u32>> {
    const ATTEMPTS: u64 = 1000;
    let mut sources = Vec::new();
    for attempt in 1..ATTEMPTS {
        let vertex = attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15) % u64::from(graph.vertices());
        let result = bfs(graph, vertex as u32, &BfsOptions::default())?;
        if result.reached > graph.vertices() / 8 {
            sources.push(vertex as u32);
        }
        if sources.len() == count {
            return Ok(sources);
        }
    }
    Err("no part of the graph is large enough to search".into())
}
