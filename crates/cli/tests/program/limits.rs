//! The program where memory is short: it does its work or refuses, and is never ended from outside.

use std::{path::Path, process::Output};

use crate::common::{equipoise, run, stdout_of};

/// With less address space than this the program is not promised to start.
const LEAST_KIBIBYTES: u64 = 256 << 10;
const MOST_KIBIBYTES: u64 = 1200 << 10;

/// Runs the program with so much address space, as `ulimit -v` gives it.
fn limited(folder: &Path, kibibytes: u64, arguments: &str) -> Output {
    let mut command = std::process::Command::new("sh");
    let program = equipoise(folder).get_program().to_owned();
    command.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" {arguments}")]).arg(program);
    command.current_dir(folder).output().unwrap()
}

/// Work that takes between a few and a thousand megabytes.
const CALLS: &[&str] = &[
    "info rmat:scale=16,weights=1..9",
    "info graph.eqp",
    "bfs graph.txt.gz --device cpu -o levels.tsv",
    "bfs rmat:scale=18 --device cpu --random-sources 3",
    "sssp graph.eqp --device cpu --undirected",
    "sssp graph.mtx --device cpu --strategy dijkstra",
    "apsp er:n=4000,m=9000 --device cpu",
    "apsp er:n=2000,m=9000 --device cpu -o pairs.npy --next-hops hops.npy",
    "color graph.eqp --device cpu",
    "components graph.eqp --device cpu",
    "pagerank graph.eqp --device cpu",
    "paths graph.eqp --device cpu --random-sources 8",
    "mis graph.eqp --device cpu",
    "triangles graph.eqp --device cpu",
    "betweenness graph.eqp --device cpu --random-sources 2 --edges",
    "kcore graph.eqp --device cpu --subgraph core.eqp",
    "mst rmat:scale=16,weights=1..9 --device cpu -o forest.csv",
    "components rmat:scale=16,directed=true --device cpu --strong",
    "communities graph.eqp --device cpu --max-iterations 2",
    "spmv rmat:scale=16 --device cpu",
    "spmm graph.mtx --device cpu --columns 64",
    "spgemm rmat:scale=11 --device cpu -o product.mtx",
    "mttkrp tensor:i=9000,j=900,k=90,nonzeros=900000,skew=2 --device cpu --mode 2",
    "convert graph.mtx again.eqp",
    "generate kronecker:scale=15 -o made.sg",
    "explain rmat:scale=15",
];

/// Whatever the limit, from the least on, every command ends with its own exit code, and says what
/// is missing where it refuses. With the most they all succeed.
#[cfg(target_os = "linux")]
#[test]
fn under_any_limit_of_memory_nothing_aborts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for file in ["graph.eqp", "graph.mtx", "graph.txt.gz"] {
        stdout_of(path, &format!("generate rmat:scale=16,weights=1..99 -o {file}"));
    }
    let mut refused = 0;
    for (call, number) in CALLS.iter().zip(0u64..) {
        // The least, where most are refused, and another for each call, spread evenly by a
        // multiplicative sequence.
        for step in 0..2 {
            let share = if step == 0 { 0.0 } else { ((number + step) as f64 * 0.618_034).fract() };
            let kibibytes = LEAST_KIBIBYTES as f64 * (4.6f64).powf(share);
            let output = limited(path, kibibytes as u64, call);
            let errors = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => {}
                Some(1) => {
                    refused += 1;
                    assert!(
                        errors.contains("memory") && errors.contains("bytes are available"),
                        "{call} with {kibibytes:.0} KiB: {errors}"
                    );
                }
                _ => panic!("{call} with {kibibytes:.0} KiB: {}: {errors}", output.status),
            }
        }
        let output = limited(path, MOST_KIBIBYTES, call);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{call}: {errors}");
    }
    assert!(refused > 5, "only {refused} calls were refused: the limits are too high");
    let left: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap()).collect();
    let unfinished =
        left.iter().filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
    assert_eq!(unfinished.count(), 0, "temporary files are left: {left:?}");
}

/// Specs of graphs that no machine holds, or that would take a day.
#[test]
fn what_no_machine_holds_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let specs = [
        "isolated:n=4294967295",
        "path:n=4294967295",
        "complete:n=100000",
        "er:n=100000,m=4999950000",
        "rmat:scale=3,edge-factor=4294967295",
        "rmat:scale=31",
        "grid:width=4294967295,height=1",
    ];
    for spec in specs {
        let output = limited(folder.path(), 4 << 20, &format!("info {spec}"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{spec}: {errors}");
        assert!(errors.contains("bytes are available"), "{spec}: {errors}");
    }
    assert!(run(folder.path(), "info path:n=9").status.success());
}
