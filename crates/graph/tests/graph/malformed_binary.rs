//! Malformed .sg, .wsg, .eqp and compressed files are rejected with helpful messages.

use std::fs;

use equipoise_graph::{
    Edges, GraphBuilder, Matrix, VertexIds,
    io::{Format, ReadOptions, parse_graph, parse_matrix, read_graph, write_graph, write_matrix},
};
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{Folder, written};

fn assert_refused(bytes: &[u8], format: Format, expected: &str) {
    match parse_graph(bytes, format, &ReadOptions::default()) {
        Ok(_) => panic!("{format} was read, though: {expected}"),
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("input: "), "{message}");
            assert!(message.contains(expected), "found {message:?}, expected {expected:?}");
        }
    }
}

/// A GAP file, with one or two 32-bit numbers per edge.
fn gap(directed: u8, edges: i64, vertices: i64, arrays: &[(&[i64], &[i32])]) -> Vec<u8> {
    let mut bytes = vec![directed];
    bytes.extend(edges.to_le_bytes());
    bytes.extend(vertices.to_le_bytes());
    for (offsets, targets) in arrays {
        bytes.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        bytes.extend(targets.iter().flat_map(|target| target.to_le_bytes()));
    }
    bytes
}

#[test]
fn gap_graphs() {
    let sound: (&[i64], &[i32]) = (&[0, 1, 2], &[1, 0]);
    let check = |bytes: Vec<u8>, expected: &str| assert_refused(&bytes, Format::GapGraph, expected);
    check(vec![], "expected a header of 17 bytes, found 0 bytes");
    check(gap(0, 2, 2, &[])[..16].into(), "expected a header of 17 bytes, found 16 bytes");
    check(gap(2, 2, 2, &[sound]), "as the first byte, found 2");
    check(b"%%MatrixMarket matrix coordinate".into(), "as the first byte, found 37");
    check(gap(0, -1, 2, &[sound]), "the number of edges is negative: -1");
    check(gap(0, 2, -2, &[sound]), "the number of vertices is negative: -2");
    check(gap(0, i64::MIN, 2, &[sound]), "the number of edges is negative");
    check(gap(0, 2, i64::MAX, &[sound]), "9223372036854775807 vertices are too many");
    check(gap(0, 2, 1 << 31, &[sound]), "2147483648 vertices are too many");
    check(gap(0, 2, (1 << 31) - 1, &[sound]), "take 17179869209 bytes, but the file has 49");
    check(gap(0, i64::MAX, 2, &[sound]), "but the file has 49");
    check(gap(1, i64::MAX, (1 << 31) - 1, &[sound]), "but the file has 49");
    check(gap(0, 1_000_000_000_000, 2, &[sound]), "take 4000000000041 bytes");
    check(gap(0, 3, 2, &[sound]), "take 53 bytes, but the file has 49");
    check(gap(0, 1, 2, &[sound]), "take 45 bytes, but the file has 49");
    check(gap(0, 0, 0, &[]), "take 25 bytes, but the file has 17");
    check(gap(1, 2, 2, &[sound]), "take 81 bytes, but the file has 49");
    check(gap(1, 2, 2, &[sound, (&[0, 1, 2], &[1])]), "take 81 bytes, but the file has 77");
    check(gap(0, 2, 2, &[(&[1, 1, 2], &[1, 0])]), "the offsets run from 1 to 2, not from 0 to 2");
    check(gap(0, 2, 2, &[(&[0, 1, 1], &[1, 0])]), "the offsets run from 0 to 1, not from 0 to 2");
    check(gap(0, 2, 2, &[(&[0, 3, 2], &[1, 0])]), "the offsets fall from 3 to 2 after vertex 1");
    check(gap(0, 2, 2, &[(&[0, -1, 2], &[1, 0])]), "the offsets fall from -1 to 2 after vertex 1");
    check(gap(0, 2, 2, &[(&[0, 1, -2], &[1, 0])]), "the offsets run from 0 to -2");
    check(gap(0, 2, 2, &[(&[0, 1, 2], &[2, 0])]), "edge 0 goes to vertex 2, but the graph has 2");
    check(gap(0, 2, 2, &[(&[0, 1, 2], &[1, -1])]), "edge 1 goes to vertex -1, but the graph has 2");
    check(gap(0, 1, 2, &[(&[0, 1, 1], &[1])]), "the edge from 0 to 1 has no reverse");
    check(gap(0, 2, 2, &[(&[0, 1, 2], &[1, 0, 1, 0])]), "it would be right for .wsg");
}

