//! Tables of edges without metadata: guesses are reported, and lines that contradict them are
//! rejected.

use equipoise_graph::{
    Remedy,
    io::{Format, IdKind, ReadOptions, TableOptions, TextFile, parse_graph},
};

use crate::common::{Folder, Heard, edges, read_edges as read, read_with, refused};

fn assert_refused(text: &str, format: Format, start: &str, remedy: Option<Remedy>) {
    let (message, found) = refused(text, format, TableOptions::default());
    assert!(message.starts_with(start), "{text:?} should say {start:?}: {message}");
    assert_eq!(found, remedy, "{text:?}: {message}");
}

#[test]
fn guesses_are_reported() {
    use Format::{Csv, EdgeList, Tsv};
    for (text, format, expected) in [
        ("0 1\n", EdgeList, &["no header; columns 1, 2"][..]),
        ("0 1 5\n", EdgeList, &["no header; columns 1, 2; weights from 3"]),
        ("0,1,5,99\n", Csv, &["no header; columns 1, 2; weights from 3; column 4 not read"]),
        ("from,to,km\na,b,1\n", Csv, &["header \"from,to,km\"; columns 1, 2; weights from 3"]),
        ("from\tto\n1\t2\n", Tsv, &["header \"from\tto\"; columns 1, 2"]),
        (
            "id,to,from,km\n1,a,b,2\n",
            Csv,
            &["header \"id,to,from,km\"; columns 3, 2; columns 1, 4 not read"],
        ),
        (
            format!("from,to{}\na,b{}\n", ",x".repeat(40), ",y".repeat(40)).as_str(),
            Csv,
            &[format!(
                "header \"from,to{},…\"; columns 1, 2; columns 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 and 28 more not read",
                ",x".repeat(26)
            )
            .as_str()],
        ),
        ("# a\n% b\n0 1\n", EdgeList, &["skipped 2 comment lines; no header; columns 1, 2"]),
        (
            "% sym\n1 2\n",
            EdgeList,
            &[
                "undirected, as its first line says `% sym`",
                "skipped 1 comment line; no header; columns 1, 2",
            ],
        ),
        (
            "a b {}\nb c {'weight': 3}\n",
            EdgeList,
            &[
                "no header; columns 1, 2; weights from the attributes in 3",
                "1 edge without a weight has 1, as in NetworkX",
            ],
        ),
        ("from,to\n", Csv, &["header \"from,to\"; columns 1, 2"]),
        ("", EdgeList, &[]),
        ("# equipoise vertices=2 first-id=0\n0 1\n", EdgeList, &[]),
    ] {
        let heard = Heard::default();
        let options = ReadOptions { progress: Some(&heard), ..Default::default() };
        parse_graph(text.as_bytes(), format, &options).unwrap();
        assert_eq!(heard.notes.into_inner().unwrap(), expected, "{text:?}");
    }
}

#[test]
fn a_first_line_with_a_number_is_no_header() {
    assert_eq!(read("u v 2\nv w 3\n", Format::EdgeList), ["u>v 2", "v>w 3"]);
    assert_eq!(read("from,to,7\nto,x,8\n", Format::Csv), ["from>to 7", "to>x 8"]);
}

#[test]
fn a_first_line_that_may_be_a_header_or_an_edge_is_refused() {
    let start = "input:1: expected a header or an edge, found what may be either: ";
    for (text, why) in [
        ("person1,person2\nAnn,Bob\nBob,Eve\n", "no other line names \"person1\" or \"person2\""),
        ("u,v\nv,w\n", "other lines name \"v\", too"),
        ("x,y\n7,x\n", "other lines name \"x\", too"),
    ] {
        assert_refused(text, Format::Csv, &format!("{start}{why}"), Some(Remedy::Header));
        for header in [true, false] {
            let table = TableOptions { header: Some(header), ..Default::default() };
            let edges = read_with(text, Format::Csv, table).unwrap().edges();
            assert_eq!(edges, text.lines().count() as u64 - u64::from(header), "{text:?}");
        }
    }
    assert_eq!(read("Ann,Ann\nBob,Eve\n", Format::Csv), ["Ann>Ann", "Bob>Eve"]);
    assert_eq!(read("Ann,Bob\n", Format::Csv), ["Ann>Bob"]);
}

