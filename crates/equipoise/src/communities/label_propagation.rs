//! Label propagation on the cpu.

use super::{
    CommunitiesOptions,
    batch::{Batch, BatchTallies},
    classes::Classes,
    partition::Partition,
    random_order::RandomOrder,
    tally::Tally,
    undirected::UndirectedGraph,
};
use crate::{
    Result, Step,
    team::{self, Team},
    times::Clock,
};

/// Each vertex starts with a unique label. In a sweep, a vertex whose label is not one of the most frequent among its
/// neighbours takes one that is. Each change increases the weight between vertices of equal labels, so the algorithm
/// terminates.
pub(super) fn run(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Result<Partition> {
    let clock = Clock::start();
    let classes = Classes::new(&graph.neighbors, options.seed)?;
    Ok(team::run(|team| sweep_all(team, graph, options, &classes, clock)))
}

fn sweep_all(
    team: &Team,
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    classes: &Classes,
    mut clock: Clock,
) -> Partition {
    let order = RandomOrder::new(options.seed);
    let vertices = graph.neighbors.rows();
    let mut labels: Vec<u32> = (0..vertices).collect();
    let (tallies, mut next) = (BatchTallies::new(vertices), Vec::new());
    let (mut steps, mut converged) = (Vec::new(), false);
    while !converged && (steps.len() as u64) < u64::from(options.max_iterations) {
        let mut changed = 0;
        for class in classes.iter() {
            let label = |_, other: u32| labels[other as usize];
            let batch = Batch { team, graph, vertices: class };
            tallies.for_each(batch, &mut next, label, |vertex, tally| {
                next_label(graph, &labels, order, vertex, tally)
            });
            for (&vertex, &next) in class.iter().zip(&next) {
                changed += u64::from(labels[vertex as usize] != next);
                labels[vertex as usize] = next;
            }
        }
        converged = changed == 0;
        let (frontier, edges) = (vertices.into(), graph.neighbors.entries());
        let step = Step::new(steps.len() as u32, "label-propagation");
        steps.push(Step { frontier, edges, found: changed, time: clock.lap(), ..step });
    }
    Partition { labels, levels: Vec::new(), converged, steps }
}

/// The label of a vertex if it is one of the most frequent among its neighbours, whose labels are in the tally; otherwise the most
/// frequent label of the highest rank.
fn next_label(
    graph: &UndirectedGraph,
    labels: &[u32],
    order: RandomOrder,
    vertex: u32,
    tally: &mut Tally,
) -> u32 {
    let own = labels[vertex as usize];
    // A vertex with a loop is a neighbour of itself.
    tally.add(own, graph.within[vertex as usize] / 2.0);
    let most = tally.sums().map(|(_, sum)| sum).fold(0.0, f64::max);
    if tally.get(own) == most {
        return own;
    }
    let frequent = tally.sums().filter(|&(_, sum)| sum == most).map(|(label, _)| label);
    frequent.max_by_key(|&label| order.rank(label)).unwrap_or(own)
}
