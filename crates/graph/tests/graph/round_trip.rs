//! Whatever a writer writes reads back equal, in every format and compression, or is rejected.

use equipoise_graph::{
    Edges, Error, Graph, GraphBuilder, Matrix, Value, VertexIds, VertexNames, Weights,
    io::{
        Format, ReadOptions, parse_graph, parse_matrix, print_graph, print_matrix, read_graph,
        read_matrix, write_graph, write_matrix,
    },
};
use proptest::{
    collection::{btree_set, vec},
    num,
    prelude::*,
};

fn weights(count: usize) -> BoxedStrategy<Option<Weights>> {
    let reals = num::f32::NORMAL | num::f32::SUBNORMAL | num::f32::ZERO;
    let reals = vec(reals | num::f32::POSITIVE | num::f32::NEGATIVE, count);
    prop_oneof![
        Just(None),
        vec(0..5u32, count).prop_map(|weights| Some(weights.into())),
        vec(any::<u32>(), count).prop_map(|weights| Some(weights.into())),
        vec((0..5u8).prop_map(f32::from), count).prop_map(|weights| Some(weights.into())),
        reals.prop_map(|weights| Some(weights.into())),
        vec((-99_999..99_999i32).prop_map(|weight| f64::from(weight) / 7.0), count)
            .prop_map(|weights| Some(weights.into())),
    ]
    .boxed()
}

fn ids(vertices: u32) -> BoxedStrategy<VertexIds> {
    let gaps = vec(1..1u64 << 40, vertices as usize);
    let table = gaps.prop_map(|gaps| {
        let ascending = gaps.iter().scan(0, |id, gap| {
            *id += gap;
            Some(*id)
        });
        VertexIds::Table(ascending.collect::<Vec<u64>>().into())
    });
    let names = btree_set("[a-c{\\x0c# \"\\\\,;|%é0-2-]{1,4}", vertices as usize);
    let names = names.prop_map(|names| {
        let names = VertexNames::new(names.iter().map(String::as_str));
        VertexIds::Names(names.unwrap())
    });
    prop_oneof![
        names,
        Just(VertexIds::Dense { first: 0 }),
        Just(VertexIds::Dense { first: 1 }),
        any::<u32>().prop_map(|first| VertexIds::Dense { first: first.into() }),
        table,
    ]
    .boxed()
}

/// Small graphs, dense enough for self-loops and parallel edges, sparse enough for vertices without
/// edges.
fn graphs() -> BoxedStrategy<Graph> {
    let ends = (0..10u32).prop_flat_map(|vertices| {
        let most = if vertices == 0 { 0 } else { 30 };
        let vertex = 0..vertices.max(1);
        (Just(vertices), vec((vertex.clone(), vertex), 0..=most), ids(vertices), any::<bool>())
    });
    let parts = ends.prop_flat_map(|(vertices, ends, ids, undirected)| {
        let weights = weights(ends.len());
        (Just((vertices, ends, ids, undirected)), weights)
    });
    parts
        .prop_map(|((vertices, ends, ids, undirected), weights)| {
            let (sources, targets) = ends.into_iter().unzip();
            GraphBuilder::new()
                .vertices(vertices.into())
                .undirected(undirected)
                .ids(ids)
                .build(Edges::new(sources, targets, weights).unwrap())
                .unwrap()
        })
        .boxed()
}

/// A word that the message must contain if the format cannot represent the graph.
fn obstacle(format: Format, graph: &Graph) -> Option<&'static str> {
    let (weighted, real) = match graph.weights() {
        None => (false, false),
        Some(weights) => (true, !matches!(weights, Weights::U32(_))),
    };
    let has_loop = (0..graph.vertices()).any(|vertex| graph.neighbors(vertex).contains(&vertex));
    let last_is_alone = graph
        .vertices()
        .checked_sub(1)
        .is_some_and(|last| graph.degree(last) == 0 && !graph.csr().indices().contains(&last));
    let too_large =
        |weights: &Weights| (0..weights.len()).any(|edge| weights.get(edge) > f64::from(i32::MAX));
    let first_of = |obstacles: &[(bool, &'static str)]| {
        obstacles.iter().find_map(|&(there, word)| there.then_some(word))
    };
    match format {
        Format::MatrixMarket | Format::EdgeList | Format::Gml | Format::Eqp => None,
        Format::Csv | Format::Tsv => None,
        Format::Graphalytics => Some("a single stream"),
        Format::GraphMl => first_of(&[(has_control_letter(graph), "the name of a vertex")]),
        Format::Dimacs => first_of(&[(!weighted, "without weights")]),
        Format::Metis => first_of(&[
            (!graph.is_undirected(), "directed"),
            (real, "not whole numbers"),
            (has_loop, "self-loop"),
        ]),
        Format::GapEdges => first_of(&[(weighted, "weights"), (last_is_alone, "last vertex")]),
        Format::GapWeightedEdges => {
            first_of(&[(!weighted, "without weights"), (last_is_alone, "last vertex")])
        }
        Format::GapGraph => first_of(&[(weighted, "weights")]),
        Format::GapWeightedGraph => first_of(&[
            (!weighted, "without weights"),
            (real, "only whole numbers"),
            (graph.weights().is_some_and(too_large), "the weight"),
        ]),
    }
}

