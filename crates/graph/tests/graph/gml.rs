//! GML: the meaning of files as written by NetworkX and others, and rejected files.

use equipoise_graph::{
    VertexIds,
    io::{
        Format::Gml,
        IdKind::{Auto, Names, Numbers},
        ReadOptions, parse_graph, print_graph,
    },
};

use crate::common::{assert_refused, check_cut, check_files_of_networkx, edges, read, read_as};

const PEOPLE: &str = include_str!("networkx/people.gml");
const ROADS: &str = include_str!("networkx/roads.gml");
const PARALLEL: &str = include_str!("networkx/parallel.gml");
const ONLY: &str = include_str!("networkx/only.gml");

#[test]
fn files_of_networkx() {
    // NetworkX writes whole numbers of more than 31 bits in quotes.
    check_files_of_networkx(Gml, [PEOPLE, ROADS, PARALLEL, ONLY]);
}

#[test]
fn vertices_are_called_by_labels_where_these_are_names() {
    let called = |first: &str, second: &str| {
        let text = format!("graph [ node [ id 5 {first} ] node [ id 3 {second} ] ]");
        let graph = read(Gml, &text);
        [0, 1].map(|vertex| graph.ids().id(vertex).to_string())
    };
    assert_eq!(called("label \"b\"", "label \"a\""), ["a", "b"]);
    assert_eq!(called("label \"12\"", "label 7"), ["7", "12"]);
    assert_eq!(called("", ""), ["3", "5"]);
    assert_eq!(called("label \"\"", ""), ["3", "5"]);
    assert_eq!(read_as(Gml, ROADS, Names, None).unwrap().ids().id(1), "10");
    let by_ids = read_as(Gml, PEOPLE, Numbers, None).unwrap();
    assert_eq!(by_ids.ids(), &VertexIds::Dense { first: 0 });
}

#[test]
fn labels_that_only_some_vertices_have_are_not_dropped() {
    let nodes = |second: &str, third: &str| {
        format!(
            "graph [\nnode [ id 5 label \"a\" ]\nnode [ id 3 {second} ]\nnode [ id 4 {third} ]\n]"
        )
    };
    for (second, third, line, part) in [
        ("label \"a\"", "label \"b\"", 3, "expected a label that no other vertex has, found \"a\""),
        ("", "label \"b\"", 3, "expected a label of this vertex, as others have one"),
        ("label \"b\"", "label \"\"", 4, "expected a label of this vertex, as others have one"),
        ("label \"b\"", "label \"b\"", 4, "found \"b\""),
    ] {
        let text = nodes(second, third);
        assert_refused(Gml, &text, Some(line), part);
        let by_ids = read_as(Gml, &text, Numbers, None).unwrap();
        assert_eq!(by_ids.ids(), &VertexIds::Table(vec![3, 4, 5].into()));
    }
}

#[test]
fn edges_without_a_weight_have_1_where_others_have_one() {
    let edges_of = |first: &str, second: &str| {
        edges(&read(
            Gml,
            &format!(
                "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 {first} ] \
                 edge [ source 2 target 1 {second} ] ]"
            ),
        ))
    };
    assert_eq!(edges_of("weight 5", ""), ["1>2 5", "2>1 1"]);
    assert_eq!(edges_of("", "weight 2.5"), ["1>2 1", "2>1 2.5"]);
    assert_eq!(edges_of("", ""), ["1>2", "2>1"]);
}

