//! Distances and next hops of all pairs.

use equipoise::{
    NONE,
    apsp::{Apsp, ApspOptions, PairDistances, apsp},
    graph::Graph,
};
use proptest::prelude::*;

use super::{Edge, Shape, odd, random, rearranged};
use crate::oracles::{all_distances, weight};

/// Whether all distances are told, to the last bit that a sum could be rounded in.
fn lengths_are_right(graph: &Graph, pairs: &Apsp) -> bool {
    let expected = all_distances(graph, true).concat();
    pairs.distances.len() == expected.len()
        && expected.iter().enumerate().all(|(place, &expected)| {
            let found = match &pairs.distances {
                PairDistances::F32(all) => f64::from(all[place]),
                PairDistances::F64(all) => all[place],
                whole => whole.get(place).unwrap_or(f64::INFINITY),
            };
            let is_near = (found - expected).abs() <= 1e-6 * expected;
            if expected == f64::INFINITY { found == expected } else { is_near }
        })
}

fn hops_are_right(graph: &Graph, hops: &[u32]) -> bool {
    let (all, vertices) = (all_distances(graph, true), graph.vertices());
    let at = |source: u32, target: u32| all[source as usize][target as usize];
    let hop = |source: u32, target: u32| hops[(source * vertices + target) as usize];
    let is_on_the_way = |source: u32, target: u32, hop: u32| {
        graph.csr().range(source).any(|edge| {
            graph.csr().indices()[edge] == hop
                && weight(graph, edge) + at(hop, target) == at(source, target)
        })
    };
    let leads = |source: u32, target: u32| {
        let mut last = source;
        for _ in 0..vertices {
            if last == target {
                return true;
            }
            let next = hop(last, target);
            if !is_on_the_way(last, target, next) {
                return false;
            }
            last = next;
        }
        last == target
    };
    let is_right = |source: u32, target: u32| {
        if source != target && at(source, target).is_finite() {
            leads(source, target)
        } else {
            hop(source, target) == NONE
        }
    };
    let pairs = (0..vertices).flat_map(|source| (0..vertices).map(move |target| (source, target)));
    hops.len() == all.len() * all.len() && { pairs }
        .all(|(source, target)| is_right(source, target))
}

/// The tables with each number changed in turn, and as a whole.
fn changed<T: Copy + PartialEq>(
    right: &[T],
    wrong: impl Fn(T) -> Vec<T>,
    initial: &[T],
) -> Vec<Vec<T>> {
    let mut all = rearranged(right, initial);
    for place in 0..right.len() {
        for value in wrong(right[place]).into_iter().chain(initial.to_vec()) {
            let mut table = right.to_vec();
            table[place] = value;
            all.push(table);
        }
    }
    all
}

fn tables_of(distances: &PairDistances) -> Vec<PairDistances> {
    match distances {
        PairDistances::U32(all) => {
            let wrong = |length: u32| {
                let near = [length.wrapping_add(1), length.wrapping_sub(1)];
                near.into_iter().chain([length ^ 1 << 31, u32::MAX / 2, u32::MAX - 1]).collect()
            };
            let tables = changed(all, wrong, &[0, u32::MAX]);
            tables.into_iter().map(|table| PairDistances::U32(table.into())).collect()
        }
        PairDistances::U64(_) => panic!("small weights fit 32 bits"),
        PairDistances::F32(all) => {
            let wrong = |length: f32| {
                let near = [length + 0.25, length - 0.25, -length, length * 1.01, f32::MAX];
                near.into_iter().chain([f32::NAN, -f32::INFINITY, f32::MIN_POSITIVE]).collect()
            };
            let tables = changed(all, wrong, &[0.0, f32::INFINITY]);
            tables.into_iter().map(|table| PairDistances::F32(table.into())).collect()
        }
        PairDistances::F64(all) => {
            let wrong = |length: f64| {
                let near = [length + 0.25, length - 0.25, -length, length * 1.01, f64::MAX];
                near.into_iter().chain([f64::NAN, -f64::INFINITY, f64::MIN_POSITIVE]).collect()
            };
            let tables = changed(all, wrong, &[0.0, f64::INFINITY]);
            tables.into_iter().map(|table| PairDistances::F64(table.into())).collect()
        }
    }
}

