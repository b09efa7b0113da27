//! Readers under memory limits: accepted reads stay below the limit, and 1.5 times the actual peak
//! is sufficient.

use std::path::Path;

use equipoise_graph::{
    Error, Graph, Matrix, Mode, Result,
    generate::{Spec, TensorSpec},
    io::{
        Format, ReadOptions, parse_graph, parse_matrix, parse_tensor, print_graph, print_tensor,
        read_graph,
    },
    memory,
    stats::Statistics,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::{allocator::measured, alone};

/// The allocator's fragmentation, and allocations that are not declared.
const SMALL: u64 = 512 << 10;

/// Runs `work` with a limit of `bytes` available bytes.
fn with_memory<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
    let before = getrlimit(Resource::Data);
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = pages.split(' ').nth(5).unwrap().parse().unwrap();
    let used = pages * rustix::param::page_size() as u64;
    // Plus one part in 15, which is the reserve.
    let current = Some(used + bytes + bytes / 15);
    setrlimit(Resource::Data, Rlimit { current, maximum: before.maximum }).unwrap();
    assert!(memory::available() <= bytes + SMALL);
    let result = work();
    setrlimit(Resource::Data, before).unwrap();
    result
}

/// Asserts that `work` never exceeds the limit, is rejected if it is too low, and succeeds with 1.5
/// times its actual peak.
fn check<T>(name: &str, work: impl Fn() -> Result<T>) {
    let (result, most) = measured(&work);
    result.unwrap_or_else(|error| panic!("{name}: {error}"));
    for percent in [10, 70, 95, 110, 150] {
        let limit = most * percent / 100 + if percent == 150 { SMALL } else { 0 };
        let (result, taken) = with_memory(limit, || measured(|| work().map(drop)));
        let summary = || format!("{name}: {taken} of {limit} bytes, needs {most}: {result:?}");
        assert!(taken <= limit + SMALL, "{}", summary());
        match &result {
            Ok(()) => assert!(percent > 60, "{}", summary()),
            Err(Error::OutOfMemory { needed, available, .. }) => {
                assert!(percent < 150 && needed > available, "{}", summary());
            }
            Err(_) => panic!("{}", summary()),
        }
    }
}

fn generated(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate().unwrap()
}

fn bytes_of(graph: &Graph, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    print_graph(graph, format, &mut bytes).unwrap();
    bytes
}

#[test]
fn tensors_declare_their_memory() {
    let _alone = alone();
    let spec: TensorSpec = "tensor:i=5000,j=900,k=70,nonzeros=300000,skew=2".parse().unwrap();
    check("generating a tensor", || spec.generate());
    let tensor = spec.generate().unwrap();
    check("the slices of a tensor", || tensor.slices(Mode::Second));
    let mut text = Vec::new();
    print_tensor(&tensor, &mut text).unwrap();
    check("reading a tensor", || parse_tensor(&text));
}

const PLAIN: &str = "er:n=30000,m=120000";

#[test]
fn readers_of_every_format_declare_their_memory() {
    let _alone = alone();
    for &format in Format::ALL {
        for weights in ["", ",weights=1..1000", ",weights=0.5..2.0"] {
            for directed in [false, true] {
                let graph = generated(&format!("{PLAIN},directed={directed}{weights}"));
                let mut bytes = Vec::new();
                if print_graph(&graph, format, &mut bytes).is_err() {
                    continue;
                }
                let name = format!("{format}, directed={directed}{weights}");
                for undirected in [false, true] {
                    let options = ReadOptions { undirected, ..Default::default() };
                    check(&name, || parse_graph(&bytes, format, &options));
                }
            }
        }
    }
}

#[test]
fn readers_of_sparse_and_wide_ids_declare_their_memory() {
    let _alone = alone();
    for (name, factor) in [("few gaps", 3u64), ("many gaps", 1000), ("64 bits", 1 << 40)] {
        let graph = generated(PLAIN);
        let coo = graph.coo().unwrap();
        let lines = coo.sources.iter().zip(coo.targets);
        let text: String = lines
            .map(|(&source, &target)| {
                let [source, target] = [source, target].map(|vertex| u64::from(vertex) * factor);
                format!("{source}\t{target}\n")
            })
            .collect();
        let options = ReadOptions::default();
        check(name, || parse_graph(text.as_bytes(), Format::EdgeList, &options));
    }
}

