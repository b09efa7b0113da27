//! GraphML: the meaning of files as written by NetworkX and others, and rejected files.

use equipoise_graph::{
    Duplicates, Weights,
    io::{
        Format::GraphMl,
        IdKind::{Auto, Names, Numbers},
        ReadOptions, parse_graph,
    },
};

use crate::common::{assert_refused, check_cut, check_files_of_networkx, edges, read, read_as};

const PEOPLE: &str = include_str!("networkx/people.graphml");
const ROADS: &str = include_str!("networkx/roads.graphml");
const PARALLEL: &str = include_str!("networkx/parallel.graphml");
const ONLY: &str = include_str!("networkx/only.graphml");

fn document(keys: &str, default: &str, inside: &str) -> String {
    format!("<graphml>{keys}<graph edgedefault=\"{default}\">\n{inside}</graph></graphml>")
}

const WEIGHT: &str = "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>";
const NODES: &str = "<node id='a'/><node id='b'/><node id='c'/>\n";

#[test]
fn files_of_networkx() {
    check_files_of_networkx(GraphMl, [PEOPLE, ROADS, PARALLEL, ONLY]);
}

#[test]
fn ids_are_numbers_or_names_as_asked() {
    let names = read_as(GraphMl, ROADS, Names, None).unwrap();
    assert_eq!(names.ids().id(1), "10");
    let with_zero = document("", "directed", "<node id='07'/><node id='7'/>");
    assert_eq!(read(GraphMl, &with_zero).ids().id(0), "07");
    let error = read_as(GraphMl, PEOPLE, Numbers, None).unwrap_err().to_string();
    assert!(error.contains("to be whole numbers, found \""), "{error}");
}

