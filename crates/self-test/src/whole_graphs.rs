//! Graphs whose shapes algorithms on whole graphs get wrong.

use equipoise::{
    LoadedGraph, Result,
    graph::{Graph, io::ReadOptions, load},
};

use super::{Check, Target};

/// A shape, and the graphs that have it: a small one and a large one.
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

/// Makes a check of each wanted subject on each shape: `check` says what is wrong.
pub(crate) fn check_all(
    target: &Target,
    subjects: &[&'static str],
    report: &mut dyn FnMut(Check),
    check: impl Fn(&'static str, &LoadedGraph, &Graph) -> Result<Option<String>>,
) -> Result<()> {
    for &(input, small, large) in SHAPES {
        let graph = load(if target.large { large } else { small }, &ReadOptions::default())?;
        let there = LoadedGraph::new(&target.device, &graph)?;
        for &subject in subjects.iter().filter(|subject| target.wants(subject)) {
            let verdict = verdict(check(subject, &there, &graph));
            report(Check { subject, input, verdict });
        }
    }
    Ok(())
}

/// What to report of a check that says what is wrong, if anything is, or fails.
pub(crate) fn verdict(problem: Result<Option<String>>) -> std::result::Result<(), String> {
    match problem {
        Ok(None) => Ok(()),
        Ok(Some(problem)) => Err(problem),
        Err(error) => Err(error.to_string()),
    }
}
