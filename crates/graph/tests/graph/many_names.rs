//! Tables with so many names that several threads read them in pieces.

use std::collections::BTreeSet;

use equipoise_graph::{
    Graph, VertexNames, Weights,
    io::{Format, ReadOptions, parse_graph},
};

use crate::common::on_threads;

/// A graph's edges by the names of their ends, each with the number that is its weight.
type Edge = (String, String, u32);

fn name(style: u32, number: u32) -> String {
    match style {
        0 => format!("user_{number:08}"),
        1 => format!("https://www.example.org/wiki/{}/page?id={number}", number % 7),
        2 => format!("Žluťoučký kůň {number:x}"),
        3 => format!("say \"{number}\", twice"),
        4 => "long ".repeat(60) + &number.to_string(),
        5 => "ab".repeat(number as usize % 40 + 1),
        // Some are numbers, but not all.
        _ => format!("{}{number}", ["", "0", "x"][number as usize % 3]),
    }
}

/// Edges between names of a style, so many times each that all pieces of a text have them.
fn edges(style: u32, lines: u32, names: u32) -> Vec<Edge> {
    let mut state = style + 1;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % names
    };
    (0..lines).map(|line| (name(style, random()), name(style, random()), line)).collect()
}

/// A table of the edges; with quotes around names that need them, and around some others.
fn table(edges: &[Edge], line_end: &str) -> String {
    let mut text = format!("source,target,weight{line_end}");
    for (source, target, weight) in edges {
        let [source, target] = [source, target].map(|name| {
            let needs_quotes = name.contains(['"', ',']);
            if needs_quotes || weight % 5 == 0 {
                format!("\"{}\"", name.replace('"', "\"\""))
            } else {
                name.clone()
            }
        });
        let blanks = if weight % 11 == 0 { "  " } else { "" };
        text += &format!("{source}{blanks},{target},{weight}{blanks}{line_end}");
        if weight % 101 == 0 {
            text += line_end;
        }
    }
    text
}

fn read_on(threads: usize, text: &str) -> Graph {
    let read = || parse_graph(text.as_bytes(), Format::Csv, &ReadOptions::default()).unwrap();
    on_threads(threads, read)
}

fn edges_of(graph: &Graph) -> Vec<Edge> {
    let coo = graph.coo().unwrap();
    let name = |vertex: u32| graph.ids().id(vertex).to_string();
    let weight = |edge: usize| graph.weights().map_or(0, |weights| weights.get(edge) as u32);
    let ends = coo.sources.iter().zip(coo.targets).enumerate();
    let mut edges: Vec<Edge> =
        ends.map(|(edge, (&source, &target))| (name(source), name(target), weight(edge))).collect();
    edges.sort_unstable_by_key(|edge| edge.2);
    edges
}

#[test]
fn names_ascend_whatever_the_number_of_threads() {
    for style in 0..7 {
        for (lines, names, line_end) in [(9000, 6000, "\n"), (20_000, 300, "\r\n"), (40, 7, "\n")] {
            let edges = edges(style, lines, names);
            let text = table(&edges, line_end);
            let ends = edges.iter().flat_map(|(source, target, _)| [source, target]);
            let expected: BTreeSet<&str> = ends.map(String::as_str).collect();
            let expected = VertexNames::new(expected).unwrap();
            let graph = read_on(1, &text);
            assert_eq!(graph.ids(), &equipoise_graph::VertexIds::Names(expected), "{style}");
            assert_eq!(edges_of(&graph), edges, "{style}");
            assert_eq!(graph.weights().map(Weights::type_name), Some("u32"));
            for threads in [2, 5] {
                assert_eq!(read_on(threads, &text), graph, "{style} on {threads} threads");
            }
            for vertex in [0, graph.vertices() / 2, graph.vertices() - 1] {
                let name = graph.ids().id(vertex).to_string();
                assert_eq!(graph.vertex(&*name), Some(vertex), "{name}");
            }
        }
    }
}

#[test]
fn numbers_in_a_table_with_other_columns_ascend_as_numbers() {
    let mut text = String::from("row,source,target\n");
    for row in 0..20_000u32 {
        text += &format!("{row},{},{}\n", row * 7 % 5003, row * 11 % 997);
    }
    let graph = read_on(1, &text);
    assert_eq!((graph.vertices(), graph.edges()), (5003, 20_000));
    assert_eq!((graph.vertex(10), graph.vertex("5002")), (Some(10), Some(5002)));
    assert_eq!(read_on(4, &text), graph);
}

#[test]
fn the_first_error_is_reported_whatever_the_number_of_threads() {
    let lines: Vec<String> = (0..20_000).map(|line| format!("a{line},b{}", line % 7)).collect();
    for (line, wrong, expected) in [
        (15_000, &b"x\xff,y"[..], "expected a name in UTF-8, found other bytes"),
        (3, b",y", "expected a name, found an empty cell"),
        (15_000, b"x,\"\"", "expected a name, found an empty cell"),
        (7, b"x", "expected a vertex in column 2, found the end of the line"),
        (15_000, b"x,y,z", "expected 2 cells, as in the first row, found 3"),
    ] {
        let mut lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
        lines[line] = wrong;
        // Errors in the lines after it, of every kind.
        lines[line + 1] = b"\"x,y";
        lines[line + 2] = b"\xfe,y";
        lines[19_999] = b"x";
        let text = lines.join(&b'\n');
        for threads in [1, 3] {
            let read = || parse_graph(&text, Format::Csv, &ReadOptions::default());
            let error = on_threads(threads, read).unwrap_err().to_string();
            assert_eq!(error, format!("input:{}: {expected}", line + 1));
        }
    }
}
