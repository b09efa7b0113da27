//! Verification of next hops.

use equipoise_graph::Graph;

use super::oracle::Wide;
use crate::{NONE, Result, error::wrong};

/// The state of a vertex while hops are followed.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unvisited,
    /// On the path that is followed now.
    OnPath,
    /// The hops from here lead to the target.
    Leads,
}

/// Checks the hops from all vertices to one target. `hop` is the next hop of a vertex, `distance` its
/// distance to the target.
pub(super) fn check<W: Wide>(
    graph: &Graph,
    target: u32,
    hop: impl Fn(u32) -> u32,
    distance: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    for source in 0..graph.vertices() {
        check_hop(graph, (source, target), hop(source), &distance, &weight)?;
    }
    let mut states = vec![State::Unvisited; graph.vertices() as usize];
    states[target as usize] = State::Leads;
    let mut path = Vec::new();
    for source in (0..graph.vertices()).filter(|&source| hop(source) != NONE) {
        let mut vertex = source;
        while states.get(vertex as usize) == Some(&State::Unvisited) {
            states[vertex as usize] = State::OnPath;
            path.push(vertex);
            vertex = hop(vertex);
        }
        if states.get(vertex as usize) != Some(&State::Leads) {
            let (from, to) = (graph.ids().id(source), graph.ids().id(target));
            return wrong(format!("following next hops from {from} does not lead to {to}"));
        }
        path.drain(..).for_each(|vertex| states[vertex as usize] = State::Leads);
    }
    Ok(())
}

/// Checks that a hop exists exactly where a path does, and is the end of the first edge of a shortest
/// path.
pub(super) fn check_hop<W: Wide>(
    graph: &Graph,
    (source, target): (u32, u32),
    hop: u32,
    distance: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    let pair = || {
        let ids = graph.ids();
        format!("the next hop from {} to {}", ids.id(source), ids.id(target))
    };
    let is_path = source != target && distance(source) < W::INFINITE;
    if is_path != (hop != NONE) {
        let missing = if is_path { "is missing" } else { "should be missing" };
        return wrong(format!("{} {missing}", pair()));
    }
    if !is_path {
        return Ok(());
    }
    let edges = graph.neighbors(source).iter().zip(graph.csr().range(source));
    let to_hop = edges.filter(|&(&end, _)| end == hop).map(|(_, edge)| weight(edge));
    let Some(first) = to_hop.reduce(|a, b| if a < b { a } else { b }) else {
        return wrong(format!("{} is vertex number {hop}, to which no edge leads", pair()));
    };
    let over = first.plus(distance(hop));
    if over.is_at_most(distance(source), graph.vertices()) {
        return Ok(());
    }
    wrong(format!(
        "{} is {}, by way of which it is {over}, not {}",
        pair(),
        graph.ids().id(hop),
        distance(source)
    ))
}
