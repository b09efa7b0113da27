//! Betweenness of vertices and edges, verified and compared with the cpu's.

use equipoise::{
    Result,
    betweenness::{Betweenness, BetweennessOptions, betweenness},
    graph::Graph,
};

use super::{Check, Target, whole_graphs};

/// How far numbers of 32 bits may be off, as a share.
const NEAR: f64 = 1e-3;
/// Sources are so few that a long path does not take a minute.
const SOURCES: u32 = 2;

/// Of vertices alone, and with edges and endpoints.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    whole_graphs::check_all(target, &["vertices", "edges"], report, |name, there, graph| {
        let both = name == "edges";
        let sources = Some(some(graph));
        let options = BetweennessOptions {
            sources,
            edges: both,
            endpoints: both,
            ..BetweennessOptions::default()
        };
        let found = there.betweenness(&options)?;
        found.verify(graph, &options)?;
        let here = betweenness(graph, &options)?;
        Ok((!are_near(&found, &here)).then(|| "other numbers than on the cpu".into()))
    })
}

/// Vertices from all over the graph.
fn some(graph: &Graph) -> Vec<u32> {
    let vertices = graph.vertices();
    let count = SOURCES.min(vertices);
    (0..count).map(|index| index * (vertices / count)).collect()
}

fn are_near(a: &Betweenness, b: &Betweenness) -> bool {
    let values = |found: &Betweenness| {
        let edges = found.edges.iter().flat_map(|edges| edges.values.clone());
        found.vertices.iter().copied().chain(edges).collect::<Vec<f64>>()
    };
    let (a, b) = (values(a), values(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= NEAR * b)
}