#[test]
fn another_attribute_may_be_the_weight() {
    let km = read_as(GraphMl, ROADS, Auto, Some(&["source", "target", "km"])).unwrap();
    assert_eq!(edges(&km)[0], "0>10 1.5");
    assert_eq!(read_as(GraphMl, ROADS, Auto, Some(&["source", "target"])).unwrap().weights(), None);
    for (columns, part) in [
        (&["source", "target", "miles"][..], "no attribute `miles`; they have `km`, `weight`"),
        (&["source", "target", "color"], "no attribute `color`"),
        (&["target", "source"], "expected the column `source`, found `target`"),
        (&["source", "2"], "expected the column `target`, found `2`"),
    ] {
        let error = read_as(GraphMl, ROADS, Auto, Some(columns)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let unused = document(WEIGHT, "directed", "<node id='a'/><edge source='a' target='a'/>");
    assert_eq!(read(GraphMl, &unused).weights(), None);
    let error = read_as(GraphMl, &unused, Auto, Some(&["source", "target", "weight"]));
    assert!(error.unwrap_err().to_string().contains("`weight`, as was asked for"));
}

#[test]
fn weights_are_of_their_types_and_defaults_are_honoured() {
    let graph = |kind: &str, default: &str, value: &str| {
        let key =
            format!("<key id='w' for='edge' attr.name='weight' attr.type='{kind}'>{default}</key>");
        let inside = format!(
            "{NODES}<edge source='a' target='b'><data key='w'>{value}</data></edge>
             <edge source='b' target='c'/>"
        );
        read_as(GraphMl, &document(&key, "directed", &inside), Auto, None)
    };
    let default = "<desc>d</desc><default>\n 9 </default>";
    let whole = graph("int", default, " 4\n").unwrap();
    assert_eq!(whole.weights(), Some(&vec![4u32, 9].into()));
    assert_eq!(graph("double", default, "4").unwrap().weights(), Some(&vec![4f64, 9.0].into()));
    assert_eq!(graph("long", default, "-4").unwrap().weights(), Some(&vec![-4f64, 9.0].into()));
    // NetworkX's default for an edge without a weight.
    assert_eq!(graph("int", "", "4").unwrap().weights(), Some(&vec![4u32, 1].into()));
    for (kind, default, value, part) in [
        ("int", default, "2.5", "a whole number, as the type of this attribute says, found \"2.5"),
        ("float", default, "x", "expected a weight, found \"x"),
        ("float", default, "", "expected a weight"),
        ("float", default, "1 2", "nothing behind the weight, found \"2"),
        ("float", default, "&lt;", "expected a weight, found \"&lt;"),
        ("string", default, "4", "type int, long, float or double, found that `weight` is of type"),
        ("float", "<default>x</default>", "4", "expected a weight, found \"x"),
    ] {
        let error = graph(kind, default, value).unwrap_err().to_string();
        assert!(error.contains(part), "{kind} {value}: {error}");
    }
}

#[test]
fn edges_have_a_direction_each() {
    let inside = format!(
        "{NODES}<edge source='a' target='b' directed='true'><data key='w'>1</data></edge>
         <edge source='b' target='c' directed='false'><data key='w'>2</data></edge>
         <edge source='c' target='c' directed='false'><data key='w'>3</data></edge>"
    );
    for default in ["directed", "undirected"] {
        let text = document(WEIGHT, default, &inside);
        let mixed = read(GraphMl, &text);
        assert!(!mixed.is_undirected());
        assert_eq!(edges(&mixed), ["a>b 1", "b>c 2", "c>b 2", "c>c 3"]);
        let both = ReadOptions { undirected: true, ..Default::default() };
        let both = parse_graph(text.as_bytes(), GraphMl, &both).unwrap();
        assert_eq!(edges(&both), ["a>b 1", "b>a 1", "b>c 2", "c>b 2", "c>c 3"]);
        assert!(both.is_undirected());
    }
    let all = inside.replace("true", "false").replace("'false'", "'0'");
    assert!(read(GraphMl, &document(WEIGHT, "directed", &all)).is_undirected());
    let all = inside.replace("false", "true").replace("'true'", "'1'");
    assert!(!read(GraphMl, &document(WEIGHT, "undirected", &all)).is_undirected());
    assert!(read(GraphMl, &document("", "undirected", "")).is_undirected());
}

#[test]
fn other_programs_write_other_documents() {
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\r\n\
        <!DOCTYPE graphml SYSTEM \"http://graphml.graphdrawing.org/dtds/1.0rc/graphml.dtd\">\r\n\
        <!-- <node id='x'/> -->\r\n\
        <g:graphml xmlns:g=\"http://graphml.graphdrawing.org/xmlns\" xmlns:y=\"y\">\r\n\
        <g:key for='all' id='length' attr.type='double'/><g:key for='node' id='d6'/>\r\n\
        <g:graph id='G' edgedefault='directed'>\r\n<g:desc>of <g:edge/></g:desc>\
        <g:edge id='e0' source='n1' target='n0'><g:data key='length'>2</g:data></g:edge>\r\n\
        <g:node id='n0'><g:data key='d6'><y:ShapeNode><y:graph/></y:ShapeNode></g:data></g:node>\r\n\
        <g:node id='n1'/><g:data key='d'>&unknown;</g:data></g:graph>\r\n</g:graphml>\r\n<!-- end -->";
    let graph = read_as(GraphMl, text, Auto, Some(&["source", "target", "length"])).unwrap();
    assert_eq!(edges(&graph), ["n1>n0 2"]);
    assert!(matches!(graph.weights(), Some(Weights::F64(_))));
}

#[test]
fn options_of_the_builder_hold() {
    let options = ReadOptions { duplicates: Duplicates::Drop, ..Default::default() };
    let graph = parse_graph(PARALLEL.as_bytes(), GraphMl, &options).unwrap();
    assert_eq!(edges(&graph)[..2], ["1>2 1.5", "2>1 1.5"]);
}

/// It would be lost with all others that no key declares.
#[test]
fn a_weight_that_is_not_declared_is_refused() {
    let inside = "<node id='a'/>\n<edge source='a' target='a'><data key='weight'>7</data></edge>";
    let of_nodes = "<key id='weight' for='node' attr.name='weight' attr.type='int'/>";
    for keys in ["", WEIGHT, of_nodes] {
        let text = document(keys, "directed", inside);
        assert_refused(
            GraphMl,
            &text,
            Some(3),
            "expected a <key> for edges with the id \"weight\"",
        );
        let bare = read_as(GraphMl, &text, Auto, Some(&["source", "target"])).unwrap();
        assert_eq!(edges(&bare), ["a>a"]);
    }
    let of_edges = of_nodes.replace("node", "edge");
    assert_eq!(edges(&read(GraphMl, &document(&of_edges, "directed", inside))), ["a>a 7"]);
    let other = inside.replace("weight", "color");
    assert_eq!(edges(&read(GraphMl, &document("", "directed", &other))), ["a>a"]);
}

#[test]
fn wrong_documents_are_refused() {
    let graph = |inside: &str| document("", "directed", inside);
    for (text, line, part) in [
        (String::new(), None, "expected <graphml>, found none"),
        ("0 1\n1 2\n".into(), None, "expected <graphml>, found none"),
        ("<html/>".into(), Some(1), "<html> cannot be read: expected <graphml>"),
        ("<graphml/>".into(), None, "expected <graph>, found none"),
        ("<graphml>\n<graph>".into(), Some(2), "to have the attribute `edgedefault`"),
        (document("", "both", ""), Some(1), "`directed` or `undirected`, found \"both\""),
        (graph("<node/>"), Some(2), "expected <node> to have the attribute `id`"),
        (graph("<node id=''/>"), Some(2), "a vertex with an id"),
        (graph("<node id='a'/>\n<node id='a'/>"), Some(3), "no vertex before has, found \"a\""),
        (graph("<edge source='a'/>"), Some(2), "to have the attribute `target`"),
        (graph("<node id='a'/>\n<edge source='a' target='b'/>"), Some(3), "declares, found \"b\""),
        (
            graph("<node id='a'/>\n<node id='b'/><edge source='a' target='b' directed='no'/>"),
            Some(3),
            "`true` or `false`, found \"no\"",
        ),
        (graph("<node id='a'><graph/></node>"), Some(2), "no graph inside of a vertex"),
        (graph("<node id='a'>\n<port name='p'/></node>"), Some(3), "without ports"),
        (graph("<edge source='a' target='b' sourceport='p'/>"), Some(2), "without ports"),
        (graph("<hyperedge/>"), Some(2), "edges between two vertices"),
        (graph("<locator/>"), Some(2), "to be in this file"),
        (graph("<node id='a'>"), Some(2), "expected `</node>`, but `</graph>` was found"),
        ("<graphml>\n<graph edgedefault='directed'>".into(), Some(2), "expected </graph>, found"),
        (graph("<node id='a'"), Some(2), "expected XML: "),
        (graph("<node id=a/>"), Some(2), "expected XML: "),
        (graph("<node id='&a;'/>"), Some(2), "found &a;: entities are not expanded"),
        (
            graph("").replace("</graphml>", "\n<graph edgedefault='directed'/></graphml>"),
            Some(3),
            "one graph",
        ),
        (graph("").replace("</graphml>", "\n<key id='k'/></graphml>"), Some(3), "before <graph>"),
        (format!("{}\n<graphml/>", graph("")), Some(3), "nothing after </graphml>"),
        (document("<key/>", "directed", ""), Some(1), "expected <key> to have the attribute `id`"),
        (
            format!("<?xml version='1.0' encoding='ISO-8859-1'?>{}", graph("")),
            Some(1),
            "UTF-8, found \"ISO-8859-1\"",
        ),
    ] {
        assert_refused(GraphMl, &text, line, part);
    }
    let error = parse_graph(b"<graphml>\n<\xff", GraphMl, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "input:2: expected UTF-8, found other bytes");
}

#[test]
fn cut_documents_are_refused() {
    [PEOPLE, ROADS, PARALLEL].iter().for_each(|text| check_cut(GraphMl, text));
}

#[test]
fn entities_that_grow_are_not_expanded() {
    let text = "<!DOCTYPE graphml [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\"><!ENTITY c \"&b;&b;\">]>\n\
                <graphml><graph edgedefault='directed'>\n<node id='&c;'/></graph></graphml>";
    assert_refused(GraphMl, text, Some(3), "found &c;: entities are not expanded");
}