#[test]
fn gap_weighted_graphs() {
    let check = |bytes: Vec<u8>, expected: &str| {
        assert_refused(&bytes, Format::GapWeightedGraph, expected);
    };
    let offsets: &[i64] = &[0, 1, 2];
    check(gap(0, 2, 2, &[(offsets, &[1, 5, 0])]), "take 57 bytes, but the file has 53");
    check(gap(0, 2, 2, &[(offsets, &[1, 0])]), "it would be right for .sg");
    check(gap(0, 2, 2, &[(offsets, &[1, 5, 0, -5])]), "edge 1 has the weight -5");
    check(gap(0, 2, 2, &[(offsets, &[7, 5, 0, 5])]), "edge 0 goes to vertex 7");
    check(gap(0, 2, 2, &[(offsets, &[1, 5, 0, 6])]), "no reverse of the same weight");
    check(gap(0, 2, 2, &[(&[0, 9, 2], &[1, 5, 0, 5])]), "the offsets fall from 9 to 2");
    check(gap(0, i64::MAX, 2, &[]), "but the file has 17");
}

#[test]
fn gap_graphs_cut_short_anywhere() {
    let edges = Edges::from(vec![(0, 1, 5u32), (1, 0, 5), (2, 0, 1)]);
    let graph = GraphBuilder::new().build(edges).unwrap();
    let weighted = written(&graph, Format::GapWeightedGraph);
    let unweighted = written(&graph.with_weights(None).unwrap(), Format::GapGraph);
    for (bytes, format) in [(unweighted, Format::GapGraph), (weighted, Format::GapWeightedGraph)] {
        for length in 0..bytes.len() {
            let expected = if length < 17 { "header of 17 bytes" } else { "but the file has" };
            assert_refused(&bytes[..length], format, expected);
        }
    }
}

/// The bytes of a small .eqp file: offsets at 64, targets at 128, weights at 192, ids at 256.
fn eqp() -> Vec<u8> {
    let ids = VertexIds::Table(vec![3, 40, 500].into());
    let edges = Edges::from(vec![(0, 1, 5u32), (1, 2, 6)]);
    written(&GraphBuilder::new().undirected(true).ids(ids).build(edges).unwrap(), Format::Eqp)
}