#[test]
fn another_key_may_be_the_weight() {
    let km = read_as(Gml, ROADS, Auto, Some(&["source", "target", "km"])).unwrap();
    assert_eq!((&*edges(&km)[0], edges(&km).len()), ("0>10 1.5", 5));
    assert_eq!(read_as(Gml, ROADS, Auto, Some(&["source", "target"])).unwrap().weights(), None);
    for (columns, part) in [
        (&["source", "target", "miles"][..], "the attribute `miles`, as was asked for"),
        (&["to", "from"], "expected the column `source`, found `to`"),
    ] {
        let error = read_as(Gml, ROADS, Auto, Some(columns)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn other_programs_write_other_files() {
    let text = "# written by hand\nCreator \"me [ \\ \"\r\nVersion 1.0\r\ngraph\r\n[\r\n\
        comment \"node [ id 0 ]\"\n#node [ id 9 ]\nedge [ source 1 target 2 LEDAWeight 7 graphics [ \
        type \"line\" Line [ point [ x 1 y 2 ] ] ] ]\nnode[id 1]node[id 2 weight 5]directed 1]\nlast []";
    let graph = read(Gml, text);
    assert_eq!((edges(&graph), graph.is_undirected()), (vec!["1>2".to_owned()], false));
    let both = ReadOptions { undirected: true, ..Default::default() };
    let both = parse_graph(text.as_bytes(), Gml, &both).unwrap();
    assert_eq!(edges(&both), ["1>2", "2>1"]);
}

#[test]
fn the_writer_agrees_with_networkx() {
    for text in [PEOPLE, PARALLEL, ONLY] {
        let mut written = Vec::new();
        print_graph(&read(Gml, text), Gml, &mut written).unwrap();
        let attributes = ["  name \"people\"\n", "    age 3\n", "    key 0\n", "    key 1\n"];
        let expected = attributes.iter().fold(text.to_owned(), |text, line| text.replace(line, ""));
        let expected = expected.replace("weight 3\n", "weight 3.0\n");
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}

#[test]
fn wrong_files_are_refused() {
    let graph = |inside: &str| format!("graph [\n{inside}]\n");
    for (text, line, part) in [
        (String::new(), Some(1), "expected `graph [`, found the end of the file"),
        ("Creator \"x\"\n".into(), Some(2), "expected `graph [`, found the end of the file"),
        ("graph 1\n".into(), Some(2), "expected `graph [`"),
        ("0 1\n".into(), Some(1), "expected a key, found \"0\""),
        ("graph [\n".into(), Some(2), "expected ], found the end of the file"),
        ("graph".into(), Some(1), "expected a value, found the end of the file"),
        (format!("{}]", graph("")), Some(3), "expected a key, found \"]\""),
        (format!("{}{}", graph(""), graph("")), Some(3), "expected one graph in a file"),
        (graph("directed yes"), Some(2), "expected 0 or 1, found \"yes]\""),
        (graph("node 5\n"), Some(2), "expected [, found \"5\""),
        (graph("node [ ]\n"), Some(2), "expected id of this vertex"),
        (graph("node [ id -1 ]\n"), Some(2), "a whole number from 0 on, found \"-1\""),
        (graph("node [ id 01 ]\n"), Some(2), "a whole number from 0 on, found \"01\""),
        (graph("node [ id \"1\" ]\n"), Some(2), "a whole number from 0 on, found \"\\\"1\\\"\""),
        (graph("node [ id 18446744073709551616 ]\n"), Some(2), "a whole number from 0 on"),
        (graph("node [ id 1 ]\nnode [ id 1 ]\n"), Some(3), "no vertex before has, found \"1\""),
        (graph("node [ id 1 ]\nedge [ source 1 ]\n"), Some(3), "expected target of this edge"),
        (graph("node [ id 1 ]\nedge [ source 1 target 2 ]\n"), Some(3), "declares, found \"2\""),
        (graph("node [ id 1\nlabel ]\n"), Some(3), "expected a value, found \"]\""),
        (graph("node [ id 1 [ ] ]\n"), Some(2), "expected a key, found \"[\""),
        (graph("node [ id 1 label \"a ]\n"), Some(2), "expected a quote that ends the text"),
        (
            graph("node [ id 1 ]\nedge [ source 1 target 1 weight x ]\n"),
            Some(3),
            "a weight, found \"x",
        ),
        (
            graph("node [ id 1 ]\nedge [ source 1 target 1 weight [ ] ]\n"),
            Some(3),
            "a weight, found \"[",
        ),
        (
            graph("node [ id 1 ]\nedge [ source 1 target 1 weight \"1 2\" ]\n"),
            Some(3),
            "nothing behind",
        ),
    ] {
        assert_refused(Gml, &text, line, part);
    }
    let error = parse_graph(b"graph [\n\xff", Gml, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "input:2: expected UTF-8, found other bytes");
}

#[test]
fn cut_files_are_refused() {
    [PEOPLE, ROADS, PARALLEL].iter().for_each(|text| check_cut(Gml, text));
}
