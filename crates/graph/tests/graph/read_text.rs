//! The meaning of valid text files.

use equipoise_graph::{
    Duplicates, Error, Graph, Matrix, SelfLoops, VertexId, VertexIds, Weights,
    io::{
        Format::{self, *},
        ReadOptions, parse_graph, parse_matrix,
    },
};

use crate::common::{mtx, on_threads, read};

fn matrix(text: &str) -> Matrix<f64> {
    parse_matrix(text.as_bytes(), MatrixMarket, &ReadOptions::default()).unwrap()
}

/// The edges with the ids of the file, and their weights or 0.
fn edges(graph: &Graph) -> Vec<(u64, u64, f64)> {
    let coo = graph.coo().unwrap();
    (0..coo.targets.len())
        .map(|edge| {
            let id = |vertex| match graph.ids().id(vertex) {
                VertexId::Number(number) => number,
                VertexId::Name(name) => panic!("{name} is no number"),
            };
            let weight = graph.weights().map_or(0.0, |weights| weights.get(edge));
            (id(coo.sources[edge]), id(coo.targets[edge]), weight)
        })
        .collect()
}

fn type_of_weights(graph: &Graph) -> &'static str {
    graph.weights().map_or("none", Weights::type_name)
}

#[test]
fn white_space_and_comments_do_not_matter() {
    let plain = [
        (MatrixMarket, mtx!("integer general", "3 3 2\n1 3 5\n3 2 6\n")),
        (EdgeList, "1 3 5\n3 2 6\n"),
        (Dimacs, "p sp 3 2\na 1 3 5\na 3 2 6\n"),
        (GapWeightedEdges, "0 2 5\n2 1 6\n"),
    ];
    for (format, text) in plain {
        let expected = read(format, text);
        let changes = [
            text.replace('\n', "\r\n"),
            text.trim_end().to_owned(),
            text.replace(' ', " \t "),
            text.replace('\n', " \n"),
            text.replace('\n', "\n\n \t\n"),
            text.replace("\n3", "\n  3").replace("\n2", "\n \t2"),
            text.replace('5', "+5"),
            text.replace('6', "000000000000000000000000006"),
        ];
        for changed in changes {
            assert!(read(format, &changed) == expected, "{format} {changed:?}");
        }
        let comments: &[&str] = match format {
            MatrixMarket => &["\n% x\n", "\n%%x 1 2\n  % y\n%\n"],
            EdgeList => &["\n# x\n", "\n% 1 2 3\n  # \u{fc} y\n%\n"],
            Dimacs => &["\nc x\n", "\nc\nc a 1 2 3\n"],
            _ => &[],
        };
        for comment in comments {
            // Edge lists have comments only before their first row.
            let commented = match format {
                EdgeList => format!("{comment}{text}"),
                _ => text.replace('\n', comment),
            };
            assert!(read(format, &commented) == expected, "{format} {comment:?}");
        }
    }
}

#[test]
fn matrix_market_as_a_graph() {
    let graph = read(MatrixMarket, mtx!("pattern general", "4 4 3\n1 2\n4 1\n1 2\n"));
    assert_eq!(edges(&graph), [(1, 2, 0.0), (1, 2, 0.0), (4, 1, 0.0)]);
    assert_eq!((graph.vertices(), graph.is_undirected()), (4, false));
    assert_eq!((type_of_weights(&graph), graph.ids()), ("none", &VertexIds::Dense { first: 1 }));

    let graph = read(MatrixMarket, mtx!("real SYMMETRIC", "3 3 2\n2 1 1.5e-1\n3 3 -2E+2\n"));
    assert_eq!(edges(&graph), [(1, 2, 0.15), (2, 1, 0.15), (3, 3, -200.0)]);
    assert!(graph.is_undirected());

    let graph = read(MatrixMarket, mtx!("real skew-symmetric", "3 3 2\n2 1 7\n3 2 -.5\n"));
    assert_eq!(edges(&graph), [(1, 2, -7.0), (2, 1, 7.0), (2, 3, 0.5), (3, 2, -0.5)]);
    assert!(!graph.is_undirected());
}

