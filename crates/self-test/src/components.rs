//! Components by every strategy, each result verified and compared with the cpu's.

use equipoise::{
    LoadedGraph, Result,
    components::{ComponentsOptions, ComponentsStrategy, components},
    graph::{io::ReadOptions, load},
};

use super::{Check, Target};

/// A shape that strategies get wrong, and the graphs that have it: a small one and a large one.
const SHAPES: &[(&str, &str, &str)] = &[
    ("one-vertex", "isolated:n=1", "isolated:n=1"),
    ("isolated", "isolated:n=300", "isolated:n=100000"),
    ("path", "path:n=500", "path:n=1000000"),
    ("star", "star:n=2000", "star:n=2000000"),
    ("grid", "grid:width=30,height=40,drop=0.4", "grid:width=1000,height=1000,drop=0.4"),
    ("parts", "components:n=300", "components:n=30000"),
    ("power-law", "rmat:scale=8", "rmat:scale=18"),
    ("uniform", "er:n=500,m=400", "er:n=300000,m=240000"),
    ("directed", "er:n=300,m=300,directed=true", "er:n=500000,m=500000,directed=true"),
];

/// All strategies.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let all = ComponentsStrategy::ALL.iter().copied();
    let all: Vec<_> = all.filter(|strategy| target.wants(strategy.name())).collect();
    for &(input, small, large) in SHAPES {
        let graph = load(if target.large { large } else { small }, &ReadOptions::default())?;
        let there = LoadedGraph::new(&target.device, &graph)?;
        let here = components(&graph, &ComponentsOptions::default())?;
        for &strategy in &all {
            let found = there.components(&ComponentsOptions { strategy });
            let checked = found.and_then(|found| found.verify(&graph).map(|()| found.labels));
            let verdict = match checked {
                Ok(labels) if labels == here.labels => Ok(()),
                Ok(_) => Err("other labels than on the cpu".into()),
                Err(error) => Err(error.to_string()),
            };
            report(Check { subject: strategy.name(), input, verdict });
        }
    }
    Ok(())
}
