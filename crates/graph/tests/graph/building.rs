//! The storage, the builder and the matrix compared with plain maps.

use std::collections::BTreeMap;

use equipoise_graph::{
    Csr, Duplicates, Edges, Error, Graph, GraphBuilder, Matrix, SelfLoops, VertexIds, Weights,
};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::common::on_threads;

/// Edges as (source, target, weight).
type List = Vec<(u32, u32, u32)>;

#[derive(Clone, Copy, Debug)]
struct BuilderOptions {
    vertices: Option<u64>,
    undirected: bool,
    duplicates: Duplicates,
    self_loops: SelfLoops,
}

impl BuilderOptions {
    fn builder(&self) -> GraphBuilder {
        let builder = GraphBuilder::new()
            .undirected(self.undirected)
            .duplicates(self.duplicates)
            .self_loops(self.self_loops);
        self.vertices.into_iter().fold(builder, GraphBuilder::vertices)
    }

    /// The weights of all edges between each pair of vertices, in the order of the list.
    fn oracle(&self, list: &List) -> BTreeMap<(u32, u32), Vec<u32>> {
        let mut map: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for &(source, target, weight) in list {
            if source == target && self.self_loops == SelfLoops::Drop {
                continue;
            }
            map.entry((source, target)).or_default().push(weight);
            if self.undirected && source != target {
                map.entry((target, source)).or_default().push(weight);
            }
        }
        if self.duplicates == Duplicates::Drop {
            for weights in map.values_mut() {
                *weights = weights.iter().min().copied().into_iter().collect();
            }
        }
        map
    }
}

fn wishes() -> impl Strategy<Value = BuilderOptions> {
    let choices = (
        any::<bool>(),
        any::<bool>(),
        select(vec![Duplicates::Keep, Duplicates::Drop]),
        select(vec![SelfLoops::Keep, SelfLoops::Drop]),
    );
    choices.prop_map(|(fixed, undirected, duplicates, self_loops)| BuilderOptions {
        vertices: fixed.then_some(50),
        undirected,
        duplicates,
        self_loops,
    })
}

fn lists() -> impl Strategy<Value = List> {
    (1..50u32).prop_flat_map(|n| vec((0..n, 0..n, 0..20u32), 0..120))
}

/// Pseudo-random edges, equal in every run, with duplicates.
fn many(count: u32, vertices: u32) -> List {
    let scatter = |i: u32| i.wrapping_mul(0x9e37_79b1).rotate_right(13).wrapping_mul(0x85eb_ca6b);
    (0..count)
        .map(|i| (scatter(i) % vertices, scatter(i ^ 0x5bd1_e995) % vertices, scatter(!i) >> 20))
        .map(|(source, target, weight)| (source, target % (source % 97 + 1), weight))
        .collect()
}

/// The edges of a graph in the form of the oracle.
fn listed(graph: &Graph) -> BTreeMap<(u32, u32), Vec<u32>> {
    let mut map: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    let coo = graph.coo().unwrap();
    for (edge, (&source, &target)) in coo.sources.iter().zip(coo.targets).enumerate() {
        let weight = coo.weights.map_or(0, |weights| weights.get(edge) as u32);
        map.entry((source, target)).or_default().push(weight);
    }
    map
}

fn without_weights(list: &List) -> Edges {
    list.iter().map(|&(source, target, _)| (source, target)).collect::<Vec<_>>().into()
}

fn with_floats(list: &List) -> Edges {
    list.iter().map(|&(s, t, weight)| (s, t, weight as f32)).collect::<Vec<_>>().into()
}