#[test]
fn matrix_market_integers_are_u32_where_they_can_be() {
    let weights = |text: &str| read(MatrixMarket, text).weights().cloned().unwrap();
    let text = mtx!("integer general", "2 2 2\n1 2 4294967295\n2 1 0\n");
    assert_eq!(weights(text), vec![4_294_967_295u32, 0].into());
    let text = mtx!("integer general", "2 2 2\n1 2 16777216\n2 1 -3\n");
    assert_eq!(weights(text), vec![16_777_216f64, -3.0].into());
    assert_eq!(weights(mtx!("integer general", "2 2 0\n")), Vec::<u32>::new().into());
    assert_eq!(weights(mtx!("real general", "2 2 0\n")), Vec::<f64>::new().into());
}

#[test]
fn matrix_market_as_a_matrix() {
    let general = matrix(mtx!("real general", "2 3 3\n1 3 0.1\n2 1 -5\n1 3 0.2\n"));
    let expected = Matrix::from_entries(2, 3, &[(0, 2, 0.1 + 0.2), (1, 0, -5.0)]).unwrap();
    assert_eq!(general, expected);

    let symmetric = matrix(mtx!("integer symmetric", "2 2 2\n2 1 -9007199254740991\n2 2 4\n"));
    let across = -9_007_199_254_740_991.0;
    let expected = [(0, 1, across), (1, 0, across), (1, 1, 4.0)];
    assert_eq!(symmetric, Matrix::from_entries(2, 2, &expected).unwrap());

    let skew = matrix(mtx!("integer skew-symmetric", "2 2 1\n2 1 3\n"));
    assert_eq!(skew, Matrix::from_entries(2, 2, &[(0, 1, -3.0), (1, 0, 3.0)]).unwrap());

    let pattern = matrix(mtx!("pattern general", "3 1 2\n1 1\n3 1\n"));
    assert_eq!(pattern, Matrix::from_entries(3, 1, &[(0, 0, 1.0), (2, 0, 1.0)]).unwrap());

    // The nearest f32 to this text is not the f32 nearest to its nearest f64.
    let text = mtx!("real general", "1 1 1\n1 1 1.00000017881393432617187499\n");
    let read = parse_matrix::<f32>(text.as_bytes(), MatrixMarket, &ReadOptions::default());
    assert_eq!(read.unwrap().values(), ["1.00000017881393432617187499".parse::<f32>().unwrap()]);
}

#[test]
fn a_matrix_heeds_the_options() {
    let text = mtx!("real general", "2 2 4\n1 1 9\n1 2 5\n1 2 3\n2 1 4\n");
    let read = |options: ReadOptions| {
        parse_matrix::<f64>(text.as_bytes(), MatrixMarket, &options).unwrap()
    };
    let entries = |entries: &[(u32, u32, f64)]| Matrix::from_entries(2, 2, entries).unwrap();
    let plain = ReadOptions::default();
    assert_eq!(read(plain), entries(&[(0, 0, 9.0), (0, 1, 8.0), (1, 0, 4.0)]));
    let dropped =
        ReadOptions { duplicates: Duplicates::Drop, self_loops: SelfLoops::Drop, ..plain };
    assert_eq!(read(dropped), entries(&[(0, 1, 3.0), (1, 0, 4.0)]));
    let undirected = ReadOptions { undirected: true, ..plain };
    assert_eq!(read(undirected), entries(&[(0, 0, 9.0), (0, 1, 12.0), (1, 0, 12.0)]));
}

