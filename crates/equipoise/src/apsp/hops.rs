//! Whether next hops are right.

use equipoise_graph::Graph;

use super::oracle::Wide;
use crate::{NONE, Result, error::wrong};

/// What is known of a vertex while hops are followed.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Not,
    /// On the way that is followed now.
    Now,
    /// From here the target is reached.
    Leads,
}

/// Checks the hops from all vertices to one target. `hop` says the next one, `found` the distance
/// that is left.
pub(super) fn check<W: Wide>(
    graph: &Graph,
    target: u32,
    hop: impl Fn(u32) -> u32,
    found: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    for source in 0..graph.vertices() {
        check_hop(graph, (source, target), hop(source), &found, &weight)?;
    }
    let mut seen = vec![Seen::Not; graph.vertices() as usize];
    seen[target as usize] = Seen::Leads;
    let mut way = Vec::new();
    for source in (0..graph.vertices()).filter(|&source| hop(source) != NONE) {
        let mut at = source;
        while seen.get(at as usize) == Some(&Seen::Not) {
            seen[at as usize] = Seen::Now;
            way.push(at);
            at = hop(at);
        }
        if seen.get(at as usize) != Some(&Seen::Leads) {
            let (from, to) = (graph.ids().id(source), graph.ids().id(target));
            return wrong(format!("following next hops from {from} does not lead to {to}"));
        }
        way.drain(..).for_each(|vertex| seen[vertex as usize] = Seen::Leads);
    }
    Ok(())
}

/// Checks that a hop is there where it should be, and follows an edge of a shortest path.
pub(super) fn check_hop<W: Wide>(
    graph: &Graph,
    (source, target): (u32, u32),
    hop: u32,
    found: impl Fn(u32) -> W,
    weight: impl Fn(usize) -> W,
) -> Result<()> {
    let pair = || {
        let ids = graph.ids();
        format!("the next hop from {} to {}", ids.id(source), ids.id(target))
    };
    let is_path = source != target && found(source) < W::INFINITE;
    if is_path != (hop != NONE) {
        let missing = if is_path { "is missing" } else { "should not be there" };
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
    let over = first.plus(found(hop));
    match over.is_at_most(found(source), graph.vertices()) {
        true => Ok(()),
        false => wrong(format!(
            "{} is {}, by way of which it is {over}, not {}",
            pair(),
            graph.ids().id(hop),
            found(source)
        )),
    }
}