/// As files of some programs start, which say it nowhere else.
#[test]
fn numbers_of_vertices_and_edges_are_no_edge() {
    let start = "input:1: expected an edge, found what may be the numbers of vertices and edges: ";
    for text in [
        "5 7\n0 1\n0 2\n1 2\n2 3\n3 4\n0 4\n1 3\n",
        "3 4\n1 2\n2 3\n3 1\n1 3\n",
        "9 4\n1 2\n2 3\n3 1\n1 3\n",
        "2,3\n0,1\n1,0\n0,0\n",
    ] {
        let format = if text.contains(',') { Format::Csv } else { Format::EdgeList };
        let rows = text.lines().count() as u64 - 1;
        assert_refused(text, format, &format!("{start}{rows} lines follow"), Some(Remedy::Header));
        for header in [true, false] {
            let table = TableOptions { header: Some(header), ..Default::default() };
            let edges = read_with(text, format, table).unwrap().edges();
            assert_eq!(edges, rows + u64::from(!header), "{text:?}");
        }
    }
    // Too few lines, too many, a vertex above the first number or the second, and a weight.
    for text in [
        "5 3\n0 1\n0 2\n",
        "5 2\n0 1\n0 2\n1 2\n",
        "4 3\n0 1\n1 2\n3 4\n",
        "4 3\n3 2\n2 1\n1 0\n",
        "2 1\n1 0\n",
        "5 2 1\n0 1 1\n0 1 1\n",
    ] {
        assert_eq!(read(text, Format::EdgeList).len(), text.lines().count(), "{text:?}");
    }
}

#[test]
fn lines_have_the_cells_of_the_first() {
    let hint = ": write numbers with a decimal point, and without commas between thousands";
    for (text, expected) in [
        (
            "a,b,1\nb,c,1,000\n",
            format!("input:2: expected 3 cells, as in the first row, found 4{hint}"),
        ),
        (
            "from,to,km\na,b,1,000\n",
            format!("input:2: expected 3 cells, as in the header, found 4{hint}"),
        ),
        ("from,to\na,b,c\n", "input:2: expected 2 cells, as in the header, found 3".into()),
        ("id,from,to,km\n1,a,b\n", "input:2: expected 4 cells, as in the header, found 3".into()),
        ("from,to,km\n1,2,1,000\n", "input:2: expected the end of the line, found \",000\"".into()),
        ("from,to\n1,2,3\n", "input:2: expected the end of the line, found \",3\"".into()),
        ("1,2,5\n2,3,1,000\n", "input:2: expected the end of the line, found \",000\"".into()),
        ("1,2,5,99\n2,3,7\n", "input:2: expected a time, found the end of the line".into()),
    ] {
        assert_refused(text, Format::Csv, &expected, None);
    }
}

#[test]
fn commas_in_numbers_get_advice() {
    let hint = ": write numbers with a decimal point, and without commas between thousands";
    for (text, expected) in [
        ("a;b;1,5\n", "input:1: expected the end of the cell, found \",5\""),
        ("from to km\na b 1,5\n", "input:2: expected the end of the cell, found \",5\""),
        ("a,b,\"1,000\"\n", "input:1: expected the end of the cell, found \",000\""),
        ("1,2,\"1,000\"\n", "input:1: expected a weight, found \"\\\"1,000\\\"\""),
        (
            "1 2 1,5\n",
            "input:1: expected blanks between columns, as in the first row, found \",5\"",
        ),
        (
            "1\t2\t1,5\n",
            "input:1: expected blanks between columns, as in the first row, found \",5\"",
        ),
        ("1 2 3\n1 2 1,5\n", "input:2: expected the end of the line, found \",5\""),
    ] {
        let (message, _) = refused(text, Format::EdgeList, TableOptions::default());
        assert_eq!(message, format!("{expected}{hint}"), "{text:?}");
    }
}

#[test]
fn comments_are_only_before_the_first_row_of_edge_lists() {
    // Elsewhere such a line is a row.
    assert_eq!(read("#tag,b,1\nb,c,2\n", Format::Csv), ["#tag>b 1", "b>c 2"]);
    assert_eq!(read("a b\nb #c\n#c %d\n", Format::EdgeList), ["#c>%d", "a>b", "b>#c"]);
    assert_refused(
        "0 1\n# c\n1 2\n",
        Format::EdgeList,
        "input:2: expected an edge, as comments stand before the first one, found \"#\"",
        None,
    );
    for text in
        ["# exported today\na,b\n", "# exported\n", "# a,b\n1,2\n", "##a,b\n1,2\n", "#a\nb,c\n"]
    {
        let start =
            "input:1: expected a row of the table, found what looks like a comment: csv has none";
        assert_refused(text, Format::Csv, start, Some(Remedy::Format(Format::EdgeList)));
    }
}