#[test]
fn empty_and_single_vertex_graphs() {
    for (format, text, vertices) in [
        (MatrixMarket, mtx!("pattern general", "0 0 0\n"), 0),
        (MatrixMarket, mtx!("pattern symmetric", "1000000 1000000 0"), 1_000_000),
        (EdgeList, "", 0),
        (EdgeList, "# nothing\n", 0),
        (EdgeList, "# equipoise vertices=3 first-id=7\n", 3),
        (EdgeList, "5 5\n", 1),
        (Dimacs, "p sp 0 0", 0),
        (Dimacs, "p sp 1 0\n", 1),
        (Metis, "0 0\n", 0),
        (Metis, "1 0\n\n", 1),
        (GapEdges, "", 0),
        (GapEdges, "0 0\n", 1),
        (GapWeightedEdges, "", 0),
    ] {
        assert_eq!(read(format, text).vertices(), vertices, "{format} {text:?}");
    }
    assert_eq!(matrix(mtx!("real general", "0 5 0\n")).columns(), 5);
}

#[test]
fn edge_lists_keep_the_ids_of_the_file() {
    let ids = |text: &str| read(EdgeList, text).ids().clone();
    assert_eq!(ids("2 0\n0 1\n"), VertexIds::Dense { first: 0 });
    assert_eq!(ids("2 1\n3 1\n"), VertexIds::Dense { first: 1 });
    assert_eq!(ids("2 3\n"), VertexIds::Table(vec![2, 3].into()));
    assert_eq!(ids("0 2\n"), VertexIds::Table(vec![0, 2].into()));
    let far = "18446744073709551615,7\n7,4294967295\n";
    assert_eq!(ids(far), VertexIds::Table(vec![7, u32::MAX.into(), u64::MAX].into()));
    let expected = [(7, u32::MAX.into(), 0.0), (u64::MAX, 7, 0.0)];
    assert_eq!(edges(&read(EdgeList, far)), expected);
    let sparse = "4294967295 5\n5 100000\n";
    let expected = [(5, 100_000, 0.0), (u32::MAX.into(), 5, 0.0)];
    assert_eq!(edges(&read(EdgeList, sparse)), expected);
}

#[test]
fn edge_lists_tell_the_type_of_weights() {
    let weights = |text: &str| read(EdgeList, text).weights().cloned().unwrap();
    assert_eq!(weights("0 1 4294967295\n"), vec![u32::MAX].into());
    assert_eq!(weights("0 1 16777216\n1 0 0.5\n"), vec![16_777_216f64, 0.5].into());
    assert_eq!(weights("0 1 4294967296\n1 0 1e3\n"), vec![4_294_967_296f64, 1000.0].into());
    assert_eq!(weights("0,1,3\n1,0,-2\n"), vec![3f64, -2.0].into());
    assert_eq!(weights("0\t1\t3\n1\t0\t1e3\n"), vec![3f64, 1000.0].into());
    assert_eq!(weights("0 1 3 1082040961\n1 0 4 1082040962\n"), vec![3u32, 4].into());
}

#[test]
fn edge_lists_of_konect_tell_the_direction() {
    assert!(read(EdgeList, "% sym unweighted\n% 1 2 2\n1 2\n").is_undirected());
    assert!(!read(EdgeList, "% asym positive\n1 2 1 5\n").is_undirected());
    assert!(!read(EdgeList, "% symmetric\n1 2\n").is_undirected());
    assert!(!read(EdgeList, "# Undirected graph\n% sym\n1 2\n").is_undirected());
}

#[test]
fn edge_lists_of_our_own_tell_the_rest() {
    let text = "# equipoise vertices=4 undirected weights=f32\n# vertex 9\n#  vertex 3\n70 5 2\n";
    let graph = read(EdgeList, text);
    assert_eq!(graph.ids(), &VertexIds::Table(vec![3, 5, 9, 70].into()));
    assert_eq!(edges(&graph), [(5, 70, 2.0), (70, 5, 2.0)]);
    assert_eq!((graph.is_undirected(), type_of_weights(&graph)), (true, "f32"));
    // A comment in the same form by another program is only a comment.
    assert_eq!(read(EdgeList, "# vertex 9\n0 1\n").vertices(), 2);
}

