//! Distances and predecessors, of whole and of floating-point weights.

use equipoise::{
    Distances, NONE,
    graph::{Graph, Weights},
    sssp::{Sssp, SsspOptions, sssp},
};
use proptest::prelude::*;

use super::{Shape, odd, random, rearranged};

/// A distance that can be changed: `u32`, `f32` or `f64`.
trait Length: Copy + PartialOrd + std::fmt::Debug {
    const FAR: Self;
    const ZERO: Self;
    fn of(graph: &Graph, edge: usize) -> Self;
    fn plus(self, other: Self) -> Self;
    /// What could stand in its place.
    fn wrong(self) -> Vec<Self>;
    fn wrap(all: Vec<Self>) -> Distances;
    fn unwrap(distances: &Distances) -> &[Self];
}

impl Length for u32 {
    const FAR: u32 = u32::MAX;
    const ZERO: u32 = 0;

    fn of(graph: &Graph, edge: usize) -> u32 {
        graph.weights().map_or(1, |weights| weights.get(edge) as u32)
    }

    fn plus(self, other: u32) -> u32 {
        self.saturating_add(other)
    }

    fn wrong(self) -> Vec<u32> {
        let near = [self.wrapping_sub(1), self.wrapping_add(1), self.wrapping_add(1 << 31)];
        near.into_iter().chain([0, 1, 2, 5, u32::MAX - 1, u32::MAX]).collect()
    }

    fn wrap(all: Vec<u32>) -> Distances {
        Distances::U32(all)
    }

    fn unwrap(distances: &Distances) -> &[u32] {
        let Distances::U32(all) = distances else { panic!("distances are u32") };
        all
    }
}

impl Length for f32 {
    const FAR: f32 = f32::INFINITY;
    const ZERO: f32 = 0.0;

    fn of(graph: &Graph, edge: usize) -> f32 {
        graph.weights().unwrap().get(edge) as f32
    }

    fn plus(self, other: f32) -> f32 {
        self + other
    }

    fn wrong(self) -> Vec<f32> {
        let near = [self.next_up(), self.next_down(), self - 1.0, self + 0.25, -self, f32::MAX];
        near.into_iter().chain([0.0, -0.0, -1.0, f32::NAN, f32::INFINITY, -f32::INFINITY]).collect()
    }

    fn wrap(all: Vec<f32>) -> Distances {
        Distances::F32(all)
    }

    fn unwrap(distances: &Distances) -> &[f32] {
        let Distances::F32(all) = distances else { panic!("distances are f32") };
        all
    }
}

impl Length for f64 {
    const FAR: f64 = f64::INFINITY;
    const ZERO: f64 = 0.0;

    fn of(graph: &Graph, edge: usize) -> f64 {
        graph.weights().unwrap().get(edge)
    }

    fn plus(self, other: f64) -> f64 {
        self + other
    }

    fn wrong(self) -> Vec<f64> {
        let near = [self.next_up(), self.next_down(), self - 1.0, self + 0.25, -self, f64::MAX];
        near.into_iter().chain([0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, -f64::INFINITY]).collect()
    }

    fn wrap(all: Vec<f64>) -> Distances {
        Distances::F64(all)
    }

    fn unwrap(distances: &Distances) -> &[f64] {
        let Distances::F64(all) = distances else { panic!("distances are f64") };
        all
    }
}

/// The true distances, up to the target's, by going over all edges again and again.
fn true_distances<L: Length>(graph: &Graph, source: u32, options: &SsspOptions) -> Vec<L> {
    let mut all = vec![L::FAR; graph.vertices() as usize];
    all[source as usize] = L::ZERO;
    for _ in 0..graph.vertices() {
        for vertex in 0..graph.vertices() {
            for edge in graph.csr().range(vertex) {
                let target = graph.csr().indices()[edge] as usize;
                let sum = all[vertex as usize].plus(L::of(graph, edge));
                if sum < all[target] {
                    all[target] = sum;
                }
            }
        }
    }
    let last = options.target.map_or(L::FAR, |target| all[target as usize]);
    all.iter().map(|&length| if length > last { L::FAR } else { length }).collect()
}

fn is_right<L: Length>(graph: &Graph, paths: &Sssp, options: &SsspOptions) -> bool {
    let all = true_distances::<L>(graph, paths.source, options);
    let vertices = graph.vertices();
    let is_before = |before: u32, vertex: u32| {
        before < vertices
            && graph.csr().range(before).any(|edge| {
                graph.csr().indices()[edge] == vertex
                    && all[before as usize].plus(L::of(graph, edge)) == all[vertex as usize]
            })
    };
    let leads_to_source = |mut vertex: u32| {
        for _ in 0..vertices {
            if vertex == paths.source {
                return paths.predecessors[vertex as usize] == vertex;
            }
            let before = paths.predecessors[vertex as usize];
            if !is_before(before, vertex) {
                return false;
            }
            vertex = before;
        }
        false
    };
    let is_told = |vertex: u32| {
        if all[vertex as usize] < L::FAR {
            leads_to_source(vertex)
        } else {
            paths.predecessors[vertex as usize] == NONE
        }
    };
    L::unwrap(&paths.distances) == all
        && paths.predecessors.len() == all.len()
        && (0..vertices).all(is_told)
        && (paths.reached, paths.edges) == counts(graph, &all)
        && paths.complete == (all == true_distances(graph, paths.source, &SsspOptions::default()))
}