fn has_control_letter(graph: &Graph) -> bool {
    match graph.ids() {
        VertexIds::Names(names) => names.iter().any(|name| name.contains('\x0c')),
        _ => false,
    }
}

/// The ids of vertices with these words: numbers, if all words are numerals.
fn ids_of_words(words: &[String]) -> VertexIds {
    let number =
        |word: &String| word.parse().ok().filter(|number: &u64| number.to_string() == *word);
    let Some(mut numbers) = words.iter().map(number).collect::<Option<Vec<u64>>>() else {
        let mut sorted: Vec<&str> = words.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        return VertexIds::Names(VertexNames::new(sorted).unwrap());
    };
    numbers.sort_unstable();
    let is_dense = |first: u64| (first..).zip(&numbers).all(|(number, &found)| number == found);
    match [0, 1].into_iter().find(|&first| is_dense(first)) {
        Some(first) => VertexIds::Dense { first },
        None => VertexIds::Table(numbers.into()),
    }
}

/// The graph as read by a reader that identifies vertices by words only and orders them by these.
fn by_words(graph: &Graph) -> Graph {
    let words: Vec<String> =
        (0..graph.vertices()).map(|vertex| graph.ids().id(vertex).to_string()).collect();
    let ids = ids_of_words(&words);
    let vertex = |old: u32| ids.vertex(&*words[old as usize], graph.vertices()).unwrap();
    let coo = graph.coo().unwrap();
    let [sources, targets] =
        [&coo.sources, coo.targets].map(|ends| ends.iter().map(|&end| vertex(end)).collect());
    let edges = Edges::new(sources, targets, graph.weights().map(in_64_bits)).unwrap();
    let built = GraphBuilder::new().vertices(graph.vertices().into()).build(edges).unwrap();
    let (csr, weights) = (built.csr().clone(), built.weights().cloned());
    Graph::from_csr(csr, weights, graph.is_undirected()).unwrap().with_ids(ids).unwrap()
}

/// The weights as read without a requested type: the shortest decimals that are equal in 32 bits.
fn in_64_bits(weights: &Weights) -> Weights {
    let wide = |weight: &f32| format!("{weight:?}").parse::<f64>().unwrap();
    match weights {
        Weights::F32(all) => all.iter().map(wide).collect::<Vec<_>>().into(),
        weights => weights.clone(),
    }
}

/// Whether a format stores edges only.
fn is_table(format: Format) -> bool {
    matches!(format, Format::Csv | Format::Tsv)
}

/// Each edge as in a table: the names of its ends, and its 64-bit weight. Sorted by words, because
/// names of digits read back as numbers.
fn edges_of(graph: &Graph) -> Vec<String> {
    let (coo, weights) = (graph.coo().unwrap(), graph.weights().map(in_64_bits));
    let edge = |edge: usize| {
        let [from, to] = [coo.sources[edge], coo.targets[edge]].map(|end| graph.ids().id(end));
        let weight = weights.as_ref().map(|weights| weights.get(edge));
        format!("{from} {to} {weight:?}")
    };
    let mut edges: Vec<String> = (0..coo.targets.len()).map(edge).collect();
    edges.sort_unstable();
    edges
}

/// The graph as a format represents it: some count vertices in their own way, some only have
/// directed edges.
fn as_represented_by(format: Format, graph: &Graph) -> Graph {
    match format {
        Format::GraphMl => return by_words(graph),
        Format::Gml if graph.edges() > 0 => return by_words(graph),
        Format::Gml => return by_words(&graph.clone().with_weights(None).unwrap()),
        _ => {}
    }
    let ids = match format {
        Format::EdgeList | Format::Eqp => graph.ids().clone(),
        Format::MatrixMarket | Format::Dimacs | Format::Metis => VertexIds::Dense { first: 1 },
        _ => VertexIds::Dense { first: 0 },
    };
    let tells_direction =
        !matches!(format, Format::Dimacs | Format::GapEdges | Format::GapWeightedEdges);
    let undirected = graph.is_undirected() && tells_direction;
    // These do not store the type of weights.
    let weights = match format {
        Format::Dimacs | Format::GapWeightedEdges if graph.edges() == 0 => {
            Some(vec![0u32; 0].into())
        }
        // These do not store the precision of real weights, which become 64-bit.
        Format::MatrixMarket | Format::Dimacs | Format::GapWeightedEdges => {
            graph.weights().map(in_64_bits)
        }
        _ => graph.weights().cloned(),
    };
    Graph::from_csr(graph.csr().clone(), weights, undirected).unwrap().with_ids(ids).unwrap()
}

