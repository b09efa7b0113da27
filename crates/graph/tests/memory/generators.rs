//! Compares [`Spec::memory`] with the actual peak of generating.

use equipoise_graph::{
    Error, Matrix,
    generate::{Spec, help},
};

use crate::{allocator::measured, alone};

/// A spec of each generator that takes a few megabytes.
const SPECS: [&str; 18] = [
    "rmat:scale=14",
    "kronecker:scale=14",
    "er:n=20000,m=200000",
    "grid:width=300,height=300,drop=0.1",
    "small-world:n=20000,k=8",
    "power-law:n=20000,m=200000",
    "bipartite:left=1000,right=9000,m=200000",
    "cliques:count=500,size=30",
    "path:n=200000",
    "cycle:n=200000",
    "star:n=200000",
    "complete:n=600",
    "tree:n=200000",
    "components:n=100000",
    "isolated:n=500000",
    "matrix:rows=50000,columns=300,entries=200000,skew=2",
    "band:rows=50000,columns=50000,width=5",
    "blocks:count=500,rows=20,columns=20",
];

/// Small allocations that are not declared: threads, tables of buckets.
const SMALL: u64 = 128 << 10;

fn generate(spec: &Spec) {
    match spec.shape() {
        None => drop(spec.generate().unwrap()),
        Some(_) => drop(spec.generate_matrix::<f64>().unwrap()),
    }
}

#[test]
fn generating_takes_about_the_declared_memory() {
    let _alone = alone();
    let listed = help();
    let known = listed.lines().filter_map(|line| line.trim().strip_prefix("for example "));
    let name = |spec: &str| spec.split(':').next().unwrap().to_owned();
    let known: Vec<String> = known.map(name).collect();
    assert_eq!(
        SPECS.map(name).to_vec(),
        known,
        "a spec of each generator, in the order of the list"
    );

    // Starts the threads, with their permanent allocations.
    generate(&"er:n=100000,m=200000".parse().unwrap());
    for text in SPECS {
        for weights in [None, Some("1..1000"), Some("0.5..2.0")] {
            for directed in [false, true] {
                let weighted =
                    weights.map_or(text.into(), |range| format!("{text},weights={range}"));
                let mut spec: Spec = weighted.parse().unwrap();
                spec.directed = directed && spec.shape().is_none();
                let ((), taken) = measured(|| generate(&spec));
                let said = spec.memory();
                assert!(taken <= said + SMALL, "{spec} takes {taken}, said {said}");
                assert!(said <= taken + taken / 2 + SMALL, "{spec} takes {taken}, said {said}");
            }
        }
    }
}

#[test]
fn too_large_specs_are_refused_before_allocating() {
    let _alone = alone();
    for text in [
        "isolated:n=4294967295,seed=9223372036854775807",
        "path:n=4294967295",
        "complete:n=370000",
        "er:n=1000000,m=49999500000",
        "rmat:scale=3,edge-factor=4294967295",
        "rmat:scale=31",
        "grid:width=4294967295,height=1",
        "grid:width=1,height=4294967295,weights=1..2",
        "cliques:count=1,size=370000",
    ] {
        let spec: Spec = text.parse().unwrap();
        if spec.memory() <= equipoise_graph::memory::available() {
            continue;
        }
        let (refused, taken) = measured(|| spec.generate().unwrap_err());
        assert!(taken < SMALL, "{spec} took {taken} bytes to be refused");
        let Error::OutOfMemory { what, needed, .. } = refused else { panic!("{refused}") };
        assert_eq!((what, needed), (format!("generating {spec}"), spec.memory()));
    }
}

#[test]
fn a_matrix_of_a_graph_takes_no_more_than_was_asked_for() {
    let _alone = alone();
    for text in SPECS.into_iter().chain(["rmat:scale=12,duplicates=keep"]) {
        let spec: Spec = text.parse().unwrap();
        if spec.shape().is_some() {
            continue;
        }
        let graph = spec.generate().unwrap();
        let (matrix, taken) = measured(|| Matrix::<f64>::from_graph(&graph).unwrap());
        let (_, transposed) = measured(|| matrix.transpose().unwrap());
        let (rows, entries) = (u64::from(graph.vertices()), graph.edges());
        // Values; where edges repeat, entries of 16 bytes, a copy to sort them, and rows.
        let most = 8 * rows + (4 + 16 + 16) * entries;
        assert!(taken.max(transposed) <= most + SMALL, "{spec}: {taken} {transposed} {most}");
    }
}
