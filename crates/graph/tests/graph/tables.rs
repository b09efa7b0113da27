//! Tables with a header, as written for spreadsheets and pandas, and the detection of formats by
//! content.

use equipoise_graph::{
    Edges, Error, Graph, GraphBuilder, Remedy, VertexIds,
    io::{Format, IdKind, ReadOptions, TableOptions, losses, read_graph, write_graph},
};

use crate::common::{Folder, edges, read, read_with};

fn written(graph: &Graph, format: Format) -> String {
    String::from_utf8(crate::common::written(graph, format)).unwrap()
}

#[test]
fn numbers_and_weights_are_written_under_a_header() {
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 4u32), (2, 0, 7)])).unwrap();
    assert_eq!(written(&graph, Format::Csv), "source,target,weight\n0,1,4\n2,0,7\n");
    assert_eq!(written(&graph, Format::Tsv), "source\ttarget\tweight\n0\t1\t4\n2\t0\t7\n");
    let bare = GraphBuilder::new().build(Edges::from(vec![(0, 1)])).unwrap();
    assert_eq!(written(&bare, Format::Csv), "source,target\n0,1\n");
    for format in [Format::Csv, Format::Tsv] {
        assert_eq!(read(format, &written(&graph, format)), graph);
        assert_eq!(read(format, &written(&bare, format)), bare);
    }
}

#[test]
fn names_are_quoted_so_that_they_read_back() {
    let text = "x 07\n07 7\n\"New York, NY\" \"say \"\"hi\"\"\"\n\"#tag\" \"{b}\"\n\" a \" \"b\tc\"\nx \"%\"\n\"#tag\" é\n";
    let names = TableOptions { ids: IdKind::Names, ..Default::default() };
    let graph = read_with(text, Format::EdgeList, names).unwrap();
    for format in [Format::Csv, Format::Tsv] {
        let text = written(&graph, format);
        assert_eq!(edges(&read(format, &text)), edges(&graph), "{text}");
    }
    let text = written(&graph, Format::Csv);
    assert!(text.contains("\"New York, NY\",\"say \"\"hi\"\"\"\n"), "{text}");
    assert!(text.contains("x,\"07\"\n"), "{text}");
}

#[test]
fn losses_of_tables_are_reported() {
    let lost = |graph: &Graph| losses(graph, Format::Tsv).unwrap();
    let all = GraphBuilder::new().build(Edges::from(vec![(0, 1)])).unwrap();
    assert!(lost(&all).is_empty());
    let isolated = GraphBuilder::new().vertices(3).build(Edges::from(vec![(0, 1)])).unwrap();
    assert_eq!(lost(&isolated), ["tsv has no place for the vertex without an edge"]);
    let undirected = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1)])).unwrap();
    assert_eq!(lost(&undirected).len(), 1);
    assert!(losses(&undirected, Format::MatrixMarket).unwrap().is_empty());
    let names = TableOptions { ids: IdKind::Names, ..Default::default() };
    let digits = read_with("7 8\n", Format::EdgeList, names).unwrap();
    assert!(matches!(digits.ids(), VertexIds::Names(_)));
    assert_eq!(lost(&digits), ["tsv does not say that these ids are names: they read as numbers"]);
}

#[test]
fn the_content_tells_the_format_before_the_name_does() {
    let folder = Folder::new();
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 4u32), (1, 2, 5)])).unwrap();
    for format in [Format::MatrixMarket, Format::GraphMl, Format::Gml, Format::Dimacs] {
        for name in ["graph.txt", "graph.csv.gz", "graph.unknown"] {
            let path = folder.path(name);
            write_graph(&graph, &path, Some(format)).unwrap();
            let read = read_graph(&path, &ReadOptions::default()).unwrap();
            assert_eq!(read.csr(), graph.csr(), "{format} called {name}");
            let asked = ReadOptions { format: Some(Format::EdgeList), ..Default::default() };
            match read_graph(&path, &asked) {
                Err(Error::Unclear { line: 1, remedy, .. }) => {
                    assert_eq!(remedy, Remedy::Format(format));
                }
                other => panic!("{format} called {name}: {other:?}"),
            }
        }
    }
    let path = folder.path("ours.csv");
    write_graph(&graph, &path, Some(Format::EdgeList)).unwrap();
    assert_eq!(read_graph(&path, &ReadOptions::default()).unwrap(), graph);
}
