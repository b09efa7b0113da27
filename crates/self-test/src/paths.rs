//! Distances between vertices, verified and compared with the cpu's.

use equipoise::{
    Result,
    graph::Graph,
    paths::{PathsOptions, paths},
};

use super::{Check, Target, whole_graphs};

/// Sources are so few that a long path does not take a minute.
const SOURCES: u32 = 3;

/// By edges and by weights.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    whole_graphs::check_all(target, &["edges", "weights"], report, |name, there, graph| {
        let (sources, weighted) = (Some(some(graph)), name == "weights");
        let options = PathsOptions { sources, weighted, within: Some(2.0) };
        let found = there.paths(&options)?;
        found.verify(graph, &options)?;
        let here = paths(graph, &options)?;
        let are_same = found.closeness == here.closeness
            && found.harmonic == here.harmonic
            && found.eccentricities == here.eccentricities
            && found.within == here.within;
        Ok((!are_same).then(|| "other numbers than on the cpu".into()))
    })
}

/// Vertices from all over the graph.
fn some(graph: &Graph) -> Vec<u32> {
    let vertices = graph.vertices();
    let count = SOURCES.min(vertices);
    (0..count).map(|index| index * (vertices / count)).collect()
}
