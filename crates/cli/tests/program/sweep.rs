//! Every option of every command with extreme values.

use std::fs;

use crate::{
    common::{Call, EQUIPOISE, with_algorithms},
    shared::sweep::no_value_of_an_option_breaks,
};

/// The arguments of each command in addition to the option. A new command that is neither here nor in the library's list
/// fails the test.
const CALLS: &[Call] = &[
    ("spmv", "small.txt --device cpu"),
    ("spmm", "small.txt --device cpu"),
    ("spgemm", "small.txt --device cpu"),
    ("mttkrp", "tensor:i=9,j=8,k=7,nonzeros=20 --device cpu"),
    ("headline", "tiny.txt --device cpu"),
    ("graphalytics", ". --device cpu"),
    ("info", "small.txt"),
    ("generate", "path:n=9 -o made.gr"),
    ("convert", "small.txt made.mtx"),
    ("explain", "small.txt"),
    ("devices", ""),
    ("self-test", "--device cpu --suite spgemm"),
    ("completions", "bash"),
    ("man", "pages"),
];

#[test]
fn no_value_of_an_option_breaks_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("small.txt", "0 1 3\n1 2 4\n2 0 5\n2 3 1\n3 4 9\n5 6 2\n");
    put("tiny.txt", "short path path:n=9,weights=1..9\n");
    let lines =
        ["vertex-file = g.v", "edge-file = g.e", "directed = true", "algorithms = wcc, lcc"];
    put("g.properties", &lines.map(|line| format!("graph.g.{line}\n")).concat());
    put("g.v", "7\n8\n");
    put("g.e", "7 8\n");
    let call = "small.txt --undirected --device cpu";
    let with_part = "small.txt --undirected --device cpu --subgraph core.mtx";
    let calls = with_algorithms(CALLS, call, with_part);
    no_value_of_an_option_breaks(EQUIPOISE, folder.path(), &calls, 1000);
}