#[test]
fn dimacs_and_gap_edges() {
    let graph = read(Dimacs, "c road\np sp 3 3\na 1 2 4\na 1 2 4\na 3 3 1.5\n");
    assert_eq!(edges(&graph), [(1, 2, 4.0), (1, 2, 4.0), (3, 3, 1.5)]);
    assert_eq!(type_of_weights(&graph), "f64");
    assert_eq!(type_of_weights(&read(Dimacs, "p sp 2 1\na 1 2 4\n")), "u32");

    let graph = read(GapEdges, "5 0\n0 2\n");
    assert_eq!((graph.vertices(), graph.ids()), (6, &VertexIds::Dense { first: 0 }));
    assert_eq!(edges(&read(GapWeightedEdges, "1 0 7\n")), [(1, 0, 7.0)]);
    assert_eq!(type_of_weights(&read(GapWeightedEdges, "1 0 7\n0 1 -1\n")), "f64");
}

#[test]
fn metis_formats() {
    // The triangle with a tail in the style of the METIS manual, in each of its formats.
    let plain = "% c\n4 4\n2 3\n1 3\n% c\n1 2 4\n3\n";
    let graph = read(Metis, plain);
    assert!(graph.is_undirected());
    assert_eq!(graph.neighbors(2), [0, 1, 3]);
    assert_eq!(graph.ids(), &VertexIds::Dense { first: 1 });
    for text in [
        "4 4 0\n3 2\n3 1\n4 1 2\n3\n\n\n",
        "4 4 10\n9 2 3\n9 1 3\n9 1 2 4\n9 3\n",
        "4 4 010 2\n9 9 2 3\n9 9 1 3\n9 9 1 2 4\n9 9 3\n",
        "4 4 100\r\n5 2 3\r\n5 1 3\r\n5 1 2 4\r\n5 3",
        "4 4 110 3\n5 9 9 9 2 3\n5 9 9 9 1 3\n5 9 9 9 1 2 4\n5 9 9 9 3\n",
    ] {
        assert!(read(Metis, text) == graph, "{text:?}");
    }
    let weighted = read(Metis, "4 4 1\n2 7 3 8\n1 7 3 6\n1 8 2 6 4 5\n3 5\n");
    assert_eq!(weighted.csr(), graph.csr());
    assert_eq!(weighted.weights(), Some(&vec![7u32, 8, 7, 6, 8, 6, 5, 5].into()));
    assert!(read(Metis, "4 4 011\n1 2 7 3 8\n1 1 7 3 6\n1 1 8 2 6 4 5\n1 3 5\n") == weighted);
    assert!(
        read(Metis, "4 4 111\n0 1 2 7 3 8\n0 1 1 7 3 6\n0 1 1 8 2 6 4 5\n0 1 3 5\n") == weighted
    );
    assert_eq!(read(Metis, "3 1\n\n3\n2\n").neighbors(0), []);
}

#[test]
fn options_shape_graphs_of_every_format() {
    let options = ReadOptions {
        undirected: true,
        duplicates: Duplicates::Drop,
        self_loops: SelfLoops::Drop,
        ..Default::default()
    };
    for (format, text) in [
        (MatrixMarket, mtx!("integer general", "2 2 3\n1 1 1\n1 2 5\n2 1 4\n")),
        (EdgeList, "1 1 1\n1 2 5\n2 1 4\n"),
        (Dimacs, "p sp 2 3\na 1 1 1\na 1 2 5\na 2 1 4\n"),
        (GapWeightedEdges, "0 0 1\n0 1 5\n1 0 4\n"),
        (Metis, "2 2 1\n2 5 2 4\n1 4 1 5\n"),
    ] {
        let graph = parse_graph(text.as_bytes(), format, &options).unwrap();
        assert!(graph.is_undirected());
        assert_eq!(graph.weights(), Some(&vec![4u32, 4].into()), "{format}");
    }
}

