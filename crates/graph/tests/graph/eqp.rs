//! The `.eqp` format: the time to open a file, the integrity of its bytes, and conversions.

use std::{
    fs,
    time::{Duration, Instant},
};

use equipoise_graph::{
    Csr, Duplicates, Edges, Graph, GraphBuilder, Matrix, SelfLoops, VertexIds,
    io::{Format, ReadOptions, parse_graph, read_graph, read_matrix, write_graph, write_matrix},
};
use xxhash_rust::xxh3::xxh3_64;

use crate::common::Folder;

fn triangle() -> Graph {
    let edges = Edges::from(vec![(0, 1, 5u32), (1, 2, 6), (2, 0, 7)]);
    GraphBuilder::new().undirected(true).build(edges).unwrap()
}

fn options() -> ReadOptions<'static> {
    ReadOptions::default()
}

#[test]
fn opening_takes_no_time_whatever_the_size() {
    let folder = Folder::new();
    let path = folder.path("large.eqp");
    let (vertices, edges) = (100_000_000u64, 1_000_000_000u64);
    write_graph(&triangle(), &path, None).unwrap();
    let mut header = fs::read(&path).unwrap()[..64].to_vec();
    header[16..24].copy_from_slice(&vertices.to_le_bytes());
    header[24..32].copy_from_slice(&vertices.to_le_bytes());
    header[32..40].copy_from_slice(&edges.to_le_bytes());
    let checksum = xxh3_64(&header[..56]);
    header[56..].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, &header).unwrap();
    // 8.8 GB of zeros in a sparse file.
    let aligned = |size: u64| size.next_multiple_of(64);
    let offsets_end = 64 + 8 * (vertices + 1);
    let weights_end = aligned(aligned(offsets_end) + 4 * edges) + 4 * edges;
    fs::File::options().write(true).open(&path).unwrap().set_len(weights_end).unwrap();

    let fastest = (0..5)
        .map(|_| {
            let start = Instant::now();
            let graph = read_graph(&path, &options()).unwrap();
            let time = start.elapsed();
            assert_eq!((u64::from(graph.vertices()), graph.edges()), (vertices, edges));
            time
        })
        .min()
        .unwrap();
    assert!(fastest < Duration::from_millis(50), "opening took {fastest:?}");
}

#[test]
fn the_layout_is_as_documented() {
    let folder = Folder::new();
    let path = folder.path("small.eqp");
    let graph = Graph::from_csr(Csr::new(2, vec![0, 1, 1], vec![1]).unwrap(), None, false)
        .unwrap()
        .with_weights(Some(vec![9u32].into()))
        .unwrap()
        .with_ids(VertexIds::Table(vec![3, 1 << 40].into()))
        .unwrap();
    write_graph(&graph, &path, None).unwrap();

    let bytes = fs::read(&path).unwrap();
    let mut expected = b"\x89EQP\r\n\x1a\n\x01\0\0\0\0\0\x01\x01".to_vec();
    for number in [2u64, 2, 1, 0] {
        expected.extend(number.to_le_bytes());
    }
    let sections: [Vec<u8>; 4] = [
        [0u64, 1, 1].map(u64::to_le_bytes).concat(),
        1u32.to_le_bytes().into(),
        9u32.to_le_bytes().into(),
        [3u64, 1 << 40].map(u64::to_le_bytes).concat(),
    ];
    let sums = sections.each_ref().map(|section| xxh3_64(section).to_le_bytes());
    expected.extend(xxh3_64(&sums.concat()).to_le_bytes());
    expected.extend(xxh3_64(&expected).to_le_bytes());
    for section in &sections {
        expected.resize(expected.len().next_multiple_of(64), 0);
        expected.extend(section);
    }
    assert_eq!(bytes, expected);
}

#[test]
fn damage_is_found_when_the_graph_is_first_worked_with() {
    let folder = Folder::new();
    let path = folder.path("triangle.eqp");
    write_graph(&triangle(), &path, None).unwrap();
    let sound = fs::read(&path).unwrap();
    for byte in 64..sound.len() {
        let mut damaged = sound.clone();
        damaged[byte] ^= 1 << (byte % 8);
        fs::write(&path, &damaged).unwrap();
        let graph = read_graph(&path, &options()).unwrap();
        let message = graph.check().unwrap_err().to_string();
        assert!(message.contains("triangle.eqp") && message.contains("damaged"), "{message}");
        assert_eq!(graph.clone().check().unwrap_err().to_string(), message);
        assert!(read_matrix::<f32>(&path, &options()).is_err());
        assert!(parse_graph(&damaged, Format::Eqp, &options()).is_err());
    }
    for byte in 0..64 {
        let mut damaged = sound.clone();
        damaged[byte] ^= 1 << (byte % 8);
        fs::write(&path, &damaged).unwrap();
        assert!(read_graph(&path, &options()).is_err(), "byte {byte} of the header");
    }
}

