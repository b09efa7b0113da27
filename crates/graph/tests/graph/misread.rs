//! Ambiguous inputs: they are rejected, or read as what they are.

use equipoise_graph::{
    Error, Remedy, WeightType, Weights,
    io::{
        Format, IdKind, ReadOptions, TableOptions, TextFile, parse_graph, parse_matrix,
        parse_tensor, print_graph, read_graph, read_matrix,
    },
    load, load_matrix,
};

use crate::common::{self, Folder, edges, read_edges as read, read_with};

fn refused(text: &str, format: Format, table: TableOptions) -> String {
    common::refused(text, format, table).0
}

fn assert_refused(text: &str, format: Format, expected: &str) {
    let message = refused(text, format, TableOptions::default());
    assert!(message.contains(expected), "{text:?} should say {expected:?}: {message}");
}

/// A vertex with a loop of this weight.
fn graphml_with_weight(weight: &str) -> String {
    format!(
        "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\
        <graph edgedefault=\"directed\"><node id=\"a\"/>\
        <edge source=\"a\" target=\"a\"><data key=\"w\">{weight}</data></edge></graph></graphml>"
    )
}

/// Columns of an edge list may be separated by any number of blanks, those of a table may not.
#[test]
fn an_empty_cell_of_a_table_is_no_blank() {
    let empty = "expected one tab between columns, found an empty cell";
    for (text, line) in [
        ("1\t\t2\n", 1),
        ("\t1\t2\n", 1),
        ("1\t2\n3\t\t4\n", 2),
        ("1\t2\n\t3\t4\n", 2),
        ("1\t2\t5\n3\t4\t\t6\n", 2),
        ("source\ttarget\n1\t2\n3\t \t4\n", 3),
        ("source\ttarget\n\t2\n", 2),
    ] {
        for format in [Format::Tsv, Format::Csv] {
            assert_refused(text, format, &format!("input:{line}: {empty}"));
        }
    }
    assert_refused("1\t2\n3 4\n", Format::Tsv, "input:2: expected a tab between columns");
    assert_refused("1\t2\t5\n3\t4\t\n", Format::Tsv, "input:2: expected a weight");
    assert_eq!(read("1\t 2\n3 \t4\t\n", Format::Tsv), ["1>2", "3>4"]);
    assert_eq!(read("1\t\t2\n3 4\n", Format::EdgeList), ["1>2", "3>4"]);
}

#[test]
fn parts_of_a_table_have_no_empty_cells_either() {
    let folder = Folder::new();
    let path = folder.write("roads.tsv", "1\t2\n3\t\t4\n");
    let file = TextFile::open(&path, &ReadOptions::default()).unwrap();
    let message = file.piece(0, 1).unwrap().read().err().unwrap().to_string();
    assert!(message.contains("roads.tsv:2: expected one tab"), "{message}");
}

#[test]
fn quotes_and_braces_in_words_are_parts_of_them() {
    assert_eq!(read("5\" pipe,x\nx,y\n", Format::Csv), ["5\" pipe>x", "x>y"]);
    assert_eq!(read("O\"Neill;x\nx;y\n", Format::Csv), ["O\"Neill>x", "x>y"]);
    assert_eq!(
        read("\"a,b\",\"say \"\"hi\"\"\"\n\"a,b\",c\n", Format::Csv),
        ["a,b>c", "a,b>say \"hi\""]
    );
    assert_eq!(read("{a},{b},5\n{b},c,6\n", Format::Csv), ["{a}>{b} 5", "{b}>c 6"]);
}

#[test]
fn only_the_weight_of_an_edge_is_its_weight() {
    let text =
        "a b {'weight' : 5}\nb c {'x': {'weight': 3}}\nc d {'x': \"'weight': 3\", 'weight': 2}\n";
    assert_eq!(read(text, Format::EdgeList), ["a>b 5", "b>c 1", "c>d 2"]);
}

