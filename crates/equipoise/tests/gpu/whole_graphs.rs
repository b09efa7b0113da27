//! What is particular to each algorithm on whole graphs on a GPU.

use equipoise::{
    LoadedGraph, Trace,
    betweenness::{BetweennessOptions, betweenness},
    communities::{CommunitiesOptions, CommunitiesStrategy, communities},
    components::{ComponentsOptions, ComponentsStrategy, components},
    device::Device,
    graph::{Edges, Graph},
    kcore::kcore,
    mis::{MisOptions, MisPriority},
    mst::{MstOptions, MstStrategy, mst},
    pagerank::{PageRankOptions, pagerank},
    triangles::{TrianglesOptions, TrianglesStrategy},
};
use proptest::prelude::*;

use crate::{
    common::{device, with_memory},
    graphs::{generated, graph, multigraph},
};

fn loaded(graph: &Graph) -> LoadedGraph<'_> {
    LoadedGraph::new(&device(), graph).unwrap()
}

/// What each step found, and how.
fn steps(trace: &Trace) -> Vec<(String, u64)> {
    trace.steps.iter().map(|step| (step.strategy.to_string(), step.found)).collect()
}

mod components {
    use super::*;

    #[test]
    fn the_trace_counts_joined_vertices() {
        let graph = generated("grid:width=40,height=50,drop=0.4");
        for strategy in [ComponentsStrategy::Afforest, ComponentsStrategy::Hooking] {
            let options = ComponentsOptions { strategy, strong: false };
            let components = loaded(&graph).components(&options).unwrap();
            let joined = u64::from(graph.vertices() - components.count);
            assert_eq!(components.trace.steps[0].found, joined, "{strategy}");
        }
    }

    /// Components of two, each with an edge to the next, so that the rest falls into parts again and again.
    #[test]
    fn strong_components_take_the_steps_of_the_cpu() {
        let pairs = (0..300u32).flat_map(|pair| {
            let (a, b) = (2 * pair, 2 * pair + 1);
            [(a, b), (b, a), (b, (b + 1) % 600)]
        });
        // The last pair leads nowhere: otherwise all were one component.
        let pairs: Vec<_> = pairs.filter(|&(_, target)| target != 0).chain([(1, 0)]).collect();
        let strategy = ComponentsStrategy::ForwardBackward;
        let options = ComponentsOptions { strategy, strong: true };
        let er = generated("er:n=900,m=2500,directed=true");
        for graph in [multigraph(600, pairs, false), er] {
            let expected = components(&graph, &options).unwrap();
            let result = loaded(&graph).components(&options).unwrap();
            result.verify(&graph).unwrap();
            assert_eq!(result.labels, expected.labels);
            assert_eq!(steps(&result.trace), steps(&expected.trace));
        }
    }
}

mod forests {
    use super::*;