fn verifier_agrees(shape: &Shape, made: impl Fn(&Shape) -> Graph) {
    let graph = made(shape);
    let vertices = graph.vertices();
    let options = ApspOptions { next_hops: true, ..ApspOptions::default() };
    let right = apsp(&graph, &options).unwrap();
    right.verify(&graph).unwrap();
    let agrees = |mutant: &Apsp| {
        let verdict = mutant.verify(&graph);
        let expected = lengths_are_right(&graph, mutant)
            && mutant.next_hops.as_ref().is_none_or(|hops| hops_are_right(&graph, hops));
        assert_eq!(verdict.is_ok(), expected, "{shape:?} {mutant:?}: {verdict:?}");
    };
    for distances in tables_of(&right.distances) {
        agrees(&Apsp { distances: distances.clone(), next_hops: None, ..right.clone() });
        agrees(&Apsp { distances, ..right.clone() });
    }
    let hops = right.next_hops.as_ref().unwrap();
    for hops in changed(hops, |_| (0..=vertices).collect(), &[0, NONE]) {
        agrees(&Apsp { next_hops: Some(hops.into()), ..right.clone() });
    }
    for other in shape.neighbours() {
        let Apsp { distances, next_hops, .. } = apsp(&made(&other), &options).unwrap();
        agrees(&Apsp { distances: distances.clone(), ..right.clone() });
        agrees(&Apsp { next_hops: next_hops.clone(), ..right.clone() });
        agrees(&Apsp { distances, next_hops, ..right.clone() });
    }
    let other = Apsp { vertices: vertices + 1, ..right };
    assert!(other.verify(&graph).is_err());
}

fn all_weights(shape: &Shape) {
    verifier_agrees(shape, Shape::unweighted);
    verifier_agrees(shape, Shape::whole);
    verifier_agrees(shape, Shape::real);
    verifier_agrees(shape, Shape::double);
}

#[test]
fn odd_graphs() {
    odd().iter().for_each(all_weights);
    let empty = Shape::new(0, &[]).whole();
    let right = apsp(&empty, &ApspOptions::default()).unwrap();
    right.verify(&empty).unwrap();
    let longer = Apsp { distances: PairDistances::U32(vec![0].into()), ..right };
    assert!(longer.verify(&empty).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn random_graphs(shape in random()) {
        all_weights(&shape);
    }
}

/// What a device does wrong in a large graph is rarely one number: a block, a row, a column or a strip that was not worked
/// on. In the dense graph, not every row is compared with a search.
#[test]
fn blocks_of_large_graphs() {
    let side = 700u32;
    let ring = |v: u32| [(v, (v + 1) % side, v % 7 + 1), (v, v * v % side, 9)];
    blocks_are_rejected(side, &(0..side).flat_map(ring).collect::<Vec<_>>());
    let side = 400u32;
    let star = |v: u32| (0..side).map(move |other| (v, other, 5 + v * other % 9));
    blocks_are_rejected(side, &(0..side).flat_map(star).collect::<Vec<_>>());
}

fn blocks_are_rejected(side: u32, edges: &[Edge]) {
    let (graph, side) = (Shape::new(side, edges).whole(), side as usize);
    let options = ApspOptions { next_hops: true, ..ApspOptions::default() };
    let right = apsp(&graph, &options).unwrap();
    right.verify(&graph).unwrap();
    let PairDistances::U32(lengths) = &right.distances else { panic!("weights are whole") };
    let hops = right.next_hops.as_ref().unwrap();
    // Columns and rows of a tile, of a row, of a column, of a strip.
    for (rows, columns) in
        [(64..128, 128..192), (77..78, 0..side), (0..side, 77..78), (side - 60..side, 0..64)]
    {
        let place = |row: usize, column: usize| row * side + column;
        let places = || rows.clone().flat_map(|row| columns.clone().map(move |c| (row, c)));
        for change in [|_| 0, |_| u32::MAX, |length: u32| length + 1] {
            let mut lengths = lengths.to_vec();
            for (row, column) in places().filter(|(row, column)| row != column) {
                lengths[place(row, column)] = change(lengths[place(row, column)]);
            }
            let distances = PairDistances::U32(lengths.into());
            let mutant = Apsp { distances, next_hops: None, ..right.clone() };
            assert!(mutant.verify(&graph).is_err(), "{rows:?} {columns:?}");
        }
        let mut hops = hops.to_vec();
        places().for_each(|(row, column)| hops[place(row, column)] = NONE);
        let mutant = Apsp { next_hops: Some(hops.into()), ..right.clone() };
        assert!(mutant.verify(&graph).is_err(), "hops {rows:?} {columns:?}");
    }
}

/// Every pair of a sparse graph is compared, so that one wrong number is found wherever it is.
#[test]
fn single_numbers_of_a_large_graph() {
    let side = 300u32;
    let edges: Vec<_> = (0..side).map(|v| (v, (v + 1) % side, v % 7 + 1)).collect();
    let graph = Shape::new(side, &edges).whole();
    let right = apsp(&graph, &ApspOptions::default()).unwrap();
    let PairDistances::U32(lengths) = &right.distances else { panic!("weights are whole") };
    for place in (1..lengths.len()).step_by(997) {
        for wrong in [lengths[place] + 1, lengths[place].wrapping_sub(1), u32::MAX] {
            let mut lengths = lengths.to_vec();
            lengths[place] = wrong;
            let mutant = Apsp { distances: PairDistances::U32(lengths.into()), ..right.clone() };
            assert!(mutant.verify(&graph).is_err(), "{place} {wrong}");
        }
    }
}
