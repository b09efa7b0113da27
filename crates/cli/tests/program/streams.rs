//! Standard input and output as files, by `-` and by their paths, for every argument that names a file.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::{Output, Stdio},
};

use equipoise_cli::{cli::Cli, files::Role, program};

use crate::common::{Call, equipoise, run, stdout_of, with_algorithms};

/// A short call of each command with files that is not in the library's list.
const CALLS: &[Call] = &[
    ("spmv", "GRAPH"),
    ("spmm", "GRAPH"),
    ("spgemm", "GRAPH"),
    ("mttkrp", "TENSOR"),
    ("headline", "--device cpu"),
    ("info", "GRAPH"),
    ("generate", "path:n=4"),
    ("convert", "GRAPH"),
    ("explain", "GRAPH"),
];

const EDGES: &str = "0 1\n1 2\n2 3\n";
const TENSOR: &str = "1 1 1 0.5\n2 3 1 1.5\n";

fn calls() -> Vec<Call> {
    with_algorithms(CALLS, "GRAPH --undirected", "GRAPH --undirected")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("graph.el"), EDGES).unwrap();
    fs::write(folder.path().join("tensor.tns"), TENSOR).unwrap();
    folder
}

/// The call with files as its inputs.
fn from_files(command: &str, call: &str) -> String {
    format!("{command} {}", call.replace("GRAPH", "graph.el").replace("TENSOR", "tensor.tns"))
}

/// The options with a wanted role, each with the name and the call of its command.
fn options(is_wanted: impl Fn(Role) -> bool) -> Vec<(&'static str, &'static str, String)> {
    let (program, calls) = (program::command::<Cli>(), calls());
    let mut options = Vec::new();
    for command in program.get_subcommands() {
        for argument in command.get_arguments() {
            let (Some(long), Some(role)) = (argument.get_long(), Role::of_argument(argument))
            else {
                continue;
            };
            if is_wanted(role) {
                let call = calls.iter().find(|(name, _)| *name == command.get_name());
                let (name, call) =
                    call.unwrap_or_else(|| panic!("{command} has no call in this test"));
                options.push((*name, *call, format!("--{long}")));
            }
        }
    }
    options
}

fn with_input(folder: &Path, arguments: &str, input: &[u8]) -> Output {
    let mut child = equipoise(folder)
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn successful(output: Output, call: &str) -> Vec<u8> {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !errors.contains("error"), "{call}: {errors}");
    output.stdout
}

