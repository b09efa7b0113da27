//! PageRank on a GPU: verified, and close to the ranks of the cpu, under every schedule.

use equipoise::{
    LoadedGraph,
    device::Device,
    graph::{Duplicates, Edges, Graph, GraphBuilder},
    pagerank::{PageRankOptions, pagerank},
};
use equipoise_schedule::ScheduleName;
use proptest::prelude::*;

use super::search::{device, made, with_memory};

fn check(graph: &Graph, options: &PageRankOptions) {
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let found = there.pagerank(options).unwrap();
    found.verify(graph, options).unwrap_or_else(|error| panic!("{:?}: {error}", options.schedule));
    let here = pagerank(graph, &PageRankOptions { schedule: None, ..options.clone() }).unwrap();
    let apart = found.ranks.iter().zip(&here.ranks).map(|(a, b)| f64::from((a - b).abs()));
    let apart: f64 = apart.sum();
    assert!(apart < 1e-4, "{:?}: {apart}", options.schedule);
    assert!(found.converged == here.converged && found.iterations.abs_diff(here.iterations) < 4);
    assert_eq!(there.pagerank(options).unwrap().ranks, found.ranks, "from run to run");
}

#[test]
fn shapes() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=3000",
        "star:n=5000",
        "rmat:scale=10,edge-factor=4",
        "rmat:scale=9,directed=true,weights=1..9",
        "er:n=900,m=800,directed=true",
    ] {
        check(&made(spec), &PageRankOptions::default());
    }
}

#[test]
fn every_schedule() {
    let graph = made("rmat:scale=9,directed=true");
    for &schedule in ScheduleName::ALL {
        check(&graph, &PageRankOptions { schedule: Some(schedule), ..PageRankOptions::default() });
    }
}

#[test]
fn so_many_iterations_and_no_more() {
    let graph = made("rmat:scale=8");
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    for max_iterations in [1, 4, 6] {
        let options =
            PageRankOptions { max_iterations, tolerance: 0.0, ..PageRankOptions::default() };
        let found = there.pagerank(&options).unwrap();
        found.verify(&graph, &options).unwrap();
        assert_eq!((found.iterations, found.converged), (max_iterations, false));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (2..60u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..5u32), 0..90))
        }),
        undirected in any::<bool>(),
        unweighted in any::<bool>(),
        personal in any::<bool>(),
    ) {
        let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
        let graph = builder.duplicates(Duplicates::Keep).build(Edges::from(edges)).unwrap();
        let shares = (0..vertices).map(|vertex| f64::from(vertex % 3)).collect();
        let personalization = personal.then_some(shares);
        check(&graph, &PageRankOptions { unweighted, personalization, ..PageRankOptions::default() });
    }
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(100_000), &graph)
        .and_then(|there| there.pagerank(&PageRankOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the ranks of 9000 vertices needs"), "{error}");
}

/// What is kept from one call to the next is told apart by what it is for.
#[test]
fn options_in_turns_on_one_graph() {
    let graph = made("rmat:scale=7,directed=true,weights=1..9");
    let weighted = PageRankOptions::default();
    let unweighted = PageRankOptions { unweighted: true, ..weighted.clone() };
    let mut starts = vec![0.0; graph.vertices() as usize];
    starts[3] = 1.0;
    let personal = PageRankOptions { personalization: Some(starts), ..weighted.clone() };
    for open in [device(), Device::Cpu.open().unwrap()] {
        let there = LoadedGraph::new(&open, &graph).unwrap();
        for options in [&weighted, &unweighted, &personal, &weighted, &unweighted] {
            let found = there.pagerank(options).unwrap();
            found.verify(&graph, options).unwrap();
            let alone = LoadedGraph::new(&open, &graph).unwrap().pagerank(options).unwrap();
            assert_eq!(found.ranks, alone.ranks);
        }
    }
}