#[test]
fn a_comment_among_edges_is_not_taken_for_names() {
    let error = read_with(b"1 2\n# a b\n3 4\n", Format::EdgeList, TableOptions::default());
    match error {
        Err(Error::Parse { line: Some(2), message, .. }) => {
            assert!(message.starts_with("expected an edge, as comments stand before"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    let error = read_with(b"1 2\nx 4\n", Format::EdgeList, TableOptions::default());
    assert!(matches!(error, Err(Error::Unclear { remedy: Remedy::Names, .. })), "{error:?}");
}

/// A file in each format, with the vertices 1 and 2 and an edge of weight 3.
fn in_each_format() -> Vec<(Format, Vec<u8>)> {
    let graph = read_with(b"1,2,3\n2,1,3\n", Format::Csv, TableOptions::default()).unwrap();
    let plain = read_with(b"0 1\n1 0\n", Format::GapEdges, TableOptions::default()).unwrap();
    let written = |&format: &Format| {
        let mut bytes = Vec::new();
        let first = print_graph(&graph, format, &mut bytes);
        let written = first.or_else(|_| {
            bytes.clear();
            print_graph(&plain, format, &mut bytes)
        });
        match format {
            Format::Metis => bytes = b"2 1 1\n2 3\n1 3\n".to_vec(),
            _ => written.unwrap(),
        }
        (format, bytes)
    };
    // A data set of Graphalytics is three files.
    let in_one_file = |format: &&Format| **format != Format::Graphalytics;
    Format::ALL.iter().filter(in_one_file).map(written).collect()
}

/// Ignoring an option would give users another graph than they requested.
#[test]
fn options_that_a_format_lacks_are_refused() {
    let columns = ["source", "target"].map(String::from);
    let asked = [
        TableOptions { header: Some(false), ..Default::default() },
        TableOptions { columns: Some(&columns), ..Default::default() },
        TableOptions { ids: IdKind::Names, ..Default::default() },
    ];
    let folder = Folder::new();
    for (format, bytes) in in_each_format() {
        let expected = match format {
            // The file states that it has numbers and no header.
            Format::EdgeList => [false; 3],
            Format::Csv | Format::Tsv => [true; 3],
            Format::GraphMl | Format::Gml => [false, true, true],
            _ => [false; 3],
        };
        let path = folder.write("roads", &bytes);
        read_with(&bytes, format, TableOptions::default()).unwrap();
        for (table, expected) in asked.into_iter().zip(expected) {
            if expected && table.header.is_some() {
                continue;
            }
            let options = ReadOptions { table, format: Some(format), ..Default::default() };
            let found = [
                parse_graph(&bytes, format, &options).is_ok(),
                parse_matrix::<f64>(&bytes, format, &options).is_ok(),
                read_graph(&path, &options).is_ok(),
                read_matrix::<f64>(&path, &options).is_ok(),
            ];
            assert_eq!(found, [expected; 4], "{format} {table:?}");
        }
    }
    assert!(refused("0 1\n", Format::GapEdges, asked[1]).contains("the format el has no columns"));
}

#[test]
fn options_of_files_are_refused_for_generators() {
    let columns = ["1", "2"].map(String::from);
    let table = |table| ReadOptions { table, ..Default::default() };
    for options in [
        ReadOptions { format: Some(Format::Csv), ..Default::default() },
        table(TableOptions { ids: IdKind::Names, ..Default::default() }),
        table(TableOptions { header: Some(true), ..Default::default() }),
        table(TableOptions { columns: Some(&columns), ..Default::default() }),
    ] {
        for message in [
            load("path:n=3", &options).err().unwrap().to_string(),
            load_matrix::<f32>("path:n=3", &options).err().unwrap().to_string(),
            load_matrix::<f32>("blocks:rows=3,columns=2", &options).err().unwrap().to_string(),
        ] {
            assert!(message.contains("this is generated, not read from a file"), "{message}");
        }
    }
}

#[test]
fn columns_are_two_or_three_different_ones() {
    let read = |columns: &[&str]| {
        let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
        let table = TableOptions { columns: Some(&columns), ..Default::default() };
        read_with(b"1,2,3,4\n", Format::Csv, table).map(|graph| edges(&graph))
    };
    assert_eq!(read(&["2", "1"]).unwrap(), ["2>1"]);
    assert_eq!(read(&["1", "2", "4"]).unwrap(), ["1>2 4"]);
    for (columns, expected) in [
        (&[][..], "found 0"),
        (&["1"], "found 1"),
        (&["1", "2", "3", "4"], "found 4"),
        (&["1", "1"], "`1` is to be read as two things"),
        (&["1", "2", "1"], "`1` is to be read as two things"),
    ] {
        let message = read(columns).unwrap_err().to_string();
        assert!(message.contains(expected), "{columns:?}: {message}");
    }
}

#[test]
fn options_that_contradict_our_header_are_refused() {
    let numbers = "# equipoise vertices=2 first-id=0\n0 1\n";
    let names = "# equipoise vertices=2 names\na b\n";
    let columns = ["2", "1"].map(String::from);
    let of = |ids| TableOptions { ids, ..Default::default() };
    for (text, table, what) in [
        (numbers, TableOptions { columns: Some(&columns), ..Default::default() }, "columns"),
        (names, TableOptions { header: Some(false), ..Default::default() }, "a header"),
        (numbers, of(IdKind::Names), "names as ids"),
        (names, of(IdKind::Numbers), "numbers as ids"),
    ] {
        let message = refused(text, Format::EdgeList, table);
        let expected =
            format!("this line says how the file is laid out: {what} cannot be asked for");
        assert_eq!(message, format!("input:1: {expected}"));
    }
    for (text, ids) in [(numbers, IdKind::Numbers), (names, IdKind::Names)] {
        assert!(read_with(text.as_bytes(), Format::EdgeList, of(ids)).is_ok(), "{text}");
    }
}

#[test]
fn blank_lines_before_our_header_are_skipped() {
    for before in ["\n", " \r\n\t\n", "  "] {
        let text = format!("{before}# equipoise vertices=5 first-id=0 undirected\n0 1\n");
        let graph = read_with(text.as_bytes(), Format::EdgeList, TableOptions::default()).unwrap();
        assert_eq!((graph.vertices(), graph.is_undirected()), (5, true), "{text:?}");
    }
    let konect = read_with(b"\n% sym positive\n1 2\n", Format::EdgeList, TableOptions::default());
    assert!(konect.unwrap().is_undirected());
}

#[test]
fn names_that_our_files_list_are_names() {
    for (bytes, expected) in [
        (
            &b"# equipoise vertices=1 names\n# vertex \xff\n"[..],
            "input:2: expected a name in UTF-8",
        ),
        (
            b"# equipoise vertices=1 names\n# vertex \"\"\n",
            "input:2: expected the name of a vertex",
        ),
        (b"# equipoise vertices=1 names\n# vertex\n", "input:2: expected the name of a vertex"),
    ] {
        let error = read_with(bytes, Format::EdgeList, TableOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

/// Users who write 1,5 for one and a half do not see the mistake at once.
#[test]
fn decimal_commas_get_advice_in_every_format() {
    let hint = "write numbers with a decimal point, and without commas between thousands";
    let graphml = &graphml_with_weight(" 1,5 ");
    for (format, text) in [
        (Format::EdgeList, "1 2 1,5\n"),
        (Format::EdgeList, "a b 1,5\n"),
        (Format::Csv, "a,b,\"1,000\"\n"),
        (Format::Csv, "a;b;1,5\n"),
        (Format::Tsv, "1\t2\t1,5\n"),
        (Format::Dimacs, "p sp 2 1\na 1 2 1,5\n"),
        (Format::MatrixMarket, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1,5\n"),
        (Format::Metis, "2 1 1\n2 1,5\n1 1,5\n"),
        (Format::GapWeightedEdges, "0 1 1,5\n"),
        (Format::Gml, "graph [ node [ id 0 ] edge [ source 0 target 0 weight 1,5 ] ]"),
        (Format::Gml, "graph [ node [ id 0 ] edge [ source 0 target 0 weight \"1,000\" ] ]"),
        (Format::GraphMl, graphml),
    ] {
        let message = refused(text, format, TableOptions::default());
        assert!(message.ends_with(hint), "{format} {text:?}: {message}");
    }
    assert!(parse_tensor(b"1 1 1 1,5\n").unwrap_err().to_string().ends_with(hint));
    assert!(!refused("0 1 x\n", Format::GapWeightedEdges, TableOptions::default()).contains(hint));
}

/// A weight of 0 is another one: its edge adds nothing to a length.
#[test]
fn decimals_do_not_become_0() {
    let graphml = &graphml_with_weight("W");
    for (format, text) in [
        (Format::EdgeList, "1 2 W\n"),
        (Format::EdgeList, "a b W\n"),
        (Format::EdgeList, "a b {'weight': W}\n"),
        (Format::Csv, "source,target,weight\na,b,W\n"),
        (Format::Tsv, "1\t2\tW\n"),
        (Format::Dimacs, "p sp 2 1\na 1 2 W\n"),
        (Format::MatrixMarket, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 W\n"),
        (Format::GapWeightedEdges, "0 1 W\n"),
        (Format::Gml, "graph [ node [ id 0 ] edge [ source 0 target 0 weight W ] ]"),
        (Format::GraphMl, graphml),
    ] {
        let with = |weight: &str| text.replace('W', weight);
        let read = |weight: &str, weights| {
            let options = ReadOptions { weights, ..Default::default() };
            parse_graph(with(weight).as_bytes(), format, &options)
                .map(|graph| graph.weights().unwrap().get(0))
        };
        for kept in ["1e-50", "-4.9e-324", "0.0", "0e-400"] {
            let expected: f64 = kept.parse().unwrap();
            assert_eq!(read(kept, WeightType::Auto).unwrap(), expected, "{format} {text:?}");
        }
        for (weight, weights, least) in [
            ("1e-400", WeightType::Auto, "5e-324"),
            ("-0.001e-330", WeightType::F64, "5e-324"),
            ("1e-50", WeightType::F32, "1e-45"),
        ] {
            let message = read(weight, weights).unwrap_err().to_string();
            let expected = format!("that is 0 or no nearer to it than {least}, found");
            assert!(message.contains(&expected), "{format} {text:?}: {message}");
        }
        assert_eq!(read("1e-45", WeightType::F32).unwrap(), f64::from(1e-45f32), "{format}");
    }
    let tensor = parse_tensor(b"1 1 1 0.5\n1 1 2 1e-50\n").unwrap_err().to_string();
    assert!(tensor.starts_with("input:2:"), "{tensor}");
    let matrix = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e-50\n".as_bytes();
    let matrix_of = Format::MatrixMarket;
    assert!(parse_matrix::<f32>(matrix, matrix_of, &ReadOptions::default()).is_err());
    let wide = parse_matrix::<f64>(matrix, matrix_of, &ReadOptions::default()).unwrap();
    assert_eq!(wide.values(), [1e-50]);
    assert!(Weights::from(vec![1e-50f64]).converted(WeightType::F32).is_err());
}

#[test]
fn repeated_properties_are_refused() {
    let gml = |inner: &str| format!("graph [ node [ id 0 ] node [ id 1 ] {inner} ]");
    for (text, expected) in [
        (gml("edge [ source 0 source 1 target 1 ]"), "expected one source, found another"),
        (gml("edge [ source 0 target 1 target 1 ]"), "expected one target, found another"),
        (gml("edge [ source 0 target 1 weight 1 weight 2 ]"), "expected one weight, found another"),
        (gml("node [ id 2 id 3 ]"), "expected one id, found another"),
        (gml("node [ id 2 label \"a\" label b ]"), "expected one label, found another"),
    ] {
        assert_refused(&text, Format::Gml, expected);
    }
    let graphml =
        "<graphml><graph edgedefault=\"directed\"><node id=\"a\" id=\"b\"/></graph></graphml>";
    assert_refused(graphml, Format::GraphMl, "<node> cannot be read: expected one attribute `id`");
    assert_refused(&graphml_with_weight(" "), Format::GraphMl, "expected a weight, found nothing");
}

#[test]
fn utf_16_is_recognized() {
    let folder = Folder::new();
    let little: Vec<u8> = "\u{feff}1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{feff}1,2\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let path = folder.write("roads.csv", bytes);
        let error = read_graph(&path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.ends_with("this is UTF-16, save it as UTF-8"), "{error}");
    }
}
