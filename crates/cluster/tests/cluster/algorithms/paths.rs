//! Shortest paths.

use equipoise_cluster::{Distances, Error, NONE, Sssp, SsspOptions, sssp};
use equipoise_graph::Weights;
use proptest::prelude::*;

use super::input::{Input, inputs, large, long_floats, short_floats, unweighted, whole};

/// Dijkstra's algorithm with a linear search for the nearest vertex.
fn dijkstra<D: Copy + PartialOrd, W: Copy>(
    input: &Input,
    source: usize,
    [zero, unreached]: [D; 2],
    weights: &[W],
    plus: impl Fn(D, W) -> D,
) -> Vec<D> {
    let mut distances = vec![unreached; input.vertices as usize];
    let mut settled = vec![false; distances.len()];
    let edges = input.directed();
    distances[source] = zero;
    loop {
        let open = (0..distances.len()).filter(|&v| !settled[v] && distances[v] < unreached);
        let nearest = open.min_by(|&a, &b| distances[a].partial_cmp(&distances[b]).unwrap());
        let Some(vertex) = nearest else { return distances };
        settled[vertex] = true;
        for &(_, target, edge) in edges.iter().filter(|edge| edge.0 == vertex) {
            let sum = plus(distances[vertex], weights[edge]);
            if sum < distances[target] {
                distances[target] = sum;
            }
        }
    }
}

/// The expected distances, in their expected type.
fn expected(input: &Input, source: u64) -> Distances {
    let source = source as usize;
    let whole = |weights: &[u32]| {
        let long = dijkstra(input, source, [0u64, u64::MAX], weights, |d, w| d + u64::from(w));
        if long.iter().any(|&distance| (u32::MAX.into()..u64::MAX).contains(&distance)) {
            Distances::U64(long)
        } else {
            let short = |distance: u64| u32::try_from(distance).unwrap_or(u32::MAX);
            Distances::U32(long.into_iter().map(short).collect())
        }
    };
    match &input.weights {
        None => whole(&vec![1; input.edges.len()]),
        Some(Weights::U32(weights)) => whole(weights),
        Some(Weights::F32(weights)) => {
            let limits = [0.0, f32::INFINITY];
            Distances::F32(dijkstra(input, source, limits, weights, |d, w| d + w))
        }
        Some(Weights::F64(weights)) => {
            let limits = [0.0, f64::INFINITY];
            Distances::F64(dijkstra(input, source, limits, weights, |d, w| d + w))
        }
    }
}

/// The results of all ranks as one.
fn together(result: &[Sssp]) -> Distances {
    let mut result = result.iter().map(|sssp| sssp.distances.clone());
    let first = result.next().unwrap();
    result.fold(first, |all, part| match (all, part) {
        (Distances::U32(all), Distances::U32(part)) => Distances::U32([all, part].concat()),
        (Distances::U64(all), Distances::U64(part)) => Distances::U64([all, part].concat()),
        (Distances::F32(all), Distances::F32(part)) => Distances::F32([all, part].concat()),
        (Distances::F64(all), Distances::F64(part)) => Distances::F64([all, part].concat()),
        (all, part) => panic!("{all:?} and {part:?} are of one graph"),
    })
}

/// Changes one entry, if any.
fn spoil(sssp: &mut Sssp, index: usize, by_predecessor: bool, other: u64) {
    if index >= sssp.predecessors.len() {
        return;
    }
    match &mut sssp.distances {
        _ if by_predecessor => sssp.predecessors[index] = other,
        Distances::U32(all) => all[index] = all[index].wrapping_sub(1),
        Distances::U64(all) => all[index] = all[index].wrapping_sub(1),
        Distances::F32(all) => all[index] = (all[index] - 0.5).min(7.0),
        Distances::F64(all) => all[index] = (all[index] - 0.5).min(7.0),
    }
}

proptest! {
    #[test]
    fn distances_are_those_of_dijkstra(
        input in inputs(&[unweighted, whole, large, short_floats, long_floats]),
        source in any::<prop::sample::Index>(),
        delta in prop_oneof![Just(None), (-12..12i32).prop_map(|power| Some(2f64.powi(power)))],
    ) {
        prop_assume!(input.vertices > 0);
        let source = source.index(input.vertices as usize) as u64;
        let options = SsspOptions { delta };
        let result = input.run(|comm, graph| {
            let result = sssp(comm, graph, source, &options).unwrap();
            result.verify(comm, graph).unwrap();
            result
        });
        let expected = expected(&input, source);
        prop_assert_eq!(together(&result), expected.clone());
        let is_reached = |vertex: usize| expected.get(vertex).is_some();
        let reached = (0..expected.len()).filter(|&vertex| is_reached(vertex)).count() as u64;
        let edges = input.directed().iter().filter(|edge| is_reached(edge.0)).count() as u64;
        prop_assert!(result.iter().all(|result| (result.reached, result.edges) == (reached, edges)));
        let before: Vec<u64> = result.iter().flat_map(|result| result.predecessors.clone()).collect();
        for (vertex, &before) in before.iter().enumerate() {
            prop_assert_eq!(before != NONE, is_reached(vertex));
            prop_assert!(leads_to(&result, vertex as u64, source));
        }
    }

    #[test]
    fn a_wrong_result_is_refused(
        input in inputs(&[unweighted, whole, short_floats, long_floats]),
        indices in any::<[prop::sample::Index; 3]>(),
        by_predecessor in any::<bool>(),
    ) {
        prop_assume!(input.vertices > 0);
        let [source, rank, index] = indices;
        let source = source.index(input.vertices as usize) as u64;
        let rank = rank.index(input.ranks);
        let outcomes = input.run(|comm, graph| {
            let right = sssp(comm, graph, source, &SsspOptions::default()).unwrap();
            let mut wrong = right.clone();
            if graph.rank() == rank {
                let index = index.index(right.predecessors.len().max(1));
                let other = (right.predecessors.get(index).copied().unwrap_or(0) / 2).max(source);
                spoil(&mut wrong, index, by_predecessor, other);
            }
            (right == wrong, wrong.verify(comm, graph).is_ok(), wrong)
        });
        let is_right = outcomes.iter().all(|outcome| outcome.0);
        let accepted = outcomes[0].1;
        prop_assert!(outcomes.iter().all(|outcome| outcome.1 == accepted));
        let result: Vec<Sssp> = outcomes.into_iter().map(|outcome| outcome.2).collect();
        // Another predecessor may be valid.
        let is_good = is_right || by_predecessor && is_tree(&input, &result, source);
        prop_assert_eq!(accepted, is_good);
    }
}