#[test]
fn readers_of_names_declare_their_memory() {
    let _alone = alone();
    for (name, names) in [("distinct names", 400_000), ("few names", 100)] {
        let mut text = String::from("from,to,weight\n");
        for edge in 0..200_000u32 {
            let [source, target] = [2 * edge, 2 * edge + 1].map(|end| end % names);
            text += &format!("the name {source},\"the name {target}\",{edge}.5\n");
        }
        let options = ReadOptions::default();
        check(name, || parse_graph(text.as_bytes(), Format::Csv, &options));
    }
}

#[test]
fn matrices_and_derived_data_declare_their_memory() {
    let _alone = alone();
    let options = ReadOptions::default();
    for weights in ["", ",weights=1..1000", ",weights=0.5..2.0"] {
        for directed in [false, true] {
            let graph = generated(&format!("{PLAIN},directed={directed}{weights}"));
            let name = |what: &str| format!("{what}, directed={directed}{weights}");
            for format in [Format::MatrixMarket, Format::Eqp] {
                let bytes = bytes_of(&graph, format);
                check(&name("a matrix"), || parse_matrix::<f64>(&bytes, format, &options));
            }
            check(&name("coordinates"), || graph.coo().map(drop));
            check(&name("an adjacency matrix"), || Matrix::<f64>::from_graph(&graph));
            let matrix = Matrix::<f64>::from_graph(&graph).unwrap();
            check(&name("a matrix' transpose"), || matrix.transpose());
            if directed {
                let anew = || graph.clone().with_ids(graph.ids().clone()).unwrap();
                check(&name("a transpose"), || anew().transpose().map(drop));
            }
        }
    }
}

#[test]
fn statistics_are_refused_where_they_do_not_fit() {
    let _alone = alone();
    for spec in [PLAIN, "star:n=300000", "path:n=100000,directed=true", "isolated:n=300000"] {
        let graph = generated(spec);
        for bytes in [100 << 10, 1 << 20, 4 << 20, 10 << 20, 20 << 20] {
            let anew = graph.clone().with_ids(graph.ids().clone()).unwrap();
            let (result, taken) = with_memory(bytes, || measured(|| Statistics::new(&anew)));
            assert!(taken <= bytes + SMALL, "{spec}: {taken} of {bytes}");
            assert!(matches!(result, Ok(_) | Err(Error::OutOfMemory { .. })), "{spec}: {result:?}");
            assert!(result.is_err() || bytes > 200 << 10, "{spec}");
        }
    }
}

fn packed(path: &Path, piece: &[u8], times: usize) {
    let written = equipoise_graph::io::write_file(path, |out| out.write_all(piece));
    written.unwrap();
    let packed = std::fs::read(path).unwrap();
    std::fs::write(path, packed.repeat(times)).unwrap();
}

#[test]
fn bombs_are_refused_in_little_memory() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    for extension in ["gz", "zst", "xz", "bz2"] {
        let path = folder.path().join(format!("bomb.el.{extension}"));
        // 20 GB of line ends.
        packed(&path, &vec![b'\n'; 4 << 20], 5000);
        let options = ReadOptions::default();
        let (refused, taken) = measured(|| read_graph(&path, &options).unwrap_err());
        let message = refused.to_string();
        assert!(message.contains("over 250 times as much"), "{message}");
        assert!(taken < 400 << 20, "{extension} takes {taken}");
        let refused = with_memory(40 << 20, || measured(|| read_graph(&path, &options)));
        let message = refused.0.unwrap_err().to_string();
        assert!(
            message.contains("bytes are available") || message.contains("too much memory"),
            "{message}"
        );
        assert!(refused.1 <= 48 << 20, "{extension} takes {}", refused.1);

        // Data that is not text is detected before much of it is decompressed.
        packed(&path, &vec![0; 1 << 20], 2000);
        let (refused, taken) = measured(|| read_graph(&path, &options).unwrap_err());
        assert!(refused.to_string().ends_with(":1: expected text, found a byte that is 0"));
        assert!(taken < 16 << 20, "{extension} takes {taken}");
    }
}
