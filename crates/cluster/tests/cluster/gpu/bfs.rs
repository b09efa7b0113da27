//! Searches on GPUs.

use equipoise_cluster::{Alone, BfsDirection, BfsOptions, DistGraph, EdgeSlice, bfs, gpu};
use proptest::prelude::*;

use super::{cases, gpu_of, on_ranks};
use crate::whole::wholes;

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn levels_are_those_of_the_cpu(
        whole in wholes(),
        ranks in 1..4usize,
        direction in prop_oneof![Just(BfsDirection::Auto), Just(BfsDirection::Push), Just(BfsDirection::Pull)],
        max_depth in proptest::option::of(0..4u32),
        source in any::<u64>(),
    ) {
        prop_assume!(whole.vertices > 0);
        let source = source % whole.vertices;
        let pulls = direction == BfsDirection::Pull && !whole.undirected;
        let direction = if pulls { BfsDirection::Auto } else { direction };
        let options = BfsOptions { direction, max_depth };
        let pairs = on_ranks(ranks, |comm| {
            let graph = whole.build(comm);
            let expected = bfs(comm, &graph, source, &options).unwrap();
            let searches = gpu::Bfs::new(comm, &graph, &gpu_of(comm), &options).unwrap();
            // The second search must not depend on the first.
            searches.search(0).unwrap().verify(comm, &graph, &options).unwrap();
            let result = searches.search(source).unwrap();
            result.verify(comm, &graph, &options).unwrap();
            (result.levels, expected.levels)
        });
        for (result, expected) in pairs {
            prop_assert_eq!(result, expected);
        }
    }
}

#[test]
fn a_larger_graph_is_pushed_and_pulled() {
    let graph = equipoise_graph::load("rmat:scale=10", &Default::default()).unwrap();
    let coo = graph.coo().unwrap();
    let names: Vec<Vec<String>> = on_ranks(3, |comm| {
        let part = comm.rank() * coo.sources.len() / 3..(comm.rank() + 1) * coo.sources.len() / 3;
        let slice = EdgeSlice {
            sources: coo.sources[part.clone()].iter().map(|&vertex| vertex.into()).collect(),
            targets: coo.targets[part].iter().map(|&vertex| vertex.into()).collect(),
            undirected: true,
            ..EdgeSlice::new(graph.vertices().into())
        };
        let part = DistGraph::build(comm, slice).unwrap();
        let options = BfsOptions::default();
        let result =
            gpu::Bfs::new(comm, &part, &gpu_of(comm), &options).unwrap().search(0).unwrap();
        result.verify(comm, &part, &options).unwrap();
        assert_eq!(result.levels, bfs(comm, &part, 0, &options).unwrap().levels);
        result.trace.steps.iter().map(|step| step.name.to_string()).collect()
    });
    for names in names {
        assert!(
            ["push", "pull"].iter().all(|way| names.iter().any(|name| name == way)),
            "{names:?}"
        );
    }
}

#[test]
fn unsupported_options_are_refused() {
    let slice = EdgeSlice { sources: vec![0], targets: vec![1], ..EdgeSlice::new(2) };
    let graph = DistGraph::build(&Alone, slice).unwrap();
    let pull = BfsOptions { direction: BfsDirection::Pull, max_depth: None };
    let refused = gpu::Bfs::new(&Alone, &graph, &gpu_of(&Alone), &pull).err().unwrap();
    assert!(refused.to_string().starts_with("a GPU pulls over undirected graphs only"));
    let searches = gpu::Bfs::new(&Alone, &graph, &gpu_of(&Alone), &BfsOptions::default()).unwrap();
    let error = searches.search(2).unwrap_err().to_string();
    assert_eq!(error, "vertex 2 does not exist: the graph has 2 vertices, numbered from 0");
}