    fn check(vertices: u32, edges: impl Into<Edges>) {
        let graph = multigraph(vertices, edges, true);
        let expected = mst(&graph, &MstOptions::default()).unwrap();
        for &strategy in MstStrategy::ALL {
            let forest = loaded(&graph).mst(&MstOptions { strategy }).unwrap();
            forest.verify(&graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
            assert_eq!(forest.edges, expected.edges, "{strategy}");
            assert_eq!(forest.weights, expected.weights, "{strategy}");
            assert_eq!((forest.total, forest.trees), (expected.total, expected.trees));
            assert_eq!(forest.trace.steps[0].found, expected.edges.len() as u64, "{strategy}");
        }
    }

    /// In the first round each vertex joins the one before: more steps to the root than a launch takes.
    #[test]
    fn trees_may_be_as_deep_as_a_path() {
        for weight in [|vertex| vertex, |vertex| 5000 - vertex] {
            let edges = (0..5000u32).map(|vertex| (vertex, vertex + 1, weight(vertex)));
            check(5001, edges.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_largest_weights_differ_from_no_edge() {
        check(3, vec![(0, 1, u32::MAX), (1, 2, u32::MAX), (2, 0, u32::MAX - 1)]);
        check(3, vec![(0, 1, f32::INFINITY), (1, 2, -0.0), (1, 2, 0.0), (0, 2, -2.5)]);
        let close = 1.0 + f64::EPSILON;
        check(4, vec![(0, 1, close), (1, 2, 1.0), (0, 2, -0.0), (2, 3, close), (1, 3, 7.0)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn equal_and_negative_weights(
            edges in prop::collection::vec((0..60u32, 0..60u32, -4..5i32), 0..500),
        ) {
            let real = edges.iter().map(|&(a, b, weight)| (a, b, weight as f32 / 3.0));
            check(60, real.collect::<Vec<_>>());
            let whole = edges.iter().map(|&(a, b, weight)| (a, b, (weight + 4) as u32));
            check(60, whole.collect::<Vec<_>>());
        }
    }

    #[test]
    fn directed_graphs_are_refused() {
        let graph = generated("er:n=90,m=200,directed=true");
        let error = loaded(&graph).mst(&MstOptions::default()).unwrap_err().to_string();
        assert!(error.contains("needs an undirected graph"), "{error}");
    }
}

mod cores {
    use super::*;

    fn check(graph: &Graph) {
        let cores = loaded(graph).kcore().unwrap();
        cores.verify(graph).unwrap();
        assert_eq!(cores.cores, kcore(graph).unwrap().cores);
    }

    /// Levels between those of a clique and of its tail have no vertices.
    #[test]
    fn empty_levels_are_skipped() {
        let clique = (0..100u32).flat_map(|a| (0..a).map(move |b| (a, b)));
        let edges: Vec<_> = clique.chain([(99, 100), (100, 101)]).collect();
        check(&graph(102, edges, true));
    }

    #[test]
    fn a_level_may_be_wider_than_one_cube_examines_at_a_time() {
        check(&generated("er:n=20000,m=50000"));
    }
}

mod independent_sets {
    use super::*;

    #[test]
    fn no_round_is_superfluous() {
        let graph = generated("rmat:scale=10,edge-factor=8");
        for &priority in MisPriority::ALL {
            let options = MisOptions { priority, ..MisOptions::default() };
            let steps = loaded(&graph).mis(&options).unwrap().trace.steps;
            let decided: u64 = steps.iter().map(|step| step.found).sum();
            assert_eq!(decided, u64::from(graph.vertices()), "{priority}");
            assert!(steps.iter().all(|step| step.frontier > 0), "{priority}");
        }
    }

    /// With random priorities the hub of a star joins for some seeds: a plane excludes all of its neighbours.
    #[test]
    fn a_vertex_with_many_neighbours_joins() {
        let star = generated("star:n=40");
        let loaded = loaded(&star);
        let joins = |seed| {
            let options = MisOptions { priority: MisPriority::Random, seed };
            let set = loaded.mis(&options).unwrap();
            set.verify(&star, &options).unwrap();
            set.in_set[0]
        };
        assert!((0..400).any(joins));
    }
}

mod triangles {
    use super::*;

    #[test]
    fn the_trace_counts_triangles() {
        let graph = generated("complete:n=90");
        let triangles = loaded(&graph).triangles(&TrianglesOptions::default()).unwrap();
        assert_eq!(triangles.trace.steps[0].found, 90 * 89 * 88 / 6);
    }

    #[test]
    fn bitmaps_are_refused() {
        let options = TrianglesOptions { strategy: TrianglesStrategy::Bitmap };
        let error = loaded(&generated("path:n=3")).triangles(&options).unwrap_err().to_string();
        assert!(error.contains("`bitmap` is for the cpu only"), "{error}");
    }
}

mod betweenness {
    use super::*;

    fn check(graph: &Graph, options: &BetweennessOptions) {
        let expected = betweenness(graph, options).unwrap();
        let result = loaded(graph).betweenness(options).unwrap();
        result.verify(graph, options).unwrap();
        assert!(result.single_precision);
        assert_eq!((result.sources, result.exact), (expected.sources, expected.exact));
        assert_eq!(result.trace.steps[0].found, expected.trace.steps[0].found);
        for (vertex, (value, expected)) in
            result.vertices.iter().zip(&expected.vertices).enumerate()
        {
            let is_near = (value - expected).abs() <= 1e-5 * expected;
            assert!(is_near, "vertex {vertex}: {value}, not {expected}");
        }
    }

    /// A search for distances takes a tenth of a second on a GPU in software.
    fn from_three(graph: &Graph) -> BetweennessOptions {
        let sources = (0..graph.vertices()).step_by(graph.vertices().div_ceil(3) as usize);
        let sources = Some(sources.collect());
        BetweennessOptions { sources, weighted: true, ..BetweennessOptions::default() }
    }

    #[test]
    fn all_sources() {
        for spec in ["path:n=70", "rmat:scale=7,edge-factor=12", "er:n=100,m=250,directed=true"] {
            let endpoints = BetweennessOptions { endpoints: true, ..BetweennessOptions::default() };
            check(&generated(spec), &endpoints);
            check(&generated(spec), &BetweennessOptions { unnormalized: true, ..endpoints });
        }
    }

    /// Path counts of this grid are far beyond numbers of 32 bits, up to 2 to the power of 300.
    #[test]
    fn counts_beyond_32_bits_stay_finite() {
        let sources = Some(vec![0, 11_000]);
        let options = BetweennessOptions { sources, ..BetweennessOptions::default() };
        check(&generated("grid:width=150,height=150"), &options);
    }

    #[test]
    fn weights() {
        // In the first, many paths are equally long.
        for spec in ["grid:width=20,height=30,weights=1..2", "rmat:scale=8,weights=1..4"] {
            let graph = generated(spec);
            check(&graph, &from_three(&graph));
        }
        // The sum exceeds 32 bits, but along no shortest path.
        let graph =
            multigraph(4, vec![(0, 1, u32::MAX - 2), (0, 2, 1), (2, 1, 7), (1, 3, 5)], false);
        check(&graph, &from_three(&graph));
    }

    #[test]
    fn weights_beyond_32_bits_are_refused() {
        let refused =
            |graph: &Graph| loaded(graph).betweenness(&from_three(graph)).unwrap_err().to_string();
        let error = refused(&generated("path:n=9,weights=0.5..9"));
        assert!(error.contains("by whole weights only") && error.contains("the cpu"), "{error}");
        let far = vec![(0, 1, 3_000_000_000u32), (1, 2, 3_000_000_000)];
        let error = refused(&multigraph(3, far, false));
        assert!(
            error.contains("from vertex 0 to vertex 2") && error.contains("32 bits"),
            "{error}"
        );
    }

    #[test]
    fn little_memory_means_fewer_sources_at_a_time() {
        let graph = generated("star:n=2000");
        let sources = Some((0..40).map(|index| 50 * index).collect());
        let options = BetweennessOptions { sources, ..BetweennessOptions::default() };
        let groups = |bytes: u64| {
            let loaded = LoadedGraph::new(&with_memory(bytes), &graph).unwrap();
            loaded.betweenness(&options).unwrap().trace.steps[0].sub_steps
        };
        assert_eq!(groups(1 << 30), 1);
        assert!(groups(400_000) > 2);
    }
}

mod pagerank {
    use super::*;

    #[test]
    fn ranks_and_iterations_are_those_of_the_cpu() {
        let graph = generated("rmat:scale=9,directed=true,weights=1..9");
        let options = PageRankOptions::default();
        let expected = pagerank(&graph, &options).unwrap();
        let result = loaded(&graph).pagerank(&options).unwrap();
        let pairs = result.ranks.iter().zip(&expected.ranks);
        let apart: f64 = pairs.map(|(a, b)| f64::from((a - b).abs())).sum();
        assert!(apart < 1e-4, "{apart}");
        assert_eq!(result.converged, expected.converged);
        assert!(result.iterations.abs_diff(expected.iterations) < 4);
    }

    #[test]
    fn iterations_end_at_their_limit() {
        let graph = generated("rmat:scale=8");
        let loaded = loaded(&graph);
        for max_iterations in [1, 4, 6] {
            let options =
                PageRankOptions { max_iterations, tolerance: 0.0, ..PageRankOptions::default() };
            let ranks = loaded.pagerank(&options).unwrap();
            ranks.verify(&graph, &options).unwrap();
            assert_eq!((ranks.iterations, ranks.converged), (max_iterations, false));
        }
    }

    /// Each call must find what is cached for its own options.
    #[test]
    fn options_in_turns_on_one_graph() {
        let graph = generated("rmat:scale=7,directed=true,weights=1..9");
        let weighted = PageRankOptions::default();
        let unweighted = PageRankOptions { unweighted: true, ..weighted.clone() };
        let mut starts = vec![0.0; graph.vertices() as usize];
        starts[3] = 1.0;
        let personal = PageRankOptions { personalization: Some(starts), ..weighted.clone() };
        for device in [device(), Device::Cpu.open().unwrap()] {
            let loaded = LoadedGraph::new(&device, &graph).unwrap();
            for options in [&weighted, &unweighted, &personal, &weighted, &unweighted] {
                let ranks = loaded.pagerank(options).unwrap();
                ranks.verify(&graph, options).unwrap();
                let alone = LoadedGraph::new(&device, &graph).unwrap().pagerank(options).unwrap();
                assert_eq!(ranks.ranks, alone.ranks);
            }
        }
    }
}

mod communities {
    use super::*;

    fn labels() -> CommunitiesOptions {
        let strategy = CommunitiesStrategy::LabelPropagation;
        CommunitiesOptions { strategy, ..CommunitiesOptions::default() }
    }

    /// Requires as many sweeps with the same number of changes as on the CPU.
    fn check_labels(graph: &Graph, on_gpu: bool) {
        let expected = communities(graph, &labels()).unwrap();
        let result = loaded(graph).communities(&labels()).unwrap();
        result.verify(graph, &labels()).unwrap();
        assert_eq!(result.communities, expected.communities);
        assert_eq!(steps(&result.trace), steps(&expected.trace));
        assert_eq!((result.on_gpu, result.converged), (on_gpu, expected.converged));
    }

    #[test]
    fn labels_take_the_sweeps_of_the_cpu() {
        check_labels(&generated("rmat:scale=8,edge-factor=4,weights=1..9"), true);
    }

    #[test]
    fn weights_that_a_gpu_cannot_add_up_run_on_the_cpu() {
        check_labels(&multigraph(3, vec![(0, 1, 0.5f32), (1, 2, 2.0)], false), false);
        check_labels(&multigraph(3, vec![(0, 1, u32::MAX), (1, 2, 7)], false), false);
    }

    fn louvain(graph: &Graph, resolution: f64) -> Vec<u32> {
        let options = CommunitiesOptions { resolution, ..CommunitiesOptions::default() };
        let result = loaded(graph).communities(&options).unwrap();
        result.verify(graph, &options).unwrap();
        assert!(result.on_gpu);
        result.sizes()
    }

    #[test]
    fn louvain_finds_cliques_at_any_resolution() {
        let cliques = generated("cliques:count=20,size=12");
        assert_eq!(louvain(&cliques, 1.0), [12; 20]);
        let decimals = generated("rmat:scale=8,edge-factor=4,weights=0.1..0.9");
        let count = |resolution| louvain(&decimals, resolution).len();
        assert!(count(0.3) < count(3.0));
    }

    /// Strengths of communities exceed 32 bits, in which two of them would seem small.
    #[test]
    fn louvain_adds_up_beyond_32_bits() {
        let mut edges = Vec::new();
        for group in 0..6 {
            for (a, b) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 0), (1, 3)] {
                edges.push((4 * group + a, 4 * group + b, 1_400_000_000u32));
            }
            edges.push((4 * group, 4 * ((group + 1) % 6) + 1, 3));
        }
        assert_eq!(louvain(&graph(24, edges, true), 1.0), [4; 6]);
    }
}
