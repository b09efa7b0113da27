//! Every algorithm of the library's list, on graphs of shapes that algorithms get wrong: results are
//! verified and compared with the cpu's.

use std::borrow::Cow;

use equipoise::{
    LoadedGraph, Result,
    algorithm::{Algorithm, Visitor, each},
    device::OpenDevice,
    graph::{Graph, WeightType, io::ReadOptions, load},
};

use super::{
    Check, Shape, Suite, Target,
    searches::{self, with_weights},
};

/// Few sources, so that a long path does not take a minute.
const SOURCES: u32 = 2;

const SHAPES: &[Shape] = &[
    ("one-vertex", "isolated:n=1", "isolated:n=1"),
    ("isolated", "isolated:n=300", "isolated:n=100000"),
    ("path", "path:n=500", "path:n=1000000"),
    ("star", "star:n=2000", "star:n=2000000"),
    ("grid", "grid:width=30,height=40,drop=0.4", "grid:width=1000,height=1000,drop=0.4"),
    ("complete", "complete:n=80", "complete:n=600"),
    ("parts", "components:n=300", "components:n=30000"),
    ("power-law", "rmat:scale=8", "rmat:scale=18"),
    ("uniform", "er:n=500,m=400", "er:n=300000,m=240000"),
    ("directed", "er:n=300,m=300,directed=true", "er:n=500000,m=500000,directed=true"),
];

/// A suite per algorithm.
pub fn suites() -> Vec<Suite> {
    let mut suites = Suites(Vec::new());
    each(&mut suites);
    suites.0
}

struct Suites(Vec<Suite>);

impl Visitor for Suites {
    fn visit<A: Algorithm>(&mut self) {
        self.0.push(Suite { name: A::NAME, gpu_only: false, run: run::<A> });
    }
}

/// All tests of an algorithm on all shapes.
fn run<A: Algorithm>(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let on_gpu = matches!(target.device, OpenDevice::Gpu(_));
    let tests = A::tests(on_gpu);
    let weights = |options: &A::Options| A::test_weights(options, &target.device, target.large);
    let has_weights = tests.iter().any(|(_, options)| weights(options) != [WeightType::Auto]);
    let shapes = if A::SEARCH_COLUMNS.is_some() || has_weights { searches::SHAPES } else { SHAPES };
    for &(input, small, large) in shapes {
        let shape = load(if target.large { large } else { small }, &ReadOptions::default())?;
        let loaded = LoadedGraph::new(&target.device, &shape)?;
        for (subject, mut options) in tests.clone() {
            if !target.wants(subject) {
                continue;
            }
            if let Some(sources) = A::sources(&mut options) {
                *sources = Some(sample(&shape));
            }
            for weights in weights(&options) {
                let shape = with_weights(&shape, weights)?;
                let problem = match A::test_graph(&shape, &options)? {
                    None => continue,
                    Some(Cow::Borrowed(graph)) if std::ptr::eq(graph, loaded.graph()) => {
                        problem::<A>(&loaded, graph, &options)
                    }
                    Some(graph) => LoadedGraph::new(&target.device, &graph)
                        .and_then(|loaded| problem::<A>(&loaded, &graph, &options)),
                };
                let verdict = verdict(problem).map_err(|problem| match weights {
                    WeightType::Auto => problem,
                    kind => format!("{kind}: {problem}"),
                });
                report(Check { subject, input, verdict });
            }
        }
    }
    Ok(())
}

/// The problem with a result, if any. Searches start from the first vertex.
fn problem<A: Algorithm>(
    loaded: &LoadedGraph,
    graph: &Graph,
    options: &A::Options,
) -> Result<Option<String>> {
    let result = find::<A>(loaded, options)?;
    result.check(graph, options)?;
    result.check_in_place(loaded, options)?;
    let on_cpu = LoadedGraph::new(&OpenDevice::Cpu, graph)?;
    let reference = find::<A>(&on_cpu, &result.reference(options))?;
    Ok(result.difference(&reference, options))
}

fn find<A: Algorithm>(loaded: &LoadedGraph, options: &A::Options) -> Result<A> {
    if A::SEARCH_COLUMNS.is_none() {
        return A::find(loaded, options);
    }
    A::find_from(loaded, &[0], options)?.remove(0).download()
}

/// Vertices spread over the graph.
fn sample(graph: &Graph) -> Vec<u32> {
    let vertices = graph.vertices();
    let count = SOURCES.min(vertices);
    (0..count).map(|index| index * (vertices / count)).collect()
}

/// The verdict of a check that fails or finds a problem, if any.
fn verdict(problem: Result<Option<String>>) -> std::result::Result<(), String> {
    match problem {
        Ok(None) => Ok(()),
        Ok(Some(problem)) => Err(problem),
        Err(error) => Err(error.to_string()),
    }
}
