//! Text files by byte ranges equal the graph on one machine.

use std::path::PathBuf;

use equipoise_cluster::SliceOptions;
use equipoise_graph::{
    WeightType,
    io::{Format, ReadOptions, read_graph},
};
use proptest::prelude::*;
use tempfile::TempDir;

use super::common;

/// A file of that name.
fn file(name: &str, text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// Reads a text on 1 to 5 ranks, with weights of several types, and requires the graph or error of one machine.
fn check(name: &str, text: &str, read: ReadOptions) {
    for weights in [WeightType::Auto, WeightType::F32, WeightType::F64] {
        check_read(name, text, ReadOptions { weights, ..read });
    }
}

fn check_read(name: &str, text: &str, read: ReadOptions) {
    let (_folder, path) = file(name, text);
    let alone = read_graph(&path, &read).map_err(|error| error.to_string());
    for ranks in 1..=5 {
        let options = SliceOptions { read, ranks_on_node: 1 };
        let slices = common::read(ranks, path.to_str().unwrap(), &options);
        match (&alone, slices) {
            (Ok(alone), Ok(slices)) => {
                assert_eq!(&common::whole(&slices), alone, "{ranks} ranks: {text:?}");
            }
            (Err(alone), Err(error)) => {
                let message = error.split_once(": ").filter(|(rank, _)| rank.starts_with("rank "));
                let message = message.map_or(error.as_str(), |(_, message)| message);
                assert_eq!(message, alone, "{ranks} ranks: {text:?}");
            }
            (alone, slices) => panic!("{ranks} ranks: {text:?}: {alone:?}, {:?}", slices.err()),
        }
    }
}

const EDGE_LISTS: [&str; 35] = [
    "",
    "\n\n",
    "# nothing\n",
    "0 1",
    "0 1\n",
    "0 1\r\n1 2\r\n",
    "0 1\r\n1 2\r\n2 0",
    "\u{feff}0 1\n1 2\n",
    "# a comment\n% another\n5 7\n7 9\n\n\n5 9 \n",
    "# a comment\n5 7\n% not another\n7 9\n",
    "#comment,s\n5,7\n7,9\n",
    "1 2\n2 3\n3 1\n",
    "17 4000000000\n99999999999999 17\n0 0\n",
    "0,1,2\n1,2,3\n2,0,4\n",
    "0 1 2\n1 2 3.5\n2 0 4\n0 2 1\n",
    "0 1 16777217\n1 2 3\n2 0 4\n0 2 1.5\n",
    "0 1 4294967296\n1 2 3\n2 0 4\n",
    "0 1 -3\n1 2 3\n2 0 4294967295\n",
    "0 1 5 1000\n1 2 6 1001\n",
    "% sym unweighted\n1 2\n2 3\n",
    "% bip\n1 2\n",
    "# equipoise vertices=5 first-id=3 undirected weights=u32\n3 4 1\n6 7 2\n",
    "# equipoise vertices=2 first-id=3\n3 4\n3 9\n",
    "# equipoise vertices=4\n# vertex 17\n3 4\n100 3\n",
    "# equipoise vertices=5\n# vertex 17\n3 4\n100 3\n",
    "0 1\n1 x\n2 3\n",
    "0 1\n1 2 3\n2 3\n",
    "from,to\n10,20\n20,30\n",
    "from,to,km\n10,20,5\n20,30,1,000\n",
    "0 1 5\n1 2 7\n2 3 1,5\n",
    "0,1,5\n1,2,7\n2,3,\"1,000\"\n",
    "0,1\n1,2\n2 3\n",
    "0 1 5 1000\n1 2 6\n2 3 7 1002\n",
    "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 5\n3 1 6\n3 3 7\n",
    "p sp 3 2\na 1 2 5\na 3 1 7\n",
];

#[test]
fn edge_lists_are_read_as_by_one_machine() {
    for text in EDGE_LISTS {
        check("a.txt", text, ReadOptions::default());
        check("a.csv", text, ReadOptions { undirected: true, ..Default::default() });
    }
}

#[test]
fn other_texts_are_read_as_by_one_machine() {
    let banner = "%%MatrixMarket matrix coordinate";
    for text in
        ["", "0 1\n5 2\n", "0 1\n5", "0 1\n\n9 9", "0 4000000000\n", "0 1 2\n", "0 1\r\n3 2\r\n"]
    {
        check("a.el", text, ReadOptions::default());
        check("a.wel", &text.replace('\n', " 7\n"), ReadOptions::default());
    }
    for text in [
        "",
        "p sp 3 0\n",
        "c hello\np sp 3 2\na 1 2 5\nc between\na 3 1 7\n",
        "p sp 3 2\na 1 2 5\na 3 1 7.5",
        "p sp 3 3\na 1 2 5\na 3 1 7\n",
        "p sp 3 2\na 1 2 5\na 3 4 7\n",
        "p sp 3 2\r\na 1 2 5\r\na 3 2 7\r\n",
        "p max 3 2\n",
    ] {
        check("a.gr", text, ReadOptions::default());
    }
    for text in [
        format!("{banner} pattern general\n3 3 2\n1 2\n3 1\n"),
        format!("{banner} pattern symmetric\n% c\n3 3 2\n1 2\n\n3 3\n"),
        format!("{banner} integer general\n3 3 3\n1 2 5\n3 1 6\n3 3 4294967295\n"),
        format!("{banner} integer general\n3 3 3\n1 2 5\n3 1 6\n3 3 -1\n"),
        format!("{banner} integer general\n3 3 3\n1 2 16777217\n3 1 6\n3 3 -1\n"),
        format!("{banner} integer skew-symmetric\n3 3 2\n2 1 5\n3 1 6\n"),
        format!("{banner} integer skew-symmetric\n3 3 2\n2 1 5\n3 3 6\n"),
        format!("{banner} real symmetric\n3 3 2\n2 1 5.5\n3 1 -6e3"),
        format!("{banner} real general\n3 3 5\n2 1 5.5\n3 1 -6e3"),
        format!("{banner} real general\n3 3 3\n2 1 5.5\n3 1 -6e3\n"),
        format!("{banner} real general\n3 2 1\n2 1 5.5\n"),
        format!("{banner} complex general\n3 3 1\n2 1 5.5\n"),
    ] {
        check("a.mtx", &text, ReadOptions::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_edges_are_read_as_by_one_machine(
        edges in prop::collection::vec((0..60u64, 0..60u64, 0..100u32), 0..60),
        gaps in prop_oneof![Just(1u64), Just(7), Just(1 << 40)],
        weights: bool,
        end in prop_oneof![Just("\n"), Just("\r\n"), Just(" \n"), Just("\n# comment\n\n")],
        ended: bool,
    ) {
        let line = |&(source, target, weight): &(u64, u64, u32)| if weights { format!("{} {}\t{weight}", source * gaps, target * gaps) } else { format!("{} {}", source * gaps, target * gaps) };
        let mut text = edges.iter().map(line).collect::<Vec<_>>().join(end);
        if ended {
            text += end;
        }
        check("a.edges", &text, ReadOptions::default());
    }
}

#[test]
fn formats_that_cannot_be_split_have_a_remedy() {
    let cases: [(&str, &[u8], &str); 5] = [
        ("a.txt.gz", b"\x1f\x8b", "is compressed by gzip"),
        ("a.csv", b"from,to\nAnn,Bob\n", "has vertices that are called by names"),
        ("a.graph", b"2 1\n2\n1\n", "is of the format metis"),
        ("a.txt", b"0 1\r1 2\r", "has lines that end by carriage returns alone"),
        (
            "a.txt",
            b"# equipoise vertices=1 names\n# vertex Ann\n",
            "has vertices that are called by names",
        ),
    ];
    for (name, bytes, expected) in cases {
        let (_folder, path) = file(name, bytes);
        let error = common::read(3, path.to_str().unwrap(), &SliceOptions::default()).unwrap_err();
        assert!(error.contains(expected) && error.contains("convert it to .eqp"), "{error}");
    }
}

#[test]
fn missing_files_and_unknown_formats_are_refused() {
    let (folder, path) = file("a.unknown", "0 1\n");
    let error = common::read(2, path.to_str().unwrap(), &SliceOptions::default()).unwrap_err();
    assert!(error.contains("the name does not tell the format"), "{error}");
    let read = ReadOptions { format: Some(Format::EdgeList), ..Default::default() };
    let options = SliceOptions { read, ranks_on_node: 1 };
    assert!(common::read(2, path.to_str().unwrap(), &options).is_ok());
    let missing = folder.path().join("b.txt");
    assert!(common::read(2, missing.to_str().unwrap(), &SliceOptions::default()).is_err());
}