/// Whether the predecessors of a vertex end at the source, if it has any.
fn leads_to(result: &[Sssp], vertex: u64, source: u64) -> bool {
    let before: Vec<u64> = result.iter().flat_map(|result| result.predecessors.clone()).collect();
    let mut at = vertex;
    for _ in 0..=before.len() {
        match before.get(at as usize) {
            Some(&NONE) => return at == vertex,
            Some(&next) if next == at => return at == source,
            Some(&next) => at = next,
            None => return false,
        }
    }
    false
}

/// Whether every predecessor has an edge that gives the distance, and all lead to the source.
fn is_tree(input: &Input, result: &[Sssp], source: u64) -> bool {
    let distances = together(result);
    let before: Vec<u64> = result.iter().flat_map(|result| result.predecessors.clone()).collect();
    let edges = input.directed();
    (0..before.len()).all(|vertex| {
        let distance = distances.get(vertex);
        let is_tight = |&(from, to, edge): &(usize, usize, usize)| {
            let sum = distances.get(from).map(|from| match distances {
                Distances::F32(_) => f64::from(from as f32 + input.weight(edge) as f32),
                _ => from + input.weight(edge),
            });
            to == vertex && before[vertex] == from as u64 && sum == distance
        };
        let is_source = vertex as u64 == source && before[vertex] == source;
        let is_known = distance.is_some() == (before[vertex] != NONE);
        let has_edge = distance.is_none() || is_source || edges.iter().any(is_tight);
        let is_own = before[vertex] == vertex as u64 && !is_source;
        is_known && has_edge && !is_own && leads_to(result, vertex as u64, source)
    })
}

fn two_edges(weights: impl Into<Weights>) -> Input {
    Input {
        vertices: 3,
        edges: vec![(0, 1), (1, 2)],
        weights: Some(weights.into()),
        undirected: false,
        ranks: 3,
        round_limit: 64,
        first_share: 50,
    }
}

#[test]
fn sums_of_whole_weights_grow_to_64_bits() {
    let result = two_edges(vec![u32::MAX, u32::MAX])
        .run(|comm, graph| sssp(comm, graph, 0, &SsspOptions::default()).unwrap());
    let most = u64::from(u32::MAX);
    assert_eq!(together(&result), Distances::U64(vec![0, most, 2 * most]));
}

#[test]
fn sums_that_do_not_fit_and_bad_weights_are_refused_on_all_ranks() {
    let refused = |weights: Weights, source| {
        two_edges(weights).run(|comm, graph| {
            sssp(comm, graph, source, &SsspOptions::default()).unwrap_err().to_string()
        })
    };
    for message in refused(vec![f32::MAX, f32::MAX].into(), 0) {
        let too_far = Error::TooFar { source_id: 0, target_id: 2 }.to_string();
        assert_eq!(message, too_far);
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let messages = refused(vec![1.0, bad].into(), 0);
        assert!(messages.iter().all(|message| message.contains("the edge from 1 to 2 has weight")));
    }
    for message in refused(vec![1u32, 1].into(), 3) {
        assert!(
            message.ends_with("vertex 3 does not exist: the graph has 3 vertices"),
            "{message}"
        );
    }
}

#[test]
fn a_cycle_of_weight_zero_is_no_path() {
    // 1 and 2 could be each other's predecessors.
    let cycle = Input { edges: vec![(0, 1), (1, 2), (2, 1)], ..two_edges(vec![5u32, 0, 0]) };
    let outcomes = cycle.run(|comm, graph| {
        let mut result = sssp(comm, graph, 0, &SsspOptions::default()).unwrap();
        result.verify(comm, graph).unwrap();
        let owned = graph.partition.range(graph.rank());
        if owned.contains(&1) {
            result.predecessors[(1 - owned.start) as usize] = 2;
        }
        result.verify(comm, graph).unwrap_err().to_string()
    });
    assert!(outcomes.iter().all(|message| message.contains("lead back to them")), "{outcomes:?}");
}