/// Replaces bytes and recomputes the checksums, like a maliciously crafted file.
fn forged(mut bytes: Vec<u8>, at: usize, replacement: &[u8]) -> Vec<u8> {
    bytes[at..at + replacement.len()].copy_from_slice(replacement);
    let sections = [64..96, 128..144, 192..208, 256..280];
    if bytes.len() == 280 {
        let sums = sections.map(|section| xxh3_64(&bytes[section]).to_le_bytes());
        let sum = xxh3_64(&sums.concat());
        bytes[48..56].copy_from_slice(&sum.to_le_bytes());
    }
    let sum = xxh3_64(&bytes[..56]);
    bytes[56..64].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn eqp_headers() {
    assert!(parse_graph(&forged(eqp(), 0, b"\x89"), Format::Eqp, &ReadOptions::default()).is_ok());
    let check = |at: usize, replacement: &[u8], expected: &str| {
        assert_refused(&forged(eqp(), at, replacement), Format::Eqp, expected);
    };
    let number = |number: u64| number.to_le_bytes();
    assert_refused(b"", Format::Eqp, "does not start as one");
    assert_refused(b"\x89EQP", Format::Eqp, "does not start as one");
    assert_refused(b"\x89EQP\r\n\x1a\n", Format::Eqp, "its header has 64 bytes, found 8");
    check(0, b"\x88", "is not an Equipoise file");
    check(5, b"\r", "is not an Equipoise file");
    check(8, &[2], "is of version 2 of the format, and this Equipoise knows version 1");
    check(8, &[0], "is of version 0");
    check(12, &[2], "has an unknown kind (2, 1)");
    check(12, &[1], "has an unknown kind (1, 1)");
    check(13, &[3], "has an unknown kind (0, 3)");
    check(12, &[1, 0], "has an unknown type of values (1)");
    check(14, &[4], "has an unknown type of values (4)");
    check(15, &[9], "has an unknown kind of ids (9)");
    check(12, &[1, 0, 2], "holds a matrix, but with ids");
    check(16, &number(2), "but of 2 rows and 3 columns");
    check(16, &[number(1 << 32), number(1 << 32)].concat(), "the most are 4294967295");
    check(16, &number(u64::MAX), "the most are 4294967295");
    check(16, &[number(4), number(4)].concat(), "has 280 bytes, but 4 rows and 4 entries");
    check(32, &number(1_000_000_000_000), "has 280 bytes");
    check(32, &number(u64::MAX), "has 280 bytes");
    check(32, &number(0), "has 280 bytes");
    check(14, &[0], "has 280 bytes");
    check(15, &[0], "has 280 bytes");

    let mut damaged = eqp();
    damaged[40] ^= 1;
    assert_refused(&damaged, Format::Eqp, "does not match the header's checksum");
}

#[test]
fn eqp_ids_past_64_bits() {
    let edges = Edges::from(vec![(0, 1)]);
    let bytes = written(&GraphBuilder::new().build(edges).unwrap(), Format::Eqp);
    let bytes = forged(bytes, 40, &(u64::MAX - 1).to_le_bytes());
    assert_refused(&bytes, Format::Eqp, "ids that do not fit into 64 bits");
}

#[test]
fn eqp_sections() {
    let check = |at: usize, replacement: &[u8], expected: &str| {
        let bytes = forged(eqp(), at, replacement);
        assert_refused(&bytes, Format::Eqp, expected);
        let folder = Folder::new();
        let path = folder.write("graph.eqp", &bytes);
        let graph = read_graph(&path, &ReadOptions::default()).unwrap();
        let message = graph.check().unwrap_err().to_string();
        assert!(message.contains(expected) && message.contains("graph.eqp"), "{message}");
    };
    check(64, &[1], "offsets run from 1 to 4, not from 0 to 4");
    check(88, &[3], "offsets run from 0 to 3, not from 0 to 4");
    check(72, &[9], "the offsets fall after row 1");
    check(79, &[0xff], "the offsets fall after row 1");
    check(128, &[7], "the indices of row 0");
    check(132, &[2, 0, 0, 0, 0], "the indices of row 1");
    check(128, &[2], "has no reverse");
    check(192, &[9], "has no reverse of the same weight");
    check(256, &[255], "the vertex ids do not ascend");
    check(100, &[1], "the bytes before byte 128 are not 0");

    let mut damaged = eqp();
    damaged[200] ^= 16;
    assert_refused(&damaged, Format::Eqp, "its contents do not match their checksum");
}

#[test]
fn eqp_cut_short_or_longer_anywhere() {
    let bytes = eqp();
    for length in 8..bytes.len() {
        let expected = if length < 64 { "is cut short" } else { "as its header says, take 280" };
        assert_refused(&bytes[..length], Format::Eqp, expected);
    }
    assert_refused(&[&bytes[..], b"\0"].concat(), Format::Eqp, "has 281 bytes");
}

#[test]
fn eqp_matrices() {
    let folder = Folder::new();
    let path = folder.path("matrix.eqp");
    write_matrix(&Matrix::from_entries(1, 2, &[(0, 1, 0.5f64)]).unwrap(), &path, None).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let parse = |bytes: &[u8]| {
        parse_matrix::<f64>(bytes, Format::Eqp, &ReadOptions::default()).map(|matrix| matrix.rows())
    };
    assert_eq!(parse(&bytes).unwrap(), 1);
    assert_refused(&bytes, Format::Eqp, "1 rows and 2 columns");
    bytes[128] = 2;
    assert!(parse(&bytes).unwrap_err().to_string().contains("checksum"));
}

const PACKED: [(&str, &str); 4] = [("gz", "gzip"), ("zst", "zstd"), ("xz", "xz"), ("bz2", "bzip2")];

fn packed_eqp(extension: &str) -> Vec<u8> {
    let folder = Folder::new();
    let path = folder.path(&format!("graph.eqp.{extension}"));
    let graph = parse_graph(&eqp(), Format::Eqp, &ReadOptions::default()).unwrap();
    write_graph(&graph, &path, None).unwrap();
    fs::read(path).unwrap()
}

fn message_of(name: &str, bytes: &[u8]) -> String {
    let path = Folder::new();
    let path = path.write(name, bytes);
    let message = read_graph(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains(name), "{message}");
    message
}

#[test]
fn compressed_files_that_are_not() {
    for (extension, method) in PACKED {
        let name = format!("graph.eqp.{extension}");
        let ends = format!("though its name ends in .{extension}");
        let message = message_of(&name, &eqp());
        assert!(message.ends_with(&format!("is not compressed by {method}, {ends}")), "{message}");
        let message = message_of(&name, b"");
        assert!(message.ends_with(&format!("is empty, {ends}")), "{message}");
        let bytes = packed_eqp(extension);
        let (other, expected) = match extension {
            "gz" => ("xz", "is compressed by gzip, though its name ends in .xz"),
            "zst" => ("gz", "is compressed by zstd, though its name ends in .gz"),
            "xz" => ("gz", "is compressed by xz, though its name ends in .gz"),
            _ => ("gz", "is compressed by bzip2, though its name ends in .gz"),
        };
        let message = message_of(&format!("graph.eqp.{other}"), &bytes);
        assert!(message.ends_with(expected), "{message}");
        let message = message_of("graph.eqp", &bytes);
        let expected =
            format!("is compressed by {method}, but its name does not end in .{extension}");
        assert!(message.ends_with(&expected), "{message}");
    }
}

#[test]
fn compressed_files_cut_short_anywhere() {
    for (extension, method) in PACKED {
        let name = format!("graph.eqp.{extension}");
        let bytes = packed_eqp(extension);
        for length in 8..bytes.len() {
            let message = message_of(&name, &bytes[..length]);
            let expected = format!("the {method} data is cut short or damaged: ");
            assert!(message.contains(&expected), "{length} of {}: {message}", bytes.len());
        }
    }
}

#[test]
fn compressed_files_with_a_bit_flipped_never_give_another_graph() {
    let folder = Folder::new();
    let graph = parse_graph(&eqp(), Format::Eqp, &ReadOptions::default()).unwrap();
    for (extension, _) in PACKED {
        let bytes = packed_eqp(extension);
        for byte in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 1 << (byte % 8);
            let path = folder.write(&format!("graph.eqp.{extension}"), &damaged);
            if let Ok(read) = read_graph(&path, &ReadOptions::default()) {
                assert_eq!(read, graph, "byte {byte} of .{extension}");
            }
        }
    }
}

#[test]
fn files_that_cannot_be_opened_or_written() {
    let folder = Folder::new();
    let options = ReadOptions::default();
    let graph = parse_graph(&eqp(), Format::Eqp, &options).unwrap();
    let missing = folder.path("missing/graph.eqp");
    let message = read_graph(&missing, &options).unwrap_err().to_string();
    assert!(message.contains("missing/graph.eqp: No such file"), "{message}");
    let message = write_graph(&graph, &missing, None).unwrap_err().to_string();
    assert!(message.contains("missing: No such file"), "{message}");

    fs::create_dir(folder.path("folder.eqp")).unwrap();
    let message = read_graph(&folder.path("folder.eqp"), &options).unwrap_err().to_string();
    assert!(message.ends_with("folder.eqp: is a directory"), "{message}");
    let message = write_graph(&graph, &folder.path("folder.eqp"), None).unwrap_err().to_string();
    assert!(message.ends_with("folder.eqp: is a directory"), "{message}");

    let empty = folder.write("empty.eqp", b"");
    let message = read_graph(&empty, &options).unwrap_err().to_string();
    assert!(message.contains("empty.eqp: is not an Equipoise file"), "{message}");
}
