//! Every option of every command with values that nobody means.

use std::fs;

use crate::{common::EQUIPOISE, shared::sweep::no_value_of_an_option_breaks};

/// What a command is given in addition to the option, so that it has something to do. A new command that is not listed
/// here fails the test.
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
    ("headline", "tiny.txt --device cpu"),
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
    no_value_of_an_option_breaks(EQUIPOISE, folder.path(), CALLS, 1000);
}