fn assert_built_right(wishes: BuilderOptions, list: &List) {
    let builder = wishes.builder();
    let expected = wishes.oracle(list);
    let graph = builder.build(list.clone().into()).unwrap();
    assert_eq!(listed(&graph), expected);
    assert_eq!(graph.is_undirected(), wishes.undirected);
    let needed = list.iter().map(|edge| u64::from(edge.0.max(edge.1)) + 1).max().unwrap_or(0);
    assert_eq!(u64::from(graph.vertices()), wishes.vertices.unwrap_or(needed));
    assert!(matches!(graph.weights(), Some(Weights::U32(_))));
    // What was built passes the checks of external data.
    let csr = graph.csr();
    let again = Csr::new(csr.columns(), csr.offsets().to_vec(), csr.indices().to_vec()).unwrap();
    let again = Graph::from_csr(again, graph.weights().cloned(), wishes.undirected).unwrap();
    assert_eq!(again, graph);

    let floats = builder.build(with_floats(list)).unwrap();
    assert_eq!(listed(&floats), expected);
    assert!(matches!(floats.weights(), Some(Weights::F32(_))));
    let plain = builder.build(without_weights(list)).unwrap();
    assert_eq!((plain.csr(), plain.weights()), (graph.csr(), None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_builder_agrees_with_a_map(wishes in wishes(), list in lists()) {
        assert_built_right(wishes, &list);
    }

    #[test]
    fn transposing_reverses_every_edge(list in lists()) {
        let graph = GraphBuilder::new().vertices(50).build(list.clone().into()).unwrap();
        let transpose = graph.transpose().unwrap();
        let mut reversed: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for ((source, target), weights) in listed(&graph) {
            reversed.insert((target, source), weights);
        }
        prop_assert_eq!(listed(transpose), reversed);
        prop_assert_eq!(transpose.transpose().unwrap(), &graph);
    }

    #[test]
    fn matrix_entries_are_summed(
        (rows, columns) in (0..20u32, 0..20u32),
        entries in vec((0..20u32, 0..20u32, -8..8i8), 0..120),
    ) {
        let entries: Vec<(u32, u32, f64)> = entries.into_iter()
            .filter(|entry| entry.0 < rows && entry.1 < columns)
            .map(|(row, column, value)| (row, column, f64::from(value) / 4.0))
            .collect();
        let matrix = Matrix::from_entries(rows, columns, &entries).unwrap();
        prop_assert_eq!((matrix.rows(), matrix.columns()), (rows, columns));
        let mut expected: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (row, column, value) in entries {
            *expected.entry((row, column)).or_insert(0.0) += value;
        }
        prop_assert_eq!(&cells(&matrix), &expected);
        let transpose = matrix.transpose().unwrap();
        prop_assert_eq!((transpose.rows(), transpose.columns()), (columns, rows));
        let turned: BTreeMap<_, _> = expected.into_iter().map(|((r, c), v)| ((c, r), v)).collect();
        prop_assert_eq!(cells(&transpose), turned);
        prop_assert_eq!(transpose.transpose().unwrap(), matrix);
    }

    #[test]
    fn a_graph_is_a_matrix_and_back(wishes in wishes(), list in lists()) {
        let graph = wishes.builder().build(list.clone().into()).unwrap();
        let matrix = Matrix::<f64>::from_graph(&graph).unwrap();
        let sum = |weights: Vec<u32>| weights.into_iter().map(f64::from).sum::<f64>();
        let expected: BTreeMap<_, _> =
            listed(&graph).into_iter().map(|(pair, weights)| (pair, sum(weights))).collect();
        prop_assert_eq!(&cells(&matrix), &expected);
        let back = matrix.to_graph().unwrap();
        prop_assert_eq!(back.csr(), matrix.csr());
        prop_assert_eq!(Matrix::<f64>::from_graph(&back).unwrap(), matrix);
        let plain = wishes.builder().build(without_weights(&list)).unwrap();
        let counts: BTreeMap<_, _> = listed(&plain).into_iter()
            .map(|(pair, weights)| (pair, weights.len() as f64)).collect();
        prop_assert_eq!(cells(&Matrix::<f64>::from_graph(&plain).unwrap()), counts);
    }

    #[test]
    fn one_way_edges_are_found(list in lists(), undirected: bool) {
        let graph = GraphBuilder::new().vertices(50).undirected(undirected);
        let graph = graph.build(list.into()).unwrap();
        let map = listed(&graph);
        let sorted = |a: u32, b: u32| {
            let mut weights: Vec<u32> = map.get(&(a, b)).cloned().unwrap_or_default();
            weights.sort_unstable();
            weights
        };
        let symmetric = map.keys().all(|&(a, b)| sorted(a, b) == sorted(b, a));
        let claimed = Graph::from_csr(graph.csr().clone(), graph.weights().cloned(), true);
        prop_assert_eq!(claimed.is_ok(), symmetric);
        prop_assert!(symmetric || !undirected);
        if let Err(error) = claimed {
            prop_assert!(matches!(error, Error::Structure(_)));
        }
    }
}

fn cells(matrix: &Matrix<f64>) -> BTreeMap<(u32, u32), f64> {
    let cells = |row| {
        let (columns, values) = matrix.row(row);
        columns.iter().zip(values).map(move |(&column, &value)| ((row, column), value))
    };
    (0..matrix.rows()).flat_map(cells).collect()
}

#[test]
fn large_lists_that_fill_many_buckets_are_built_right() {
    use {Duplicates as D, SelfLoops as L};
    // One vertex with all edges, few vertices, as many vertices as edges, and far more vertices.
    for (vertices, undirected, duplicates, self_loops) in [
        (1, true, D::Keep, L::Keep),
        (100, true, D::Drop, L::Drop),
        (100, false, D::Keep, L::Drop),
        (300_000, true, D::Keep, L::Keep),
        (300_000, false, D::Drop, L::Keep),
        (1 << 22, true, D::Drop, L::Drop),
    ] {
        let wishes = BuilderOptions { vertices: None, undirected, duplicates, self_loops };
        assert_built_right(wishes, &many(200_000, vertices));
    }
}

#[test]
fn columns_of_all_32_bits_are_sorted() {
    let entries: Vec<(u32, u32, f64)> =
        (0..50_000u32).map(|i| (i % 7, i.wrapping_mul(0x9e37_79b1) % u32::MAX, i.into())).collect();
    let matrix = Matrix::from_entries(7, u32::MAX, &entries).unwrap();
    let expected: BTreeMap<_, _> = entries.iter().map(|&(r, c, value)| ((r, c), value)).collect();
    assert_eq!(cells(&matrix), expected);
    assert!((0..7).all(|row| matrix.row(row).0.is_sorted()));
}

#[test]
fn threads_change_nothing() {
    let list = many(300_000, 5000);
    let on = |threads| {
        on_threads(threads, || {
            let graph = GraphBuilder::new().build(with_floats(&list)).unwrap();
            let transpose = graph.transpose().unwrap().clone();
            let entries: Vec<(u32, u32, f32)> =
                list.iter().map(|&(s, t, w)| (s, t, 0.1 + w as f32)).collect();
            let matrix = Matrix::from_entries(5000, 5000, &entries).unwrap();
            assert_eq!(transpose.transpose().unwrap(), &graph);
            (graph, transpose, matrix)
        })
    };
    let alone = on(1);
    assert!(alone == on(2));
    assert!(alone == on(7));
}

#[test]
fn vertices_out_of_range_are_refused() {
    let two = GraphBuilder::new().vertices(2);
    let error = two.build(Edges::from(vec![(0, 2)])).unwrap_err();
    assert!(matches!(error, Error::VertexOutOfRange { vertex: 2, vertices: 2 }));
    let error = GraphBuilder::new().vertices(1 << 32).build(Edges::default()).unwrap_err();
    assert!(matches!(error, Error::TooMany { count: 4_294_967_296, .. }));
    let error = GraphBuilder::new().build(Edges::from(vec![(0, u32::MAX)])).unwrap_err();
    assert!(matches!(error, Error::TooMany { count: 4_294_967_296, .. }));
    for (row, column) in [(2, 0), (0, 3), (u32::MAX, u32::MAX)] {
        assert!(Matrix::from_entries(2, 3, &[(row, column, 1.0f32)]).is_err());
    }
}

#[test]
fn ids_must_be_one_a_vertex_and_ascend() {
    let with = |ids: Vec<u64>| {
        GraphBuilder::new().ids(VertexIds::Table(ids.into())).build(Edges::from(vec![(0, 1)]))
    };
    assert_eq!(with(vec![5, 9]).unwrap().vertex(9), Some(1));
    for ids in [vec![], vec![1], vec![1, 2, 3], vec![2, 1], vec![1, 1]] {
        assert!(with(ids.clone()).is_err(), "{ids:?}");
    }
}

#[test]
fn rows_that_contradict_themselves_are_refused() {
    for (columns, offsets, indices) in [
        (3, vec![], vec![]),
        (3, vec![1, 1], vec![]),
        (3, vec![0, 2], vec![0]),
        (3, vec![0, 1], vec![0, 1]),
        (3, vec![0, 2, 1, 3], vec![0, 1, 2]),
        (3, vec![0, u64::MAX, 1], vec![0]),
        (3, vec![0, 2], vec![1, 0]),
        (3, vec![0, 1], vec![3]),
        (0, vec![0, 1], vec![0]),
    ] {
        let refused = Csr::new(columns, offsets.clone(), indices.clone());
        assert!(matches!(refused, Err(Error::Structure(_))), "{offsets:?} {indices:?}");
    }
    assert!(Csr::new(3, vec![0, 0, 2, 2], vec![1, 1]).is_ok());
    let wide = Csr::new(3, vec![0, 0], vec![]).unwrap();
    assert!(matches!(Graph::from_csr(wide, None, false), Err(Error::NotSquare { .. })));
    let square = Csr::new(1, vec![0, 1], vec![0]).unwrap();
    let few = Graph::from_csr(square.clone(), Some(Weights::from(vec![1u32, 2])), false);
    assert!(matches!(few, Err(Error::Length { expected: 1, found: 2, .. })));
    assert!(Matrix::<f32>::from_csr(square, vec![]).is_err());
}
