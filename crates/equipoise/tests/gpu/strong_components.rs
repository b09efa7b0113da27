//! Strongly connected components on a GPU: the same labels as on the cpu.

use equipoise::{
    LoadedGraph,
    components::{ComponentsOptions, ComponentsStrategy, components},
    graph::{Edges, Graph, GraphBuilder},
};
use proptest::prelude::*;

use super::search::{device, directed, made, with_memory};

const STRONG: ComponentsOptions =
    ComponentsOptions { strategy: ComponentsStrategy::ForwardBackward, strong: true };

fn check(graph: &Graph) {
    let expected = components(graph, &STRONG).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let found = there.components(&STRONG).unwrap();
    found.verify(graph).unwrap();
    assert_eq!(found.labels, expected.labels);
    let steps = |found: &equipoise::Trace| {
        found.steps.iter().map(|step| (step.strategy.clone(), step.found)).collect::<Vec<_>>()
    };
    assert_eq!(steps(&found.trace), steps(&expected.trace));
}

#[test]
fn shapes() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=2000,directed=true",
        "path:n=900",
        "cycle:n=1000,directed=true",
        "star:n=3000,directed=true",
        "rmat:scale=9,edge-factor=3,directed=true",
        "er:n=900,m=1100,directed=true",
        "er:n=900,m=2500,directed=true",
    ] {
        check(&made(spec));
    }
}

/// Components of two, each with an edge to the next, so that what is left falls into parts again and again.
#[test]
fn a_chain_of_pairs_is_colored() {
    let pairs = (0..300u32).flat_map(|pair| {
        let (a, b) = (2 * pair, 2 * pair + 1);
        [(a, b), (b, a), (b, (b + 1) % 600)]
    });
    // The last pair leads nowhere: otherwise all were one component.
    check(&directed(600, pairs.filter(|&(_, target)| target != 0).chain([(1, 0)]).collect()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (1..60u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..120))
        }),
        undirected in any::<bool>(),
    ) {
        match undirected {
            true => {
                let builder = GraphBuilder::new().vertices(vertices.into()).undirected(true);
                check(&builder.build(Edges::from(edges)).unwrap());
            }
            false => check(&directed(vertices, edges)),
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = made("path:n=9000,directed=true");
    let error =
        LoadedGraph::new(&with_memory(100_000), &graph).and_then(|there| there.components(&STRONG));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the strongly connected components of 9000 vertices needs"), "{error}");
}
