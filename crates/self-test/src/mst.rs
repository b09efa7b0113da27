//! Spanning forests by every strategy, each verified and compared with the cpu's.

use equipoise::{
    LoadedGraph, Result,
    graph::{Graph, Weights},
    mst::{MstOptions, MstStrategy, mst},
};

use super::{Check, Target, whole_graphs};

/// All strategies, on graphs with weights.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let names: Vec<_> = MstStrategy::ALL.iter().map(|strategy| strategy.name()).collect();
    whole_graphs::check_all(target, &names, report, |name, there, graph| {
        let options = MstOptions { strategy: name.parse().unwrap_or_default() };
        if !graph.is_undirected() {
            let is_refused = there.mst(&options).is_err();
            return Ok((!is_refused).then(|| "a directed graph is not refused".into()));
        }
        let weighted = weighted(graph)?;
        let found = LoadedGraph::new(&target.device, &weighted)?.mst(&options)?;
        found.verify(&weighted)?;
        let here = mst(&weighted, &MstOptions::default())?;
        Ok((found.edges != here.edges).then(|| "another forest than on the cpu".into()))
    })
}

/// The graph with weights of which many are the same, as large in both directions.
fn weighted(graph: &Graph) -> Result<Graph> {
    let weight = |a: u32, b: u32| a.min(b).wrapping_mul(31).wrapping_add(a.max(b)) % 1009;
    let weights: Vec<u32> = (0..graph.vertices())
        .flat_map(|a| graph.neighbors(a).iter().map(move |&b| weight(a, b)))
        .collect();
    Ok(graph.clone().with_weights(Some(Weights::from(weights)))?)
}
