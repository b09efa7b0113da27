//! Distances between vertices on a GPU: the same as on the cpu.

use equipoise::{
    LoadedGraph,
    paths::{PathsOptions, paths},
};

use super::search::{device, made, with_memory};

#[test]
fn shapes() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=40",
        "path:n=70",
        "star:n=50",
        "components:n=30",
        "rmat:scale=6,weights=1..9",
        "er:n=60,m=120,directed=true,weights=1..9",
    ] {
        let graph = made(spec);
        let there = LoadedGraph::new(&device(), &graph).unwrap();
        for weighted in [false, true] {
            let options = PathsOptions { weighted, within: Some(3.0), sources: None };
            let (found, here) = (there.paths(&options).unwrap(), paths(&graph, &options).unwrap());
            found.verify(&graph, &options).unwrap_or_else(|error| panic!("{spec}: {error}"));
            assert_eq!(found.eccentricities, here.eccentricities, "{spec}");
            assert_eq!(
                (found.closeness, found.harmonic),
                (here.closeness, here.harmonic),
                "{spec}"
            );
            assert_eq!((found.within, found.diameter), (here.within, here.diameter), "{spec}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(100_000), &graph)
        .and_then(|there| there.paths(&PathsOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("bytes"), "{error}");
}
