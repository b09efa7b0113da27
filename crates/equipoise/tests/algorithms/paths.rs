//! Distances between vertices against brute force, and sums that are not right against the verifier.

use equipoise::{
    graph::{Duplicates, Edges, Graph, GraphBuilder, io::ReadOptions, load},
    paths::{Paths, PathsOptions, paths},
};
use proptest::prelude::*;

fn found(graph: &Graph, options: &PathsOptions) -> Paths {
    let found = paths(graph, options).unwrap();
    found.verify(graph, options).unwrap_or_else(|error| panic!("{error}"));
    found
}

fn loaded(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

/// The distance of every pair, by relaxing all edges until nothing changes.
fn all_pairs(vertices: u32, edges: &[(u32, u32, u32)], undirected: bool) -> Vec<Vec<f64>> {
    let from = |source: u32| {
        let mut far = vec![f64::INFINITY; vertices as usize];
        far[source as usize] = 0.0;
        for _ in 0..vertices {
            for &(a, b, weight) in edges {
                let (a, b, weight) = (a as usize, b as usize, f64::from(weight));
                far[b] = far[b].min(far[a] + weight);
                if undirected {
                    far[a] = far[a].min(far[b] + weight);
                }
            }
        }
        far
    };
    (0..vertices).map(from).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn any_graph_has_the_paths_of_brute_force(
        (vertices, edges) in (1..24u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..5u32), 0..60))
        }),
        undirected in any::<bool>(),
        weighted in any::<bool>(),
        within in 0..4u32,
        sampled in any::<bool>(),
    ) {
        let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
        let builder = builder.duplicates(Duplicates::Keep);
        let graph = builder.build(Edges::from(edges.clone())).unwrap();
        let sources: Vec<u32> = (0..vertices).step_by(if sampled { 3 } else { 1 }).collect();
        let options = PathsOptions {
            sources: sampled.then(|| sources.clone()),
            weighted,
            within: Some(within.into()),
        };
        let edges: Vec<_> =
            edges.iter().map(|&(a, b, w)| (a, b, if weighted { w } else { 1 })).collect();
        let far = all_pairs(vertices, &edges, undirected);
        let found = found(&graph, &options);
        for (place, &source) in sources.iter().enumerate() {
            let row = far[source as usize].iter().filter(|far| far.is_finite());
            let most = row.clone().copied().fold(0.0, f64::max);
            prop_assert_eq!(found.eccentricities[place], most);
            let near = row.filter(|far| **far <= f64::from(within)).count() as u32 - 1;
            prop_assert_eq!(found.within.as_ref().unwrap()[place], near);
        }
        let longest = far.iter().flatten().filter(|far| far.is_finite()).copied().fold(0.0, f64::max);
        prop_assert!(found.diameter <= longest && found.most_diameter.is_none_or(|most| most >= longest));
        if !sampled {
            prop_assert_eq!(found.diameter, longest);
            for vertex in 0..vertices as usize {
                let to = |source: u32| far[source as usize][vertex];
                let others = sources.iter().filter(|&&source| source as usize != vertex);
                let reach: Vec<f64> = others.map(|&source| to(source)).filter(|far| far.is_finite()).collect();
                let (count, sum) = (reach.len() as f64, reach.iter().sum::<f64>());
                let all = f64::from(vertices - 1).max(1.0);
                let closeness = if sum > 0.0 { count / sum * (count / all) } else { 0.0 };
                prop_assert!((found.closeness[vertex] - closeness).abs() < 1e-12);
                let harmonic: f64 = reach.iter().filter(|far| **far > 0.0).map(|far| 1.0 / far).sum();
                prop_assert!((found.harmonic[vertex] - harmonic).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn known_shapes() {
    for (spec, diameter, radius, connected) in [
        ("isolated:n=0", 0.0, 0.0, true),
        ("isolated:n=1", 0.0, 0.0, true),
        ("isolated:n=9", 0.0, 0.0, false),
        ("path:n=700", 699.0, 350.0, true),
        ("star:n=300", 2.0, 1.0, true),
        ("cycle:n=101", 50.0, 50.0, true),
        ("complete:n=20", 1.0, 1.0, true),
    ] {
        let found = found(&loaded(spec), &PathsOptions::default());
        assert_eq!((found.diameter, found.radius), (diameter, radius), "{spec}");
        assert_eq!(found.connected, connected, "{spec}");
        assert!(found.center().len() + found.periphery().len() <= 2 * found.sources.len());
    }
}

/// The middle of a path sees half of it, and the search from the farthest vertex all of it.
#[test]
fn bounds_hold_and_the_farthest_vertex_is_searched_from() {
    let graph = loaded("path:n=1001");
    let options = PathsOptions { sources: Some(vec![500]), ..PathsOptions::default() };
    let found = found(&graph, &options);
    assert_eq!((found.eccentricities[0], found.diameter), (500.0, 1000.0));
    assert_eq!((found.most_diameter, found.exact), (Some(1000.0), false));
}

#[test]
fn what_cannot_be_is_refused() {
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 2.0f32), (1, 0, -1.0)])).unwrap();
    let plain = PathsOptions::default();
    for (options, problem) in [
        (PathsOptions { weighted: true, ..plain.clone() }, "has weight -1"),
        (PathsOptions { sources: Some(vec![0, 7]), ..plain.clone() }, "vertex 7 does not exist"),
        (PathsOptions { within: Some(-1.0), ..plain.clone() }, "`within` is -1"),
        (PathsOptions { within: Some(f64::NAN), ..plain.clone() }, "`within` is NaN"),
    ] {
        let error = paths(&graph, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    found(&graph, &plain);
}

#[test]
fn wrong_paths_are_told() {
    for spec in ["path:n=40", "path:n=400"] {
        let graph = loaded(spec);
        let options = PathsOptions { within: Some(2.0), ..PathsOptions::default() };
        let right = found(&graph, &options);
        let mut wrong = vec![right.clone(); 8];
        wrong[0].eccentricities[0] += 1.0;
        wrong[1].closeness[0] *= 1.001;
        wrong[2].harmonic[0] *= 1.001;
        wrong[3].within.as_mut().unwrap()[0] += 1;
        wrong[4].diameter += 1.0;
        wrong[5].radius -= 1.0;
        wrong[6].harmonic.pop();
        wrong[7].most_diameter = Some(1.0);
        for (index, wrong) in wrong.iter().enumerate() {
            assert!(wrong.verify(&graph, &options).is_err(), "{spec}: {index}");
        }
        let torn = loaded("components:n=20");
        let whole = Paths { connected: true, ..found(&torn, &options) };
        let error = whole.verify(&torn, &options).unwrap_err().to_string();
        assert!(error.contains("not all vertices can be reached"), "{error}");
    }
}
