//! What holds of every algorithm of the library's list.

use equipoise::{
    LoadedGraph,
    algorithm::{Algorithm, Visitor, each},
    cancel::{Cancel, Cancelled},
    device::OpenDevice,
    graph::Graph,
};
use proptest::prelude::*;

use crate::{
    every::{EqualToCpu, columns, tests, verified},
    graphs::{generated, multigraphs, odd_graphs},
    in_pool,
};

const SHAPES: [&str; 11] = [
    "isolated:n=0",
    "isolated:n=1",
    "isolated:n=300",
    "path:n=700",
    "path:n=500,directed=true",
    "star:n=3000",
    "complete:n=60,weights=1..9",
    "grid:width=30,height=40,drop=0.4,weights=1..9",
    "components:n=300",
    "rmat:scale=9,weights=1..9",
    "er:n=300,m=700,directed=true,weights=1..9",
];

#[test]
fn strategies_agree_on_shapes() {
    for graph in SHAPES.map(generated).into_iter().chain(odd_graphs()) {
        EqualToCpu { device: &OpenDevice::Cpu, graph: &graph, only_verified: &[] }.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn strategies_agree_on_any_graph(graph in multigraphs(40, 120)) {
        EqualToCpu { device: &OpenDevice::Cpu, graph: &graph, only_verified: &[] }.check();
    }
}

/// Compares results of pools of 1, 2 and 5 threads.
struct OnThreads<'a>(&'a Graph);

impl Visitor for OnThreads<'_> {
    fn visit<A: Algorithm>(&mut self) {
        for (name, options) in tests::<A>(&OpenDevice::Cpu, self.0) {
            let Some(graph) = A::test_graph(self.0, &options).unwrap() else { continue };
            let run = || {
                let loaded = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
                verified::<A>(&loaded, 3, &options).unwrap()
            };
            let [one, others @ ..] = [1, 2, 5].map(|threads| in_pool(threads, run));
            for other in others {
                assert_eq!(other.difference(&one, &options), None, "{name}");
                let [one, other] = [&one, &other].map(|it| columns(it, &graph, &options));
                assert!(one == other, "{name}: not the same on other threads");
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_result() {
    each(&mut OnThreads(&generated("rmat:scale=11,weights=1..9")));
    each(&mut OnThreads(&generated("er:n=5000,m=20000,directed=true")));
}

/// Whether work that is cancelled before it begins ends early.
pub fn ends_early<T>(work: impl FnOnce() -> T) -> bool {
    let cancel = Cancel::new();
    cancel.cancel();
    let mut is_done = false;
    let outcome = cancel.run(|| {
        work();
        is_done = true;
    });
    assert_eq!(outcome, Err(Cancelled));
    !is_done
}

struct EndEarly<'a>(&'a Graph);

impl Visitor for EndEarly<'_> {
    fn visit<A: Algorithm>(&mut self) {
        for (name, options) in A::tests(false) {
            let Some(graph) = A::test_graph(self.0, &options).unwrap() else { continue };
            let loaded = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
            A::find(&loaded, &options).unwrap();
            assert!(ends_early(|| A::find(&loaded, &options)), "{} {name}", A::NAME);
        }
    }
}

#[test]
fn cancelled_algorithms_end_early() {
    each(&mut EndEarly(&generated("rmat:scale=9,weights=1..9")));
    each(&mut EndEarly(&generated("er:n=400,m=3000,directed=true")));
}