/// A text of several chunks whose boundaries fall on inconvenient positions.
fn long_text(lines: u32, line: impl Fn(u32, u32) -> String) -> String {
    (0..lines).map(|number| line(number.wrapping_mul(2_654_435_761) % 50_000, number)).collect()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let texts = [
        (
            MatrixMarket,
            "%%MatrixMarket matrix coordinate real symmetric\n50000 50000 90000\n".to_owned()
                + &long_text(90_000, |a, b| format!("{} {} {}.5\n", a + 1, b % 999 + 1, b % 7)),
        ),
        (
            EdgeList,
            long_text(90_000, |a, b| match b % 10_000 {
                77 => format!("\n \n{}\t{}\t0.25\n", a * 3, b),
                _ => format!("{}\t{}\t{}\n", a * 3, b, b % 9),
            }),
        ),
        (
            Dimacs,
            "p sp 90000 90000\n".to_owned()
                + &long_text(90_000, |a, b| format!("a {} {} {b}\n", b + 1, a + 1)),
        ),
        (GapEdges, long_text(90_000, |a, b| format!("{a} {b}\n"))),
        (
            Metis,
            "90000 90000\n".to_owned()
                + &(0..90_000u32)
                    .map(|v| format!("{} {}\n", (v + 1) % 90_000 + 1, (v + 89_999) % 90_000 + 1))
                    .collect::<String>(),
        ),
    ];
    for (format, text) in texts {
        let graphs = [1, 2, 5].map(|threads| on_threads(threads, || read(format, &text)));
        assert!(graphs[0].edges() >= 90_000);
        assert!(graphs[1] == graphs[0] && graphs[2] == graphs[0], "{format}");
    }
}

const TEXTS: [(Format, &str); 6] = [
    (MatrixMarket, mtx!("real general", "% c\n3 3 2\n1 2 0.5\n2 3 1.5\n")),
    (EdgeList, "# c\n0 1 7\n\n1 2 8\n"),
    (Dimacs, "c c\np sp 3 2\na 1 2 7\na 2 3 8\n"),
    (Metis, "% c\n3 2\n2\n1 3\n2\n"),
    (GapEdges, "0 1\n1 2\n"),
    (GapWeightedEdges, "0 1 7\n1 2 8\n"),
];

#[test]
fn a_text_is_the_same_with_any_line_ends_and_with_a_byte_order_mark() {
    for (format, text) in TEXTS {
        let expected = read(format, text);
        for line_end in ["\r\n", "\r", "\r\r\n"] {
            let other = text.replace('\n', line_end);
            assert_eq!(read(format, &other), expected, "{format} {line_end:?}");
            assert_eq!(read(format, &format!("\u{feff}{other}")), expected, "{format}");
        }
        assert_eq!(read(format, &format!("\u{feff}{text}")), expected, "{format}");
    }
}

#[test]
fn lines_are_counted_equally_with_any_line_ends() {
    for (format, text) in TEXTS {
        let wrong = format!("{text}x\n");
        let line = wrong.lines().count() as u64;
        for line_end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let other = format!("{mark}{}", wrong.replace('\n', line_end));
                let error = parse_graph(other.as_bytes(), format, &ReadOptions::default());
                let found = match error {
                    Err(Error::Parse { line: Some(line), .. } | Error::Unclear { line, .. }) => {
                        line
                    }
                    other => panic!("{format}: {other:?}"),
                };
                assert_eq!(found, line, "{format} {line_end:?}");
            }
        }
    }
}

#[test]
fn lines_that_end_in_two_ways_are_refused() {
    for text in ["0 1\n1 2\r2 3\n", "# c\r0 1\n", "0 1\r\n1 2\r2 3"] {
        let error = parse_graph(text.as_bytes(), EdgeList, &ReadOptions::default()).unwrap_err();
        let line = 1 + u64::from(!text.starts_with('#'));
        let expected = "expected a line feed after a carriage return, as other lines end by one";
        assert_eq!(error.to_string(), format!("input:{line}: {expected}"));
    }
}