fn matrices<T: Value>(values: impl Strategy<Value = T> + 'static) -> BoxedStrategy<Matrix<T>> {
    let places = (0..8u32, 0..8u32).prop_flat_map(|(rows, columns)| {
        let most = if rows == 0 || columns == 0 { 0 } else { 20 };
        let places = vec((0..rows.max(1), 0..columns.max(1)), 0..=most);
        (Just(rows), Just(columns), places)
    });
    (places, vec(values, 20))
        .prop_map(|((rows, columns, places), values)| {
            let entries = places.into_iter().zip(values);
            let entries: Vec<_> =
                entries.map(|((row, column), value)| (row, column, value)).collect();
            Matrix::from_entries(rows, columns, &entries).unwrap()
        })
        .boxed()
}

fn check_matrix<T: Value>(matrix: &Matrix<T>) {
    for format in [Format::MatrixMarket, Format::Eqp] {
        let mut bytes = Vec::new();
        print_matrix(matrix, format, &mut bytes).unwrap();
        let again = parse_matrix::<T>(&bytes, format, &ReadOptions::default()).unwrap();
        assert_eq!(&again, matrix, "{format}");
    }
}

const COMPRESSED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn graphs_read_back_equal_or_are_refused(graph in graphs()) {
        for &format in Format::ALL {
            let mut bytes = Vec::new();
            match (print_graph(&graph, format, &mut bytes), obstacle(format, &graph)) {
                (Ok(()), None) if is_table(format) => {
                    let undirected = graph.is_undirected();
                    let options = ReadOptions { undirected, ..Default::default() };
                    let again = parse_graph(&bytes, format, &options).unwrap();
                    prop_assert_eq!(edges_of(&again), edges_of(&graph), "{}", format);
                }
                (Ok(()), None) => {
                    let again = parse_graph(&bytes, format, &ReadOptions::default());
                    prop_assert_eq!(again.unwrap(), as_represented_by(format, &graph), "{}", format);
                }
                (Err(Error::Unsupported { format: name, what }), Some(word)) => {
                    prop_assert_eq!(name, format.name());
                    prop_assert!(what.contains(word), "{}: {}", format, what);
                }
                (result, obstacle) => panic!("{format}: {result:?}, but {obstacle:?}"),
            }
        }
    }

    #[test]
    fn matrices_of_f64_read_back_equal(matrix in matrices(num::f64::NORMAL | num::f64::ZERO)) {
        check_matrix(&matrix);
    }

    #[test]
    fn matrices_of_f32_read_back_equal(matrix in matrices(num::f32::NORMAL | num::f32::ZERO)) {
        check_matrix(&matrix);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn files_read_back_equal(graph in graphs(), matrix in matrices((-9..9i8).prop_map(f64::from))) {
        let folder = tempfile::tempdir().unwrap();
        let options = ReadOptions::default();
        for &format in Format::ALL.iter().filter(|format| !is_table(**format)) {
            let name = format!("graph.{}", format.name());
            let packed = COMPRESSED.map(|extension| format!("{name}.{extension}"));
            for name in packed.iter().chain([&name]) {
                let path = folder.path().join(name);
                match (write_graph(&graph, &path, None), obstacle(format, &graph)) {
                    (Ok(()), None) => {
                        let again = read_graph(&path, &options).unwrap();
                        again.check().unwrap();
                        prop_assert_eq!(again, as_represented_by(format, &graph), "{}", name);
                    }
                    (Err(_), Some(_)) => prop_assert!(!path.exists()),
                    (result, obstacle) => panic!("{name}: {result:?}, but {obstacle:?}"),
                }
            }
        }
        for name in ["matrix.mtx", "matrix.mtx.zst", "matrix.eqp", "matrix.eqp.gz"] {
            let path = folder.path().join(name);
            write_matrix(&matrix, &path, None).unwrap();
            let again = read_matrix::<f64>(&path, &options).unwrap();
            again.check().unwrap();
            prop_assert_eq!(&again, &matrix, "{}", name);
        }
    }
}
