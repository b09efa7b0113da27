//! A folder of parts round-trips on any number of ranks, and damaged ones are refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use equipoise_cluster::{
    Comm, DistGraph, Result, SliceIds, SliceOptions, read_slice, run_threads, write_parts,
};
use equipoise_graph::{VertexNames, io::ReadOptions, load};
use proptest::prelude::*;
use tempfile::TempDir;

use super::common;

/// Writes the graph `source` into a folder, on this number of ranks.
fn written(ranks: usize, source: &str) -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("graph");
    write(ranks, source, &folder).unwrap();
    (home, folder)
}

fn write(ranks: usize, source: &str, folder: &Path) -> Result<()> {
    let outcomes = run_threads(ranks, 64, |comm| {
        let read = read_slice(comm, source, &SliceOptions::default())?;
        write_parts(comm, &DistGraph::build(comm, read.edges)?, read.ids, folder)
    });
    outcomes.into_iter().collect()
}

/// The error of ranks about a folder that they cannot read.
fn refused(ranks: usize, folder: &Path) -> String {
    common::read(ranks, folder.to_str().unwrap(), &SliceOptions::default()).unwrap_err()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_graph_is_the_same_after_it_was_written_and_read(
        seed in 1..u64::MAX,
        writers in 1..=5usize,
        readers in 1..=5usize,
        graph in prop_oneof![
            Just("rmat:scale=7,edge-factor=4"),
            Just("rmat:scale=5,duplicates=keep,loops=keep"),
            Just("star:n=50"),
            Just("isolated:n=9"),
            Just("isolated:n=0"),
            Just("grid:width=9,height=7,drop=0.3"),
        ],
        weights in prop_oneof![Just(""), Just(",weights=1..1000"), Just(",weights=-0.5..2.5")],
        directed: bool,
    ) {
        let spec = format!("{graph},seed={seed},directed={directed}{weights}");
        let (_home, folder) = written(writers, &spec);
        let slices = common::read(readers, folder.to_str().unwrap(), &SliceOptions::default());
        let alone = load(&spec, &ReadOptions::default()).unwrap();
        prop_assert!(common::whole(&slices.unwrap()) == alone, "{spec}");
    }
}

#[test]
fn numbers_with_gaps_and_weights_of_64_bits_are_kept() {
    let home = tempfile::tempdir().unwrap();
    let text = home.path().join("a.txt");
    let lines = "# equipoise vertices=5 undirected weights=f64\n# vertex 999999999999\n5 70 0.1\n70 7 0.2\n9 5 1e300\n";
    fs::write(&text, lines).unwrap();
    let (_home, folder) = written(3, text.to_str().unwrap());
    let alone = load(text.to_str().unwrap(), &ReadOptions::default()).unwrap();
    for readers in 1..=5 {
        let slices = common::read(readers, folder.to_str().unwrap(), &SliceOptions::default());
        assert_eq!(common::whole(&slices.unwrap()), alone);
    }
}

#[test]
fn names_are_kept() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("graph");
    run_threads(2, 64, |comm| {
        let read = read_slice(comm, "path:n=5", &SliceOptions::default()).unwrap();
        let graph = DistGraph::build(comm, read.edges).unwrap();
        let (first, names) = match comm.rank() {
            0 => (0, vec!["Ann", "Bob", "Éva", "日本"]),
            _ => (4, vec!["語"]),
        };
        let names = VertexNames::new(names).unwrap();
        write_parts(comm, &graph, SliceIds::Names { first, names }, &folder).unwrap();
    });
    for readers in 1..=5 {
        let slices = common::read(readers, folder.to_str().unwrap(), &SliceOptions::default());
        let graph = common::whole(&slices.unwrap());
        assert_eq!(graph.vertex("Éva").unwrap(), 2);
        assert_eq!(graph.ids().id(4), "語");
    }
}

#[test]
fn a_folder_that_has_a_graph_is_left_alone() {
    let (_home, folder) = written(2, "path:n=5");
    let before = fs::read(folder.join("manifest.json")).unwrap();
    let error = write(3, "path:n=9", &folder).unwrap_err().to_string();
    assert!(error.contains("the folder already has a graph"), "{error}");
    assert_eq!(fs::read(folder.join("manifest.json")).unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("graph");
    // A folder in place of the part of rank 1.
    fs::create_dir_all(folder.join("part-00001-of-00003")).unwrap();
    let error = write(3, "path:n=50", &folder).unwrap_err().to_string();
    assert!(error.starts_with("rank 1: "), "{error}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn every_damaged_byte_of_a_part_is_found() {
    let (_home, folder) = written(2, "path:n=9,weights=1..9");
    let part = folder.join("part-00000-of-00002");
    let whole = fs::read(&part).unwrap();
    for index in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[index] ^= 1;
        fs::write(&part, damaged).unwrap();
        let error = refused(1 + index % 3, &folder);
        assert!(error.contains("part-00000-of-00002"), "{index}: {error}");
    }
    fs::write(&part, &whole[..whole.len() - 1]).unwrap();
    assert!(refused(3, &folder).contains("is cut short or another file"));
    fs::remove_file(&part).unwrap();
    assert!(refused(3, &folder).contains("part-00000-of-00002: No such file"));
}

#[test]
fn manifests_that_are_wrong_are_refused() {
    let (home, folder) = written(2, "path:n=9");
    let path = folder.join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    for (from, to, expected) in [
        ("\"version\": 1", "\"version\": 2", "is of version 2"),
        ("equipoise-parts", "other", "is of the format \"other\""),
        ("\"vertices\": 9", "\"vertices\": 10", "tells of 10 vertices"),
        ("\"edges\": 16", "\"edges\": 17", "and 17 edges"),
        ("\"target_bytes\": 4", "\"target_bytes\": 5", "has targets of 5 bytes"),
        ("\"weights\": null", "\"weights\": \"i8\"", "has weights of type \"i8\""),
        ("\"part-00001", "\"../part-00001", "expected the name of a file beside it"),
        ("\"first\": 0", "\"first\": 1", "start with vertex 1: expected 0"),
        ("\"names\": 0", "\"names\": 1", "which is not what"),
        ("\"names\": 0", "\"names\": 18446744073709551615", "which is not what"),
        ("\"from\": 0", "\"from\": 18446744073709551615", "do not fit into 64 bits"),
        ("{", "", "is no manifest of a graph"),
    ] {
        let changed = manifest.replacen(from, to, 1);
        assert_ne!(changed, manifest, "{from}");
        fs::write(&path, changed).unwrap();
        let error = refused(3, &folder);
        assert!(error.contains("manifest.json") && error.contains(expected), "{from}: {error}");
    }
    fs::remove_file(&path).unwrap();
    assert!(refused(2, &folder).contains("manifest.json"));
    assert!(refused(2, home.path()).contains("manifest.json"));
}