#[test]
fn columns_that_nothing_tells_apart_are_refused() {
    for text in
        ["id,a,b,km\n1,x,y,2\n", ",a,b\n0,x,y\n", "id,a,b\n1,2,3\n", "a,b,c\nx,y,3z\nx,1,4\n"]
    {
        let table = TableOptions { header: Some(true), ..Default::default() };
        let (message, remedy) = refused(text, Format::Csv, table);
        assert!(message.starts_with("input:1: expected columns that are called as"), "{message}");
        assert_eq!(remedy, Some(Remedy::Columns));
    }
    assert_eq!(read("weight,a,b\n2,x,y\n", Format::Csv), ["x>y 2"]);
    assert_eq!(read("person,friend,since\nAnn,Bob,1990\n", Format::Csv), ["Ann>Bob 1990"]);
    assert_refused(
        "from,to,km\na,b,\nb,c,5\n",
        Format::Csv,
        "input:2: expected a weight, found an empty cell",
        None,
    );
}

#[test]
fn ids_of_two_kinds_get_advice_and_ids_of_one_kind_may_be_asked_for_in_any_layout() {
    assert_refused(
        "1,2\nx,3\n",
        Format::Csv,
        "input:2: expected a vertex id of at most 64 bits, found \"x,3\"",
        Some(Remedy::Names),
    );
    let columns = ["2".to_owned(), "3".to_owned()];
    let numbers =
        TableOptions { ids: IdKind::Numbers, columns: Some(&columns), ..Default::default() };
    let graph = read_with("9 007 5\n9 5 7\n", Format::EdgeList, numbers).unwrap();
    assert_eq!(edges(&graph), ["5>7", "7>5"]);
    let (message, _) = refused("9 7 5\n9 5 x\n", Format::EdgeList, numbers);
    assert_eq!(message, "input:2: expected a vertex id of at most 64 bits, found \"x\"");
}

/// Of a county's code and a number that differ by zeros only, neither is the other.
#[test]
fn zeros_before_ids_are_not_lost() {
    use Format::{Csv, EdgeList, Tsv};
    assert_eq!(read("01001,01021,5\n01021,36061,7\n", Csv), ["01001>01021 5", "01021>36061 7"]);
    assert_eq!(read("from\tto\n7\t07\n07\t8\n", Tsv), ["07>8", "7>07"]);
    assert_eq!(read("36061 01001\n1001 9\n", EdgeList), ["1001>9", "36061>01001"]);
    let large = "4294967296 1\n2 03\n";
    for text in ["1 2\n1001 01001\n", "1\t2\t5\n+1\t3\t6\n", large, "1 2\n00 1\n"] {
        let start = "input:2: expected a vertex id without zeros or a sign before it, found";
        assert_refused(text, EdgeList, start, Some(Remedy::Ids));
        let numbers = TableOptions { ids: IdKind::Numbers, ..Default::default() };
        assert!(read_with(text, EdgeList, numbers).is_ok(), "{text:?}");
        let folder = Folder::new();
        let path = folder.write("roads.txt", text);
        for (ids, expected) in [(IdKind::Auto, false), (IdKind::Numbers, true)] {
            let table = TableOptions { ids, ..Default::default() };
            let options = ReadOptions { table, ..Default::default() };
            let file = TextFile::open(&path, &options).unwrap();
            assert_eq!(file.piece(0, 1).unwrap().read().is_ok(), expected, "{text:?}");
        }
    }
    let numbers = TableOptions { ids: IdKind::Numbers, ..Default::default() };
    let graph = read_with("01,02\n2,003\n", Csv, numbers).unwrap();
    assert_eq!(edges(&graph), ["1>2", "2>3"]);
}

#[test]
fn weights_out_of_range_are_refused_with_their_line() {
    let text = |weight: &str| format!("a,b,1\nb,c,2\n\"c\",d,{weight}\nd,a,4\n");
    assert_refused(
        &text("4294967296"),
        Format::Csv,
        "input:3: expected whole weights from 0 to",
        None,
    );
    let inexact = text("9007199254740993").replace("d,a,4", "d,a,4.5");
    let (message, _) = refused(&inexact, Format::Csv, TableOptions::default());
    assert!(!message.starts_with("input:1:"), "{message}");
}