#[test]
fn an_unchecked_graph_does_not_pass_as_sound_in_another_form() {
    let folder = Folder::new();
    let path = folder.path("triangle.eqp");
    let unweighted = triangle().with_weights(None).unwrap();
    write_graph(&unweighted, &path, None).unwrap();
    let mut damaged = fs::read(&path).unwrap();
    // The target of the last edge, which still keeps its row ascending and in range.
    let last = damaged.len() - 4;
    damaged[last] = 2;
    fs::write(&path, &damaged).unwrap();
    let graph = read_graph(&path, &options()).unwrap();
    assert!(Matrix::<f64>::from_graph(&graph).unwrap().check().is_err());
    assert!(graph.with_weights(Some(vec![1u32; 6].into())).is_err());
}

#[test]
fn a_mapped_graph_survives_being_replaced() {
    let folder = Folder::new();
    let path = folder.path("graph.eqp");
    write_graph(&triangle(), &path, None).unwrap();
    let mapped = read_graph(&path, &options()).unwrap();
    let dropped = ReadOptions { self_loops: SelfLoops::Drop, ..options() };
    let other = GraphBuilder::new().build(Edges::from(vec![(0, 0), (0, 3)])).unwrap();
    write_graph(&other, &path, None).unwrap();
    assert_eq!(mapped, triangle());
    mapped.check().unwrap();
    assert_eq!(read_graph(&path, &dropped).unwrap().edges(), 1);
    write_graph(&mapped, &path, None).unwrap();
    assert_eq!(read_graph(&path, &options()).unwrap(), triangle());
}

#[test]
fn a_graph_is_read_as_a_matrix_and_a_square_matrix_as_a_graph() {
    let folder = Folder::new();
    let path = folder.path("either.eqp");
    let twice = Edges::from(vec![(0, 1, 0.5f32), (0, 1, 0.25), (2, 2, -1.0)]);
    let graph = GraphBuilder::new().build(twice).unwrap();
    write_graph(&graph, &path, None).unwrap();
    let matrix = read_matrix::<f64>(&path, &options()).unwrap();
    let expected = Matrix::from_entries(3, 3, &[(0, 1, 0.75), (2, 2, -1.0)]).unwrap();
    assert_eq!(matrix, expected);

    write_matrix(&matrix, &path, None).unwrap();
    let graph = read_graph(&path, &options()).unwrap();
    graph.check().unwrap();
    assert_eq!(graph, matrix.to_graph().unwrap());
    assert_eq!(read_matrix::<f32>(&path, &options()).unwrap().values(), [0.75f32, -1.0]);

    let wide = Matrix::from_entries(1, 3, &[(0, 2, 1.5f32)]).unwrap();
    write_matrix(&wide, &path, None).unwrap();
    assert_eq!(read_matrix::<f32>(&path, &options()).unwrap(), wide);
    assert_eq!(read_matrix::<f64>(&path, &options()).unwrap().values(), [1.5f64]);
    let message = read_graph(&path, &options()).unwrap_err().to_string();
    assert!(message.contains("1 rows and 3 columns"), "{message}");
}

#[test]
fn options_apply_to_graphs() {
    let folder = Folder::new();
    let path = folder.path("graph.eqp");
    let ids = VertexIds::Dense { first: 7 };
    let edges = Edges::from(vec![(0, 1, 9u32), (0, 1, 4), (2, 2, 1)]);
    let builder = GraphBuilder::new().ids(ids);
    write_graph(&builder.build(edges.clone()).unwrap(), &path, None).unwrap();
    let changed = ReadOptions {
        undirected: true,
        duplicates: Duplicates::Drop,
        self_loops: SelfLoops::Drop,
        ..options()
    };
    let expected = builder
        .undirected(true)
        .duplicates(Duplicates::Drop)
        .self_loops(SelfLoops::Drop)
        .vertices(3)
        .build(edges)
        .unwrap();
    let graph = read_graph(&path, &changed).unwrap();
    assert_eq!(graph, expected);
    // An undirected graph is not doubled.
    write_graph(&expected, &path, None).unwrap();
    assert_eq!(read_graph(&path, &changed).unwrap(), expected);
}

#[test]
fn options_apply_to_matrices() {
    let folder = Folder::new();
    let path = folder.path("matrix.eqp");
    let matrix = Matrix::from_entries(2, 2, &[(0, 1, 2.0), (1, 0, 3.0), (1, 1, 4.0)]).unwrap();
    write_matrix(&matrix, &path, None).unwrap();
    let read = |options: ReadOptions| read_matrix::<f64>(&path, &options);
    let mirrored = read(ReadOptions { undirected: true, ..options() }).unwrap();
    let expected = Matrix::from_entries(2, 2, &[(0, 1, 5.0), (1, 0, 5.0), (1, 1, 4.0)]).unwrap();
    assert_eq!(mirrored, expected);
    let no_diagonal = read(ReadOptions { self_loops: SelfLoops::Drop, ..options() }).unwrap();
    assert_eq!(no_diagonal.values(), [2.0, 3.0]);

    write_matrix(&Matrix::from_entries(1, 2, &[(0, 1, 2.0)]).unwrap(), &path, None).unwrap();
    let error = read(ReadOptions { undirected: true, ..options() }).unwrap_err().to_string();
    assert!(error.contains("needs a square matrix"), "{error}");
}
