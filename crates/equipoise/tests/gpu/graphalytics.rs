//! CDLP and LCC on a GPU, compared with the cpu.

use equipoise::{
    LoadedGraph,
    algorithm::Algorithm,
    cdlp::{CdlpOptions, cdlp},
    graph::{Graph, GraphBuilder},
    lcc::{Lcc, LccOptions, lcc},
};
use proptest::prelude::*;

use crate::{
    common::{device, with_memory},
    graphs::{generated, graph, multigraph},
};

fn loaded(graph: &Graph) -> LoadedGraph<'_> {
    LoadedGraph::new(&device(), graph).unwrap()
}

fn check(graph: &Graph, iterations: u32) {
    let loaded = loaded(graph);
    let options = CdlpOptions { max_iterations: iterations };
    let (labels, expected) = (loaded.cdlp(&options).unwrap(), cdlp(graph, &options).unwrap());
    assert_eq!(labels.labels, expected.labels);
    assert_eq!((labels.count, labels.converged), (expected.count, expected.converged));
    let changes =
        |steps: &[equipoise::Step]| -> Vec<u64> { steps.iter().map(|step| step.found).collect() };
    assert_eq!(changes(&labels.trace.steps), changes(&expected.trace.steps));
    let (found, expected) = (loaded.lcc().unwrap(), lcc(graph).unwrap());
    assert_eq!((found.closed, found.degrees), (expected.closed, expected.degrees));
}

#[test]
fn graphs_of_all_degrees() {
    for spec in ["rmat:scale=11", "rmat:scale=11,directed=true", "er:n=900,m=9000,directed=true"] {
        check(&generated(spec), 5);
    }
}

/// In the first iteration over a directed graph, all labels around the hub are distinct, and more than its table in shared memory
/// holds.
#[test]
fn hubs_spill_their_labels() {
    let leaves = 1..5000u32;
    let star: Vec<_> = leaves.clone().map(|leaf| (leaf, 0)).collect();
    let both = leaves.clone().filter(|leaf| leaf % 1999 == 0).map(|leaf| (0, leaf));
    let edges: Vec<_> = star.into_iter().chain(both).collect();
    let graph = graph(5000, edges, false);
    check(&graph, 1);
    check(&graph, 4);
    let options = CdlpOptions { max_iterations: 1 };
    // Two edges lead from it to each of these.
    assert_eq!(loaded(&graph).cdlp(&options).unwrap().labels[0], 1999);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn multigraphs(
        edges in prop::collection::vec((0..40u32, 0..40u32), 0..300),
        undirected in any::<bool>(),
    ) {
        check(&multigraph(42, edges, undirected), 3);
    }
}

#[test]
fn graphs_without_edges() {
    for vertices in [0, 1, 3] {
        check(
            &GraphBuilder::new().vertices(vertices).build(Vec::<(u32, u32)>::new().into()).unwrap(),
            2,
        );
    }
}

#[test]
fn memory_is_required_before_it_is_taken() {
    let graph = generated("rmat:scale=11,directed=true");
    for megabyte in [1u64 << 10, 1 << 14] {
        let device = with_memory(megabyte);
        let loaded = LoadedGraph::new(&device, &graph).unwrap();
        assert!(loaded.cdlp(&CdlpOptions::default()).is_err());
        assert!(loaded.lcc().is_err());
    }
}

#[test]
fn numbers_of_triangles_are_verified_on_the_device() {
    let graph = generated("rmat:scale=9");
    let loaded = loaded(&graph);
    let (options, right) = (LccOptions::default(), loaded.lcc().unwrap());
    let verdict = right.check_in_place(&loaded, &options).unwrap();
    assert!(verdict.text().ends_with("checked on the device"), "{}", verdict.text());
    let vertex = right.closed.iter().position(|&closed| closed > 2).unwrap();
    for change in [1, 2] {
        let mut wrong: Lcc = right.clone();
        wrong.closed[vertex] -= change;
        assert!(wrong.check_in_place(&loaded, &options).is_err(), "{change}");
    }
    let directed = generated("rmat:scale=9,directed=true");
    let loaded = self::loaded(&directed);
    let verdict = loaded.lcc().unwrap().check_in_place(&loaded, &options).unwrap();
    assert!(verdict.is_proved() && !verdict.text().contains("device"));
}
