//! Edge lists whose vertices have names, and tables with a header.

use equipoise_graph::{
    Error, Graph, VertexIds, Weights,
    io::{Format, IdKind, ReadOptions, TableOptions, parse_graph},
};

use crate::common::{self, edges, read_edges};

fn read_with(text: &str, table: TableOptions) -> Result<Graph, Error> {
    common::read_with(text, Format::EdgeList, table)
}

fn read(text: &str) -> Vec<String> {
    read_edges(text, Format::EdgeList)
}

#[test]
fn the_same_edges_in_every_layout() {
    let expected = ["Ann>Bob 2", "Bob>New York 7"];
    for text in [
        "Ann,Bob,2\nBob,New York,7\n",
        "from,to,km\nAnn,Bob,2\nBob,New York,7",
        "\"from\";\"to\";\"weight\"\r\n\"Ann\";\"Bob\";2\r\n\"Bob\";\"New York\";7\r\n",
        "Ann|Bob|2\nBob|New York|7\n",
        "Ann\tBob\t2\nBob\tNew York\t7\n",
        "# people\nsource\ttarget\tw\nAnn\tBob\t2\n\nBob\tNew York\t7\n",
        "Ann Bob 2\nBob \"New York\" 7\n",
        "Ann , Bob , 2\n \"Bob\" ,\"New York\", \"7\"\n",
        "id,weight,target,source\n1,2,Bob,Ann\n2,7,New York,Bob\n",
        "Ann Bob {'weight': 2}\nBob \"New York\" {'color': 'red', 'weight': 7}\n",
        "Ann,Bob,{\"weight\": 2}\nBob,New York,{\"weight\":7.0, \"a\": 1}\n",
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn numbers_stay_numbers() {
    let ids = |text: &str| read_with(text, TableOptions::default()).unwrap().ids().clone();
    assert_eq!(ids("from,to\n0,1\n1,2\n"), VertexIds::Dense { first: 0 });
    assert_eq!(ids("from;to\n10;9\n1;2\n"), VertexIds::Table(vec![1, 2, 9, 10].into()));
    assert_eq!(ids("1 2 {}\n2 3 {}\n"), VertexIds::Dense { first: 1 });
    assert_eq!(read("from;to;km\n10;9;1.5\n1;2;3\n"), ["1>2 3", "10>9 1.5"]);
    assert_eq!(read("9 10 {'weight': 4}\n10 9 {'weight': 5}\n"), ["9>10 4", "10>9 5"]);
    // If some ids are names, all are: 7 and 07 are different.
    assert_eq!(read("7,x\n07,x\n"), ["07>x", "7>x"]);
    let names = TableOptions { ids: IdKind::Names, ..TableOptions::default() };
    let graph = read_with("7 10\n9 7\n", names).unwrap();
    assert_eq!(edges(&graph), ["7>10", "9>7"]);
    assert!(matches!(graph.ids(), VertexIds::Names(_)));
    assert_eq!((graph.vertex("9"), graph.vertex(10)), (Some(2), Some(0)));
}

#[test]
fn headers_are_distinguished_from_edges() {
    assert_eq!(read("from,to\nAnn,Bob\n"), ["Ann>Bob"]);
    assert_eq!(read("Ann,Bob\nBob,Eve\n"), ["Ann>Bob", "Bob>Eve"]);
    assert_eq!(read("person,friend,since\nAnn,Bob,1990\n"), ["Ann>Bob 1990"]);
    assert_eq!(read("a b\n1 2\n"), ["1>2"]);
    assert!(read("from,to\n").is_empty() && read("").is_empty() && read("# a b\n").is_empty());
    let header = |header| TableOptions { header: Some(header), ..TableOptions::default() };
    let with = |text, yes| edges(&read_with(text, header(yes)).unwrap());
    assert_eq!(with("Ann,Bob\nBob,Eve\n", true), ["Bob>Eve"]);
    assert_eq!(with("from,to\nAnn,Bob\n", false), ["Ann>Bob", "from>to"]);
}

#[test]
fn columns_are_found_by_name_and_by_number() {
    let text = "id;a;b;km;h\n1;Ulm;Bonn;431;4.5\n2;Bonn;Kiel;502;5\n";
    let by = |names: &[&str]| {
        let columns: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let table = TableOptions { columns: Some(&columns), ..TableOptions::default() };
        read_with(text, table).map(|graph| edges(&graph))
    };
    let expected = ["Bonn>Kiel 502", "Ulm>Bonn 431"];
    assert_eq!(by(&["a", "b", "km"]).unwrap(), expected);
    assert_eq!(by(&["A", "3", "4"]).unwrap(), expected);
    assert_eq!(by(&["b", "a"]).unwrap(), ["Bonn>Ulm", "Kiel>Bonn"]);
    assert_eq!(by(&["a", "b", "h"]).unwrap(), ["Bonn>Kiel 5", "Ulm>Bonn 4.5"]);
    let error = by(&["a", "c"]).unwrap_err().to_string();
    assert_eq!(error, "input:1: unknown column `c`; this header has `id`, `a`, `b`, `km`, `h`");
    let error = by(&["2", "9"]).unwrap_err().to_string();
    assert_eq!(error, "input:2: expected a vertex in column 9, found the end of the line");
}

#[test]
fn whole_weights_stay_whole() {
    let weights = |text: &str| {
        let graph = read_with(text, TableOptions::default()).unwrap();
        graph.weights().map_or("none", Weights::type_name)
    };
    assert_eq!(weights("a b 1\nb c 2\n"), "u32");
    assert_eq!(weights("a b 1\nb c 2.5\n"), "f64");
    assert_eq!(weights("a b {'weight': 1}\n"), "u32");
    assert_eq!(weights("a b {'color': 1}\n"), "none");
    // NetworkX's default for edges without a weight, also for the first one.
    assert_eq!(read("a b {'weight': 5}\nb c {}\n"), ["a>b 5", "b>c 1"]);
    assert_eq!(read("a b {}\nb c {'weight': 5}\n"), ["a>b 1", "b>c 5"]);
}

#[test]
fn errors_name_the_line_and_the_expected_input() {
    for (text, expected) in [
        ("a,b,1\nb,c\n", "input:2: expected a weight in column 3, found the end of the line"),
        ("a,b\nc\n", "input:2: expected a vertex in column 2, found the end of the line"),
        ("a,b\n,c\n", "input:2: expected a name, found an empty cell"),
        ("a,b\nb,\"\"\n", "input:2: expected a name, found an empty cell"),
        ("a,b\n\"c,d\n", "input:2: expected a quote that ends the cell in the same line"),
        ("a,b\n\"c\"x,d\n", "input:2: expected the end of the cell after its closing quote"),
        ("a,b,1\na,b,x\n", "input:2: expected a weight, found \"x\""),
        (
            "a,b,knows\nb,c,likes\n",
            "input:1: expected two vertices and perhaps a weight, found other columns: say which \
             ones to read, by numbers from 1 on",
        ),
        ("1,2\nx,3\n", "input:2: expected a vertex id of at most 64 bits, found \"x,3\""),
    ] {
        let error = read_with(text, TableOptions::default()).unwrap_err().to_string();
        assert_eq!(error, expected, "{text}");
    }
    let options = ReadOptions::default();
    let error = parse_graph(b"a,b\nb,\xff\n", Format::EdgeList, &options).unwrap_err().to_string();
    assert_eq!(error, "input:2: expected a name in UTF-8, found other bytes");
}

#[test]
fn many_names_in_many_pieces() {
    // Enough text for several pieces, with names that occur in all of them.
    let mut text = String::from("from,to,weight\n");
    for edge in 0..60_000u32 {
        text += &format!("name {},\"other, {}\",{edge}\n", edge % 977, edge % 1009);
    }
    let graph = read_with(&text, TableOptions::default()).unwrap();
    assert_eq!((graph.vertices(), graph.edges()), (977 + 1009, 60_000));
    let coo = graph.coo().unwrap();
    for edge in 0..coo.targets.len() {
        let number = graph.weights().unwrap().get(edge) as u32;
        let [from, to] = [coo.sources[edge], coo.targets[edge]].map(|end| graph.ids().id(end));
        assert_eq!(from.to_string(), format!("name {}", number % 977));
        assert_eq!(to.to_string(), format!("other, {}", number % 1009));
    }
}
