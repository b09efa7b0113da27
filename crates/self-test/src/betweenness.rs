//! Betweenness of vertices and edges, verified and compared with the cpu's.

use equipoise::{
    LoadedGraph, Result,
    betweenness::{Betweenness, BetweennessOptions, betweenness},
    graph::Graph,
};

use super::{
    Check, Target,
    searches::{self, SHAPES},
    whole_graphs,
};

/// How far numbers of 32 bits may be off, as a share.
const NEAR: f64 = 1e-3;
/// Sources are so few that a long path does not take a minute.
const SOURCES: u32 = 2;

/// By the edges of paths and by their weights.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    by_edges(target, report)?;
    by_weights(target, report)
}

/// By whole weights that are above zero.
fn by_weights(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let subject = "weights";
    let weigh = |shape: &&searches::Shape| shape.0 != "no-weight" && target.wants(subject);
    for &(input, small, large) in SHAPES.iter().filter(weigh) {
        let graph = searches::made(target, small, large)?;
        let there = LoadedGraph::new(&target.device, &graph)?;
        let sources = Some(some(&graph));
        let options =
            BetweennessOptions { sources, weighted: true, ..BetweennessOptions::default() };
        let verdict = whole_graphs::verdict(check(&there, &graph, &options));
        report(Check { subject, input, verdict });
    }
    Ok(())
}

/// Of vertices alone, and with edges and endpoints.
fn by_edges(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    whole_graphs::check_all(target, &["vertices", "edges"], report, |name, there, graph| {
        let both = name == "edges";
        let sources = Some(some(graph));
        let options = BetweennessOptions {
            sources,
            edges: both,
            endpoints: both,
            ..BetweennessOptions::default()
        };
        check(there, graph, &options)
    })
}

/// What is wrong on a device.
fn check(
    there: &LoadedGraph,
    graph: &Graph,
    options: &BetweennessOptions,
) -> Result<Option<String>> {
    let found = there.betweenness(options)?;
    found.verify(graph, options)?;
    let here = betweenness(graph, options)?;
    Ok((!are_near(&found, &here)).then(|| "other numbers than on the cpu".into()))
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
