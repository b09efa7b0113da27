//! Slices of `.eqp` files equal the graph on one machine.

use std::{fs, path::Path};

use equipoise_cluster::SliceOptions;
use equipoise_graph::{
    Duplicates, Graph, Matrix, SelfLoops, VertexIds, VertexNames, WeightType,
    io::{ReadOptions, read_graph, write_graph, write_matrix},
    load,
};
use proptest::prelude::*;

use super::common;

/// Compares the graphs of 1 to 5 ranks with that of one machine.
fn check(path: &Path, read: ReadOptions) {
    let alone = read_graph(path, &read).unwrap();
    for ranks in 1..=5 {
        let options = SliceOptions { read, ranks_on_node: 1 };
        let slices = common::read(ranks, path.to_str().unwrap(), &options).unwrap();
        assert_eq!(common::whole(&slices), alone, "{ranks} ranks");
    }
}

fn check_graph(graph: &Graph) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eqp");
    write_graph(graph, &path, None).unwrap();
    check(&path, ReadOptions::default());
    check(&path, ReadOptions { undirected: true, ..Default::default() });
    let (duplicates, self_loops) = (Duplicates::Drop, SelfLoops::Drop);
    check(&path, ReadOptions { duplicates, self_loops, ..Default::default() });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_graph_is_read_as_by_one_machine(
        seed in 1..u64::MAX,
        graph in prop_oneof![
            Just("rmat:scale=7,edge-factor=4"),
            Just("rmat:scale=5,duplicates=keep,loops=keep"),
            Just("star:n=50"),
            Just("isolated:n=9"),
            Just("isolated:n=0"),
        ],
        weights in prop_oneof![Just(""), Just(",weights=1..1000"), Just(",weights=-0.5..2.5")],
        directed: bool,
    ) {
        let spec = format!("{graph},seed={seed},directed={directed}{weights}");
        check_graph(&load(&spec, &ReadOptions::default()).unwrap());
    }
}

#[test]
fn ids_are_kept() {
    let path = load("path:n=5", &ReadOptions::default()).unwrap();
    let names = VertexNames::new(["Ann", "Bob", "Éva", "日本", "語"]).unwrap();
    let tables = [
        VertexIds::Dense { first: 7 },
        VertexIds::Table(vec![3, 5, 8, 13, 1 << 60].into()),
        VertexIds::Names(names),
    ];
    for ids in tables {
        check_graph(&path.clone().with_ids(ids).unwrap());
    }
}

/// Some sections have several blocks, others none.
#[test]
fn large_files_are_summed_up_by_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eqp");
    let graph = load("rmat:scale=16,edge-factor=8,weights=1..9", &ReadOptions::default()).unwrap();
    write_graph(&graph, &path, None).unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 6 << 20);
    check(&path, ReadOptions::default());
    let mut bytes = fs::read(&path).unwrap();
    for index in [64, bytes.len() / 3, bytes.len() - 1] {
        bytes[index] ^= 1;
        fs::write(&path, &bytes).unwrap();
        for ranks in [1, 4] {
            let source = path.to_str().unwrap();
            let error = common::read(ranks, source, &SliceOptions::default()).unwrap_err();
            assert!(
                error.ends_with("is damaged: its contents do not match their checksum"),
                "{error}"
            );
        }
        bytes[index] ^= 1;
    }
}

#[test]
fn matrices_are_read_as_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eqp");
    let square = Matrix::from_entries(3, 3, &[(0, 2, 0.1f64), (2, 0, 7.0), (1, 1, -3.5)]).unwrap();
    write_matrix(&square, &path, None).unwrap();
    check(&path, ReadOptions::default());
    let wide = Matrix::from_entries(3, 4, &[(0, 2, 1f64)]).unwrap();
    write_matrix(&wide, &path, None).unwrap();
    let error = common::read(2, path.to_str().unwrap(), &SliceOptions::default());
    let alone = read_graph(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.unwrap_err().ends_with(&alone.to_string()), "{alone}");
}

#[test]
fn weights_have_the_requested_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eqp");
    for (weight, fits) in [(0.1, [false, true, true]), (16_777_217.0, [true, false, true])] {
        let matrix = Matrix::from_entries(3, 3, &[(0, 2, weight)]).unwrap();
        write_matrix(&matrix, &path, None).unwrap();
        for (weights, fits) in
            [WeightType::U32, WeightType::F32, WeightType::F64].into_iter().zip(fits)
        {
            let read = ReadOptions { weights, ..ReadOptions::default() };
            let options = SliceOptions { read, ranks_on_node: 1 };
            assert_eq!(read_graph(&path, &read).is_ok(), fits, "{weight} as {weights}");
            assert_eq!(common::read(2, path.to_str().unwrap(), &options).is_ok(), fits);
            if fits {
                check(&path, read);
            }
        }
    }
}

#[test]
fn damaged_headers_and_short_files_are_refused_as_by_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eqp");
    let graph = load("path:n=9", &ReadOptions::default()).unwrap();
    write_graph(&graph, &path, None).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut damaged: Vec<Vec<u8>> =
        [0, 1, 63, 64, 100, whole.len() - 1].map(|length| whole[..length].to_vec()).into();
    for index in [3, 8, 12, 20, 50, 60] {
        let mut bytes = whole.clone();
        bytes[index] ^= 1;
        damaged.push(bytes);
    }
    for bytes in damaged {
        fs::write(&path, &bytes).unwrap();
        let error = common::read(3, path.to_str().unwrap(), &SliceOptions::default());
        let alone = read_graph(&path, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.unwrap_err(), format!("rank 0: {alone}"));
    }
    let mut padded = whole.clone();
    let after_offsets = 64 + 10 * 8;
    padded[after_offsets] = 1;
    fs::write(&path, &padded).unwrap();
    let error = common::read(2, path.to_str().unwrap(), &SliceOptions::default()).unwrap_err();
    assert!(error.ends_with("is damaged: the bytes before byte 192 are not 0"), "{error}");
    let packed = folder.path().join("a.eqp.gz");
    write_graph(&graph, &packed, None).unwrap();
    let error = common::read(2, packed.to_str().unwrap(), &SliceOptions::default()).unwrap_err();
    assert!(error.contains("is compressed by gzip"), "{error}");
}
