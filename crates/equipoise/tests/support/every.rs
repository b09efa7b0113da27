//! Runs of any algorithm of the library's list.

use equipoise::{
    LoadedGraph, Result,
    algorithm::{Algorithm, Visitor, each},
    device::OpenDevice,
    graph::Graph,
};

/// The options of an algorithm's self-test on a device, with at most three sources, and their names.
pub fn tests<A: Algorithm>(device: &OpenDevice, graph: &Graph) -> Vec<(String, A::Options)> {
    let vertices = graph.vertices();
    let few = || (0..vertices).step_by(vertices.div_ceil(3) as usize).collect();
    let mut tests = A::tests(matches!(device, OpenDevice::Gpu(_)));
    for sources in tests.iter_mut().filter_map(|(_, options)| A::sources(options)) {
        *sources = (vertices > 3).then(few);
    }
    tests.into_iter().map(|(test, options)| (format!("{} {test}", A::NAME), options)).collect()
}

/// A verified result for a graph; of a search, from `source`.
pub fn verified<A: Algorithm>(
    loaded: &LoadedGraph,
    source: u32,
    options: &A::Options,
) -> Result<A> {
    let result = if A::SEARCH_COLUMNS.is_none() {
        let result = A::find(loaded, options)?;
        result.check_in_place(loaded, options)?;
        result
    } else {
        let search = A::find_from(loaded, &[source], options)?.remove(0);
        search.check_in_place(options)?;
        search.download()?
    };
    result.check(loaded.graph(), options)?;
    Ok(result)
}

/// All columns of a result but its paths: of several shortest ones, a GPU may find another every time.
pub fn columns<A: Algorithm>(result: &A, graph: &Graph, options: &A::Options) -> String {
    if A::SEARCH_COLUMNS.is_some() {
        return String::new();
    }
    let mut tables = result.report(graph, options).tables;
    for table in &mut tables {
        table.columns.retain(|column| column.name != "next_hop");
    }
    format!("{tables:?}")
}

/// Runs every algorithm but searches, which have tests of their own, with all options of its self-test. Each result must
/// pass its verifier, equal that of the CPU, and be the same again in a second run.
pub struct EqualToCpu<'a> {
    pub device: &'a OpenDevice,
    pub graph: &'a Graph,
    /// Runs that are only verified, by the names of the algorithm and the options.
    pub only_verified: &'a [&'a str],
}

impl EqualToCpu<'_> {
    pub fn check(mut self) {
        each(&mut self);
    }
}

impl Visitor for EqualToCpu<'_> {
    fn visit<A: Algorithm>(&mut self) {
        if A::SEARCH_COLUMNS.is_some() {
            return;
        }
        for (name, options) in tests::<A>(self.device, self.graph) {
            let Some(graph) = A::test_graph(self.graph, &options).unwrap() else { continue };
            let loaded = LoadedGraph::new(self.device, &graph).unwrap();
            let run = |loaded: &LoadedGraph, options: &A::Options| {
                let result = verified::<A>(loaded, 0, options);
                result.unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            let result = run(&loaded, &options);
            if !self.only_verified.contains(&&*name) {
                let on_cpu = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
                let reference = run(&on_cpu, &result.reference(&options));
                assert_eq!(result.difference(&reference, &options), None, "{name}");
            }
            let [first, second] =
                [&result, &run(&loaded, &options)].map(|it| columns(it, &graph, &options));
            assert!(first == second, "{name}: another result from a second run");
        }
    }
}
