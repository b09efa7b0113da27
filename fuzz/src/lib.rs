//! What every fuzz target asks of a reader: no panic, no great allocation, a sound result, and a
//! writer whose output reads back equal.

mod files;
mod policies;
mod words;

use std::sync::Once;

use equipoise_graph::{
    Csr, Duplicates, Error, Graph, Matrix, SelfLoops, Value, Weights,
    generate::Spec,
    io::{Format, ReadOptions, parse_graph, parse_matrix, print_graph, print_matrix},
};
use xxhash_rust::xxh3::xxh3_64;

/// Larger graphs and matrices are only read: the rest would take its time.
const MOST_ROWS: u32 = 1 << 14;

/// The targets; each has a folder of inputs to start from in `seeds`.
pub const TARGETS: &[&str] = &[
    "mtx_graph", "mtx_matrix", "edges", "gr", "metis", "graphml", "gml", "el", "wel", "sg", "wsg", "eqp",
    "spec", "words", "unpack", "model", "table", "plan",
];

/// Runs a target.
pub fn run(target: &str, bytes: &[u8]) {
    stay_on_this_thread();
    match target {
        "mtx_graph" => check_graph(bytes, Format::MatrixMarket),
        "mtx_matrix" => check_matrix(bytes, Format::MatrixMarket),
        "eqp" => {
            for bytes in [bytes, &with_right_checksums(bytes)] {
                check_graph(bytes, Format::Eqp);
                check_matrix(bytes, Format::Eqp);
            }
        }
        "spec" => check_spec(bytes),
        "words" => words::check(bytes),
        "unpack" => files::check_unpacking(bytes),
        "table" => files::check_table(bytes),
        "model" => policies::check_model(bytes),
        "plan" => policies::check_plan(bytes),
        format => check_graph(bytes, format.parse().expect("the name of a target")),
    }
}

/// Reads a generator's spec, writes it and reads that; makes the graph where it is small.
fn check_spec(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(spec) = text.parse::<Spec>() else { return };
    let again = spec.to_string().parse::<Spec>().expect("what was written is read");
    assert_eq!(again, spec);
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    // Few digits make small graphs, but for the keys that are exponents.
    if digits <= 4 && !text.contains("scale") && !text.contains("depth") {
        match spec.shape() {
            None => check_structure(&spec.generate().expect("a spec that was read can be made")),
            Some(_) => drop(spec.generate_matrix::<f64>().expect("so can a matrix")),
        }
    }
}

/// Reads a graph, checks it, writes it and reads that.
fn check_graph(bytes: &[u8], format: Format) {
    let Ok(graph) = parse_graph(bytes, format, &ReadOptions::default()) else { return };
    if graph.vertices() > MOST_ROWS {
        return;
    }
    check_structure(&graph);
    let changed = ReadOptions {
        undirected: true,
        duplicates: Duplicates::Drop,
        self_loops: SelfLoops::Drop,
        ..Default::default()
    };
    let undirected = parse_graph(bytes, format, &changed).expect("options do not matter");
    assert!(undirected.is_undirected());
    check_structure(&undirected);
    let mut written = Vec::new();
    match print_graph(&graph, format, &mut written) {
        Ok(()) => {
            let again = parse_graph(&written, format, &ReadOptions::default())
                .expect("what was written is read");
            assert_same(&again, &graph);
        }
        Err(Error::Unsupported { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

/// Reads a matrix, checks it, writes it and reads that.
fn check_matrix(bytes: &[u8], format: Format) {
    check_matrix_of::<f32>(bytes, format);
    check_matrix_of::<f64>(bytes, format);
}

fn check_matrix_of<T: Value>(bytes: &[u8], format: Format) {
    let Ok(matrix) = parse_matrix::<T>(bytes, format, &ReadOptions::default()) else { return };
    if matrix.rows().max(matrix.columns()) > MOST_ROWS {
        return;
    }
    check_rows(matrix.csr());
    assert_eq!(matrix.values().len() as u64, matrix.entries());
    let mut written = Vec::new();
    print_matrix(&matrix, format, &mut written).expect("what was read can be written");
    let again = parse_matrix::<T>(&written, format, &ReadOptions::default())
        .expect("what was written is read");
    assert_eq!(again.csr(), matrix.csr());
    let bits = |matrix: &Matrix<T>| -> Vec<u64> {
        matrix.values().iter().map(|value| bits_of(value.to_f64())).collect()
    };
    assert_eq!(bits(&again), bits(&matrix));
}

/// The bits of a number, the same for every NaN.
fn bits_of(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() }
}

fn check_structure(graph: &Graph) {
    check_rows(graph.csr());
    let (csr, weights) = (graph.csr().clone(), graph.weights().cloned());
    Graph::from_csr(csr, weights, graph.is_undirected())
        .expect("a sound graph")
        .with_ids(graph.ids().clone())
        .expect("sound ids");
}

fn check_rows(csr: &Csr) {
    Csr::new(csr.columns(), csr.offsets().to_vec(), csr.indices().to_vec()).expect("sound rows");
}

fn assert_same(a: &Graph, b: &Graph) {
    assert_eq!(a.csr(), b.csr());
    assert_eq!(a.is_undirected(), b.is_undirected());
    assert_eq!(a.ids(), b.ids());
    assert_eq!(a.weights().map(Weights::type_name), b.weights().map(Weights::type_name));
    if let (Some(a), Some(b)) = (a.weights(), b.weights()) {
        let bits = |weights: &Weights| -> Vec<u64> {
            (0..weights.len()).map(|edge| bits_of(weights.get(edge))).collect()
        };
        assert_eq!(bits(a), bits(b));
    }
}

/// The bytes of an .eqp file as they would be had it been written so: with the right start and,
/// where its sections fit into it, the right checksums. Few inputs would get past them otherwise.
fn with_right_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < 64 {
        return bytes;
    }
    bytes[..12].copy_from_slice(b"\x89EQP\r\n\x1a\n\x01\0\0\0");
    let number = |at: usize| (0..8).rev().fold(0, |sum, i| sum << 8 | u128::from(bytes[at + i]));
    let value_size = match bytes[14] {
        0 => 0,
        1 | 2 => 4,
        _ => 8,
    };
    let ids = if bytes[15] == 1 { number(16) } else { 0 };
    let sizes = [8 * (number(16) + 1), 4 * number(32), value_size * number(32), 8 * ids];
    let mut end = 64u128;
    let mut sums = Vec::new();
    for size in sizes.into_iter().filter(|&size| size > 0) {
        let start = end.next_multiple_of(64);
        end = start + size;
        match usize::try_from(end).ok().and_then(|end| bytes.get(start as usize..end)) {
            Some(section) => sums.extend(section.chunks(1 << 20).map(xxh3_64)),
            None => break,
        }
    }
    let sums: Vec<u8> = sums.into_iter().flat_map(u64::to_le_bytes).collect();
    bytes[48..56].copy_from_slice(&xxh3_64(&sums).to_le_bytes());
    let header = xxh3_64(&bytes[..56]);
    bytes[56..64].copy_from_slice(&header.to_le_bytes());
    bytes
}

/// Lets all parallel work run on the fuzzer's own thread: inputs are far too small for more.
fn stay_on_this_thread() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .use_current_thread()
            .build_global()
            .expect("nobody made a pool before");
    });
}
