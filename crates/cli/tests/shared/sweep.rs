//! Every option of every command with values that nobody means: whatever is given, the program ends
//! in time with an exit code of its own, and says why where it refuses.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Child, Output, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use crate::common::{equipoise, stdout_of};

const VALUES: [&str; 12] = [
    "0",
    "1",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-1",
    "nan",
    "inf",
    "1e-320",
    "3.5e38",
    "",
    "none",
];

/// What a command is given beside the option, so that it has something to do. A new command that is
/// not listed here fails the test.
const CALLS: &[(&str, &str)] = &[
    ("bfs", "small.txt --device cpu"),
    ("sssp", "small.txt --device cpu"),
    ("apsp", "small.txt --device cpu"),
    ("color", "small.txt --device cpu"),
    ("components", "small.txt --device cpu"),
    ("pagerank", "small.txt --device cpu"),
    ("paths", "small.txt --device cpu"),
    ("mis", "small.txt --device cpu"),
    ("triangles", "small.txt --device cpu"),
    ("betweenness", "small.txt --device cpu"),
    ("kcore", "small.txt --device cpu --subgraph core.mtx"),
    ("mst", "small.txt --undirected --device cpu"),
    ("communities", "small.txt --device cpu"),
    ("spmv", "small.txt --device cpu"),
    ("spmm", "small.txt --device cpu"),
    ("spgemm", "small.txt --device cpu"),
    ("mttkrp", "tensor:i=9,j=8,k=7,nonzeros=20 --device cpu"),
    ("bench", "suite.txt --device cpu --sections levels"),
    ("info", "small.txt"),
    ("generate", "path:n=9 -o made.gr"),
    ("convert", "small.txt made.mtx"),
    ("measure", "suite.txt --device cpu --algorithm bfs -o measured.csv"),
    ("train", "table.csv -o model.json"),
    ("evaluate", "table.csv --model trained.json"),
    ("explain", "small.txt"),
    ("devices", ""),
    ("self-test", "--device cpu --suite spgemm"),
    ("completions", "bash"),
    ("man", "pages"),
];

/// Far longer than any of these takes, on a machine that is busy, too.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn no_value_of_an_option_breaks_the_program() {
    let folder = inputs();
    let mut calls = Vec::new();
    for command in commands(folder.path()) {
        let Some((_, given)) = CALLS.iter().find(|(name, _)| *name == command) else {
            panic!("{command}: say in CALLS what it is to be called with");
        };
        for option in options(folder.path(), &command) {
            calls.extend(VALUES.map(|value| {
                let given = without(given, &option);
                let mut words = vec![command.clone()];
                words.extend(given.split_whitespace().map(str::to_owned));
                words.push(format!("{option}={value}"));
                words
            }));
        }
    }
    assert!(calls.len() > 1000, "only {} calls: has the help changed?", calls.len());
    let wrong = all_wrong(folder.path(), calls);
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the calls read.
fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("small.txt", "0 1 3\n1 2 4\n2 0 5\n2 3 1\n3 4 9\n5 6 2\n");
    put("suite.txt", "short path path:n=9,weights=1..9\nround cycle cycle:n=8,weights=1..9\n");
    let suite: String =
        (1..9).map(|i| format!("g{i} f{} er:n=64,m=99,seed={i}\n", i % 4)).collect();
    put("learned.txt", &suite);
    let path = folder.path();
    stdout_of(
        path,
        "measure learned.txt --device cpu --algorithm bfs --random-sources 1 -o table.csv",
    );
    stdout_of(path, "train table.csv -o trained.json");
    folder
}

fn commands(folder: &Path) -> Vec<String> {
    let help = stdout_of(folder, "--help");
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ")?;
        name.starts_with(char::is_alphabetic).then(|| name.split(' ').next().unwrap_or(name))
    });
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The options of a command that take a value which is not a file's name.
fn options(folder: &Path, command: &str) -> BTreeSet<String> {
    let help = stdout_of(folder, &format!("{command} --help"));
    let option = |line: &str| {
        let words = line.trim_start();
        let long = words.split(", ").find(|word| word.starts_with("--"))?;
        let (name, value) = long.split_once(" <")?;
        let is_file = ["FILE", "FOLDER", "DIR", "PATH"].iter().any(|word| value.starts_with(word));
        (!is_file).then(|| name.to_owned())
    };
    help.lines().filter_map(option).collect()
}

/// The words without an option that is given another value.
fn without(words: &str, option: &str) -> String {
    let mut words = words.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word == option {
            true => drop(words.next()),
            false => kept.push(word),
        }
    }
    kept.join(" ")
}

/// What was wrong with any of the calls, which run on all cores.
fn all_wrong(folder: &Path, calls: Vec<Vec<String>>) -> Vec<String> {
    let calls = Mutex::new(calls.into_iter());
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(words) = calls.lock().unwrap().next() else { break };
                    if let Err(problem) = call(folder, &words) {
                        wrong.lock().unwrap().push(format!("{}: {problem}", words.join(" ")));
                    }
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}

fn call(folder: &Path, words: &[String]) -> Result<(), String> {
    let mut command = equipoise(folder);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let output = ended(command.spawn().unwrap())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Ok(()),
        Some(1 | 2) if errors.contains("error: ") && !errors.contains("panicked") => Ok(()),
        _ => Err(format!("{}: {errors}", output.status)),
    }
}

fn ended(mut child: Child) -> Result<Output, String> {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            return Err(format!("not done after {} s", PATIENCE.as_secs()));
        }
        thread::sleep(Duration::from_millis(2));
    }
    Ok(child.wait_with_output().unwrap())
}
