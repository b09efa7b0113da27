//! Pictures and tables of documents match the measurements they are made of.

use std::{fs, path::Path};

#[test]
fn the_picture_of_the_readme_is_drawn_from_its_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src/figures");
    let table = fs::read_to_string(folder.join("time-to-answer.csv")).unwrap();
    let picture = fs::read_to_string(folder.join("time-to-answer.svg")).unwrap();
    let drawn = equipoise_lab::report::bars(&table).unwrap();
    assert!(drawn == picture, "run the example `pictures` of equipoise-lab");
}

#[test]
fn growth_and_the_table_of_peers_are_made_of_one_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let measured = read("measurements/peers-h200.csv");
    let drawn = equipoise_lab::report::growth(&measured).unwrap();
    let again = "run the example `pictures` of equipoise-lab";
    assert!(drawn == read("docs/guide/src/figures/growth.svg"), "{again}");
    let table = equipoise_lab::report::peers(&measured).unwrap();
    assert!(read("docs/performance.md").contains(&table), "{again}");
}