fn counts<L: Length>(graph: &Graph, distances: &[L]) -> (u32, u64) {
    let vertices = (0..graph.vertices()).zip(distances).filter(|&(_, &length)| length < L::FAR);
    vertices.fold((0, 0), |(reached, edges), (vertex, _)| {
        (reached + 1, edges + graph.degree(vertex) as u64)
    })
}

/// Everything that could have been told instead. `other` is the graph of another shape.
fn mutants<L: Length>(
    shape: &Shape,
    graph: &Graph,
    right: &Sssp,
    other: impl Fn(&Shape) -> Graph,
) -> Vec<Sssp> {
    let vertices = graph.vertices();
    let lengths = L::unwrap(&right.distances);
    let (mut all, mut whole) = (Vec::new(), Vec::new());
    let mut add = |lengths: &[L], predecessors: &[u32]| {
        let (reached, edges) = counts(graph, lengths);
        let distances = L::wrap(lengths.to_vec());
        let predecessors = predecessors.to_vec();
        let mutant = Sssp { distances, predecessors, reached, edges, ..right.clone() };
        all.push(Sssp { complete: !right.complete, ..mutant.clone() });
        all.push(mutant);
    };
    for vertex in 0..vertices as usize {
        for length in lengths[vertex].wrong().into_iter().chain(lengths.to_vec()) {
            for predecessor in (0..=vertices).chain([NONE]) {
                let (mut lengths, mut predecessors) =
                    (lengths.to_vec(), right.predecessors.clone());
                (lengths[vertex], predecessors[vertex]) = (length, predecessor);
                add(&lengths, &predecessors);
            }
        }
    }
    // Two predecessors at once: circles.
    for first in 0..vertices as usize {
        for second in 0..first {
            let mut circle = right.predecessors.clone();
            (circle[first], circle[second]) = (second as u32, first as u32);
            add(lengths, &circle);
        }
    }
    for lengths in rearranged(lengths, &[L::ZERO, L::FAR]) {
        add(&lengths, &right.predecessors);
    }
    for predecessors in rearranged(&right.predecessors, &[0, NONE]) {
        add(lengths, &predecessors);
    }
    for neighbour in shape.neighbours() {
        let paths = sssp(&other(&neighbour), right.source, &SsspOptions::default()).unwrap();
        add(L::unwrap(&paths.distances), &paths.predecessors);
    }
    for source in 0..vertices {
        for target in [None, Some(source), Some(vertices / 2)] {
            let options = SsspOptions { target, ..SsspOptions::default() };
            let paths = sssp(graph, source, &options).unwrap();
            add(L::unwrap(&paths.distances), &paths.predecessors);
            whole.push(paths);
        }
    }
    all.append(&mut whole);
    all.push(Sssp { reached: right.reached + 1, ..right.clone() });
    all.push(Sssp { edges: right.edges + 1, ..right.clone() });
    all.push(Sssp { source: vertices, ..right.clone() });
    all
}

fn verifier_agrees<L: Length>(shape: &Shape, made: impl Fn(&Shape) -> Graph) {
    let graph = made(shape);
    for target in [None, Some(graph.vertices() - 1)] {
        let options = SsspOptions { target, ..SsspOptions::default() };
        let right = sssp(&graph, 0, &options).unwrap();
        right.verify(&graph, &options).unwrap();
        for mutant in mutants::<L>(shape, &graph, &right, &made) {
            let verdict = mutant.verify(&graph, &options);
            let is_vertex = mutant.source < graph.vertices();
            let expected = is_vertex && is_right::<L>(&graph, &mutant, &options);
            assert_eq!(verdict.is_ok(), expected, "{shape:?} {target:?} {mutant:?}: {verdict:?}");
        }
        let of_another_kind = match graph.weights() {
            Some(Weights::F32(_) | Weights::F64(_)) => {
                Distances::U32(vec![0; graph.vertices() as usize])
            }
            _ => Distances::F32(vec![0.0; graph.vertices() as usize]),
        };
        let mutant = Sssp { distances: of_another_kind, ..right };
        assert!(mutant.verify(&graph, &options).is_err());
    }
}

fn all_weights(shape: &Shape) {
    verifier_agrees::<u32>(shape, Shape::unweighted);
    verifier_agrees::<u32>(shape, Shape::whole);
    verifier_agrees::<f32>(shape, Shape::real);
    verifier_agrees::<f64>(shape, Shape::double);
}

#[test]
fn odd_graphs() {
    odd().iter().for_each(all_weights);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn random_graphs(shape in random()) {
        all_weights(&shape);
    }
}
