//! The program with little memory: it succeeds or refuses, and never aborts.

use std::{
    path::Path,
    process::Output,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

use equipoise_cli::{cli::Cli, program};

use crate::common::{equipoise, run, stdout_of, with_algorithms};

/// The steps of address space in which the least that the program starts with is searched for.
const STEP_KIBIBYTES: u64 = 8 << 10;
/// The room for threads, whose stacks and destructors the system allocates, and aborts if it cannot.
const THREADS_KIBIBYTES: u64 = 32 << 10;
const MOST_KIBIBYTES: u64 = 1200 << 10;

/// The address space that the program and its threads take: with less, it need not start.
fn least_kibibytes(folder: &Path) -> u64 {
    let mut steps = (STEP_KIBIBYTES..MOST_KIBIBYTES).step_by(STEP_KIBIBYTES as usize);
    let starts = |kibibytes: &u64| limited(folder, *kibibytes, "info path:n=2").status.success();
    let least = steps.find(starts);
    least.expect("the program starts with the most memory") + THREADS_KIBIBYTES
}

/// Runs the program with a limit of address space.
fn limited(folder: &Path, kibibytes: u64, arguments: &str) -> Output {
    let mut command = std::process::Command::new("sh");
    let program = equipoise(folder).get_program().to_owned();
    command.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" {arguments}")]).arg(program);
    command.current_dir(folder).output().unwrap()
}

/// Work that needs between a few and a thousand megabytes. Absent algorithms of the library's list are called with
/// `graph.eqp`.
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
    "paths graph.eqp --device cpu --random-sources 8",
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

/// The number of limits under which a call is refused. It must end with an exit code of its own, and succeed with the most.
fn refusals(folder: &Path, call: &str, number: usize, least: u64) -> usize {
    // The least, where most are refused, and another for each call, spread evenly by a
    // multiplicative sequence.
    let share = ((number + 1) as f64 * 0.618_034).fract();
    let factor = MOST_KIBIBYTES as f64 / least as f64;
    let limits = [0.0, share].map(|share| (least as f64 * factor.powf(share)) as u64);
    let mut refused = 0;
    for kibibytes in limits {
        let output = limited(folder, kibibytes, call);
        let errors = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(1) => {
                refused += 1;
                let has_numbers =
                    errors.contains("memory") && errors.contains("bytes are available");
                assert!(has_numbers, "{call} with {kibibytes} KiB: {errors}");
            }
            _ => panic!("{call} with {kibibytes} KiB: {}: {errors}", output.status),
        }
    }
    let output = limited(folder, MOST_KIBIBYTES, call);
    assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
    refused
}

/// From the least limit on, every command ends with an exit code of its own and an error if it refuses. With the most, all
/// succeed.
#[cfg(target_os = "linux")]
#[test]
fn under_any_limit_of_memory_nothing_aborts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for file in ["graph.eqp", "graph.mtx", "graph.txt.gz"] {
        stdout_of(path, &format!("generate rmat:scale=16,weights=1..99 -o {file}"));
    }
    let least = least_kibibytes(path);
    let is_absent = |name: &&str| !CALLS.iter().any(|call| call.starts_with(*name));
    let others = with_algorithms(&[], "", "").into_iter().map(|(name, _)| name).filter(is_absent);
    let others = others.map(|name| format!("{name} graph.eqp --device cpu"));
    let calls: Vec<String> = CALLS.iter().map(ToString::to_string).chain(others).collect();
    let (next, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Two calls at a time: a call has phases of one thread.
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((number, call)) =
                    calls.iter().enumerate().nth(next.fetch_add(1, Relaxed))
                {
                    refused.fetch_add(refusals(path, call, number, least), Relaxed);
                }
            });
        }
    });
    let refused = refused.into_inner();
    assert!(refused > 5, "only {refused} calls were refused from {least} KiB on");
    let left: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap()).collect();
    let unfinished =
        left.iter().filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
    assert_eq!(unfinished.count(), 0, "temporary files are left: {left:?}");
}

/// `--memory-limit` applies on the CPU to every command that has it; others refuse it.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_applies_to_each_command_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let program = program::command::<Cli>();
    let mut limited = 0;
    for command in program.get_subcommands() {
        let name = command.get_name();
        let call = |limit: &str| {
            run(folder.path(), &format!("{name} rmat:scale=17 --device cpu --memory-limit {limit}"))
        };
        let has_limit = command.get_arguments().any(|it| it.get_long() == Some("memory-limit"));
        if !has_limit {
            assert_eq!(call("1KiB").status.code(), Some(2), "{name}");
            continue;
        }
        limited += 1;
        let output = call("1KiB");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains("--memory-limit 1.00 KiB: with the graph"), "{name}: {errors}");
        // The graph fits, and almost nothing else.
        let held = errors.split("holds ").nth(1).and_then(|rest| rest.split(" MiB").next());
        let held: f64 = held.and_then(|held| held.parse().ok()).unwrap();
        let output = call(&format!("{}KiB", ((held + 0.2) * 1024.0) as u64));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains("memory"), "{name}: {errors}");
    }
    assert!(limited > 12, "{limited}");
}

/// Specs of graphs that exceed any memory, or would take a day.
#[test]
fn graphs_larger_than_any_memory_are_refused_at_once() {
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
