//! Weakly connected components on the cpu.

use std::time::Duration;

use equipoise_graph::Graph;

use super::forest::{Forest, Hooked, TreeCounts};
use crate::{
    Step, Trace,
    components::{Components, ComponentsStrategy},
    team::{self, Team},
    times::{Clock, timed, times_of_steps},
};

/// One row in this many is sampled,
const SAMPLED_STRIDE: usize = 64;
/// with up to this many of its edges.
const SAMPLED_EDGES: usize = 8;

/// Finds components by a strategy that is not `auto`.
pub(in crate::components) fn components(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let ((labels, steps, counts), run) = timed(|| {
        team::run(|team| {
            let forest = Forest::new(team, graph.vertices());
            let (steps, counts) = match strategy {
                ComponentsStrategy::Afforest => afforest(team, graph, &forest),
                _ => hooking(team, graph, &forest),
            };
            (forest.into_labels(), steps, counts)
        })
    });
    let times = times_of_steps(&steps, run);
    Components::from_counts(labels, counts, strategy, Trace { steps }, times)
}

fn hooking(team: &Team, graph: &Graph, forest: &Forest) -> (Vec<Step>, TreeCounts) {
    let mut clock = Clock::start();
    let all = forest.hook_rows(team, graph, None);
    let counts = forest.compress(team, None);
    (vec![step(0, "all", &all, clock.lap())], counts)
}

fn afforest(team: &Team, graph: &Graph, forest: &Forest) -> (Vec<Step>, TreeCounts) {
    let mut clock = Clock::start();
    let first = forest.hook_first(team, graph);
    let sample = forest.hook_sample(team, graph, SAMPLED_STRIDE, SAMPLED_EDGES);
    let giant = forest.sampled_giant();
    let (edges, roots) = (first.edges + sample.edges, first.roots + sample.roots);
    let first = step(0, "first", &Hooked { edges, roots, ..first }, clock.lap());
    // A directed graph has edges out of the giant component without a reverse, so none can be skipped.
    let skipped = giant.filter(|_| graph.is_undirected());
    let rest = forest.hook_rows(team, graph, skipped);
    let counts = if rest.roots == 0 && skipped.is_some() {
        let trees = graph.vertices() - roots as u32;
        TreeCounts { trees, in_tree: rest.skipped as u32 }
    } else {
        // The root of the giant component may have been hooked since.
        forest.compress(team, giant.map(|giant| forest.find(giant)))
    };
    (vec![first, step(1, "rest", &rest, clock.lap())], counts)
}

fn step(index: u32, name: &'static str, work: &Hooked, time: Duration) -> Step {
    let &Hooked { rows: frontier, edges, roots: found, .. } = work;
    Step { frontier, edges, found, time, ..Step::new(index, name) }
}