/// Results on standard output append to its file, by any of its names, and the report does not mix with them.
#[test]
fn outputs_append_to_standard_output() {
    let folder = folder();
    let outputs = options(|role| role == Role::Output);
    assert!(outputs.len() > 30, "{outputs:?}");
    for (command, call, option) in outputs {
        let spellings = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        for (index, path) in spellings.iter().enumerate() {
            let call = format!("{} {option} {path}", from_files(command, call));
            let all = folder.path().join("all.tsv");
            fs::write(&all, "before\n").unwrap();
            let mut file = if index % 2 == 0 {
                File::options().append(true).open(&all).unwrap()
            } else {
                let mut file = File::options().write(true).open(&all).unwrap();
                file.write_all(b"before\n").unwrap();
                file
            };
            let output = equipoise(folder.path())
                .args(call.split_whitespace())
                .stdout(file.try_clone().unwrap())
                .output()
                .unwrap();
            let report = String::from_utf8_lossy(&output.stderr).into_owned();
            successful(output, &call);
            file.write_all(b"\nafter\n").unwrap();
            let text = fs::read(&all).unwrap();
            let results =
                text.strip_prefix(b"before\n").and_then(|text| text.strip_suffix(b"\nafter\n"));
            let results =
                results.unwrap_or_else(|| panic!("{call}: {}", String::from_utf8_lossy(&text)));
            let results = String::from_utf8_lossy(results);
            assert!(!results.is_empty() && !results.contains("loaded "), "{call}: {results}");
            assert!(report.contains(" in ") || report.contains("verified"), "{call}: {report}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "{call}");
        }
    }
}

/// Any open file descriptor can be an output.
#[cfg(target_os = "linux")]
#[test]
fn open_file_descriptors_are_outputs() {
    let folder = folder();
    let call =
        "exec 3> all.tsv; echo before >&3; \"$0\" bfs graph.el -q -o /dev/fd/3; echo after >&3";
    let output = std::process::Command::new("sh")
        .args(["-c", call, env!("CARGO_BIN_EXE_equipoise")])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let all = fs::read_to_string(folder.path().join("all.tsv")).unwrap();
    assert!(all.starts_with("before\nvertex\t") && all.ends_with("after\n"), "{all}");
    assert_eq!(all.lines().count(), 7, "{all}");
}

#[test]
fn a_document_is_not_mixed_with_results() {
    let folder = folder();
    for (command, call, option) in options(|role| role == Role::Output) {
        let call = format!("{} {option} - --json", from_files(command, call));
        let output = run(folder.path(), &call);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {errors}");
        assert!(errors.contains("this is standard output, where --json"), "{call}: {errors}");
        assert!(output.stdout.is_empty(), "{call}");
    }
}

#[test]
fn a_closed_pipe_of_results_is_no_error() {
    let folder = folder();
    for (command, call, option) in options(|role| role == Role::Output) {
        let call = format!("{} {option} -", from_files(command, call));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            equipoise(folder.path()).args(call.split_whitespace()).stdout(writer).output().unwrap();
        successful(output, &call);
    }
}

/// A pipe gives the same results as a file.
#[test]
fn graphs_come_through_pipes() {
    let folder = folder();
    for (command, call) in
        calls().into_iter().filter(|(_, call)| call.contains("GRAPH") || *call == "TENSOR")
    {
        let call = if command == "convert" { "GRAPH -o -" } else { call };
        let input = if call == "TENSOR" { TENSOR } else { EDGES };
        let format = if call == "TENSOR" { "" } else { "--format el" };
        let arguments = |name: &str| {
            format!("{command} {} {format}", call.replace("GRAPH", name).replace("TENSOR", name))
        };
        let plain = |bytes: Vec<u8>, name: &str| {
            // Times differ, and the widths of their columns.
            let text = String::from_utf8(bytes).unwrap().replace(name, "INPUT");
            let is_timed = |line: &str| [" in ", "s (", "──"].iter().any(|it| line.contains(it));
            let lines = text.lines().filter(|line| !is_timed(line));
            lines
                .map(|line| line.split("  ").next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        let piped =
            successful(with_input(folder.path(), &arguments("-"), input.as_bytes()), command);
        let file = if call == "TENSOR" { "tensor.tns" } else { "graph.el" };
        let read = stdout_of(folder.path(), &arguments(file)).into_bytes();
        assert_eq!(plain(piped, "/dev/stdin"), plain(read, file), "{command}");
    }
}

/// The program reads its own standard output from standard input, compressed or not.
#[cfg(target_os = "linux")]
#[test]
fn pipelines_need_no_names() {
    let folder = folder();
    fs::write(folder.path().join("names.csv"), "source,target\nUlm,Bonn\nBonn,Kiel\n").unwrap();
    for file in ["names.eqp", "names.edges.gz", "square.mtx.zst"] {
        stdout_of(folder.path(), &format!("convert names.csv -q -o {file}"));
    }
    let program = env!("CARGO_BIN_EXE_equipoise");
    let shell = |line: &str| {
        let line = line.replace("equipoise", program);
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(&folder)
            .output()
            .unwrap();
        String::from_utf8(successful(output, &line)).unwrap()
    };
    let levels = "vertex\tlevel\tparent\n0\t0\t0\n1\t1\t0\n2\t2\t1\n";
    let pipeline =
        "equipoise generate path:n=3 -q -o - | gzip | equipoise bfs - --source 0 -q -o - | cat";
    assert_eq!(shell(pipeline), levels);
    assert_eq!(
        shell("equipoise bfs --format el --source 3 -q -o - - < graph.el"),
        "vertex\tlevel\tparent\n0\t\t\n1\t\t\n2\t\t\n3\t0\t3\n"
    );
    let rows = "row\tvalue\nBonn\t";
    for input in ["cat names.eqp", "cat names.edges.gz"] {
        let product = shell(&format!("{input} | equipoise spmv - -q -o -"));
        assert!(product.starts_with(rows), "{input}: {product}");
    }
    assert!(shell("equipoise spmv -q -o - - < names.eqp").starts_with(rows));
    assert!(shell("cat square.mtx.zst | equipoise spgemm - -q -o -").starts_with("%%MatrixMarket"));
    let matrix = shell(
        "equipoise generate matrix:rows=3,columns=2,entries=4 -q -o - | equipoise convert - --matrix -q -o - --to mtx",
    );
    assert!(matrix.lines().any(|line| line == "3 2 4"), "{matrix}");
    let suite = "echo 'g er er:n=9,m=9' | equipoise headline - --device cpu";
    assert!(!shell(suite).is_empty());
}

/// Models, plans and suites are read from standard input, not from a file called `-`.
#[test]
fn every_input_can_be_standard_input() {
    let folder = folder();
    let inputs = options(|role| role == Role::Input);
    assert!(inputs.len() > 5, "{inputs:?}");
    for (command, call, option) in inputs {
        let call = format!("{} {option} -", from_files(command, call));
        let output = with_input(folder.path(), &call, b"no valid input\n");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{call}");
        let is_read = !errors.contains("No such file") && !errors.contains("no such file");
        assert!(is_read, "{call}: {errors}");
    }
}

#[test]
fn a_stream_is_read_once() {
    let folder = folder();
    for call in ["spgemm - -", "spmv - --model /dev/stdin", "bfs /dev/fd/0 --plan -"] {
        let output = with_input(folder.path(), call, EDGES.as_bytes());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call}: {errors}");
        assert!(errors.contains("which can be read only once"), "{call}: {errors}");
    }
}

/// Read-only outputs are refused before any work.
#[cfg(unix)]
#[test]
fn read_only_outputs_are_refused() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder();
    for (command, call, option) in options(|role| role == Role::Output) {
        let ending = match (command, &*option) {
            ("spgemm", "--output") | ("generate" | "convert", _) | (_, "--subgraph") => "mtx",
            (_, "--next-hops") => "npy",
            _ => "csv",
        };
        let file = folder.path().join(format!("mine.{ending}"));
        fs::write(&file, "mine\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let call = format!("{} {option} mine.{ending}", from_files(command, call));
        let output = run(folder.path(), &call);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{call}: {errors}");
        assert!(errors.contains("read-only"), "{call}: {errors}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("time  "), "{call}: it ran");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine\n", "{call}");
        fs::remove_file(&file).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{call}");
    }
}

/// `ulimit -f` causes an error, like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_size_of_files_is_an_error() {
    let folder = folder();
    let graph = "rmat:scale=11,weights=1..9";
    let calls = [
        format!("generate {graph} -o out.edges"),
        format!("generate {graph} -o out.eqp"),
        format!("convert {graph} -o out.mtx"),
        format!("bfs {graph} -o out.tsv"),
        format!("pagerank {graph} -o out.json"),
        format!("components {graph} -o out.npy"),
        "apsp er:n=99,m=300 -o out.npy".to_owned(),
        "apsp er:n=99,m=300 -o out.csv".to_owned(),
        "spgemm rmat:scale=8 -o out.mtx".to_owned(),
    ];
    for call in calls {
        let line = format!("ulimit -f 4; exec {} {call}", env!("CARGO_BIN_EXE_equipoise"));
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(&folder)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{call}: {} {errors}", output.status);
        assert!(errors.contains("out.") && errors.contains("too large"), "{call}: {errors}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{call}: a file is left");
    }
}
