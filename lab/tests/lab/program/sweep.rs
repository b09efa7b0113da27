//! Every option of every command with extreme values.

use std::fs;

use super::common::{LAB, stdout_of};
use crate::shared::sweep::no_value_of_an_option_breaks;

/// The arguments of each command in addition to the option. A new command without an entry fails the test.
const CALLS: &[(&str, &str)] = &[
    ("bench", "suite.txt --device cpu --sections levels"),
    ("measure", "suite.txt --device cpu --algorithm bfs -o measured.csv"),
    ("train", "table.csv -o model.json"),
    ("evaluate", "table.csv --model trained.json"),
    ("conformance", "--device cpu"),
];

#[test]
fn no_value_of_an_option_breaks_the_program() {
    let folder = inputs();
    no_value_of_an_option_breaks(LAB, folder.path(), CALLS, 250);
}

/// The inputs of the calls.
fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
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
