//! Whether labels are those of the propagation.

use equipoise_graph::{Graph, memory, parallel::*};

use super::{Cdlp, CdlpOptions};
use crate::{Result, error::wrong};

impl Cdlp {
    /// Checks the labels by repeating the propagation in another way.
    ///
    /// 1. Each vertex has a label.
    /// 2. The labels are those after all iterations. Each iteration is repeated from the labels before it: those around a vertex,
    ///    over the edges of the graph in either direction, are sorted, and the longest run of equal ones wins, the first of
    ///    several. Nothing is derived from the result, so that a wrong label cannot hide another one.
    /// 3. The labels have converged if an iteration changes none.
    /// 4. The number of labels, and the largest number of vertices with one, are those of the labels.
    ///
    /// Takes time for sorting all edges once per iteration, and 12 bytes per vertex.
    pub fn verify(&self, graph: &Graph, options: &CdlpOptions) -> Result<()> {
        graph.check()?;
        options.check()?;
        let vertices = graph.vertices();
        if self.labels.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} labels for {vertices} vertices", self.labels.len()));
        }
        memory::check("verifying labels", memory::bytes_of::<[u32; 3]>(vertices.into()))?;
        let (labels, converged) = repeated(graph, options)?;
        let differs = |&vertex: &u32| labels[vertex as usize] != self.labels[vertex as usize];
        if let Some(vertex) = (0..vertices).into_par_iter().find_first(differs) {
            let (own, label) = (graph.ids().id(vertex), graph.ids().id(labels[vertex as usize]));
            return wrong(format!("vertex {own} has another label than {label}"));
        }
        if self.converged != converged {
            let verb = if converged { "have" } else { "have not" };
            return wrong(format!("the labels {verb} converged"));
        }
        let mut sorted = labels;
        sorted.par_sort_unstable();
        let runs = || sorted.chunk_by(|a, b| a == b);
        let expected = (runs().count() as u64, runs().map(<[u32]>::len).max().unwrap_or(0) as u64);
        let found = (u64::from(self.count), u64::from(self.largest));
        if found == expected {
            return Ok(());
        }
        wrong(format!("{expected:?} labels and vertices with one of them, not {found:?}"))
    }
}

/// The labels after all iterations, and whether the last one changed none.
fn repeated(graph: &Graph, options: &CdlpOptions) -> Result<(Vec<u32>, bool)> {
    let backward = if graph.is_undirected() { None } else { Some(graph.transpose()?) };
    let mut labels: Vec<u32> = (0..graph.vertices()).collect();
    for _ in 0..options.max_iterations {
        let next = |vertex: u32| {
            let entering = backward.map_or(&[][..], |graph| graph.neighbors(vertex));
            let neighbors = graph.neighbors(vertex).iter().chain(entering);
            let others = neighbors.filter(|&&other| other != vertex);
            let mut around: Vec<u32> = others.map(|&other| labels[other as usize]).collect();
            around.sort_unstable();
            longest_run(&around).unwrap_or(labels[vertex as usize])
        };
        let next: Vec<u32> = (0..graph.vertices()).into_par_iter().map(next).collect();
        if next == labels {
            return Ok((labels, true));
        }
        labels = next;
    }
    Ok((labels, graph.vertices() == 0))
}

/// The number that is most often in sorted numbers, the smallest of several.
fn longest_run(sorted: &[u32]) -> Option<u32> {
    let mut longest: &[u32] = &[];
    for run in sorted.chunk_by(|a, b| a == b) {
        if run.len() > longest.len() {
            longest = run;
        }
    }
    longest.first().copied()
}
