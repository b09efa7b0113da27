//! Strings that may be a spec or a file name.

use equipoise_graph::{
    Duplicates, Error, SelfLoops,
    generate::Spec,
    io::{Format, ReadOptions},
    load, load_matrix,
};

fn parse(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_source_is_a_spec_or_a_file() {
    let options = ReadOptions::default();
    assert_eq!(load("path:n=5", &options).unwrap(), parse("path:n=5").generate().unwrap());
    let matrix = load_matrix::<f64>("path:n=2,weights=7..7", &options).unwrap();
    assert_eq!(matrix.row(1), (&[0][..], &[7.0][..]));
    let error = |source| load(source, &options).unwrap_err().to_string();
    assert_eq!(
        error("rmat"),
        "rmat: rmat needs `scale`, as in `rmat:scale=20,edge-factor=16,seed=7`"
    );
    assert!(error("rmatt:scale=3").starts_with(
        "rmatt:scale=3: no such file, unknown generator `rmatt` (did you mean `rmat`?)"
    ));
    for file in ["C:\\graphs\\a.el", "c:a=b.el", "no/such=1.el", "../x:n=1.el", "data:2020.el"] {
        let error = load(file, &options).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{file}: {error}");
    }
}

#[test]
fn options_apply_to_generated_graphs() {
    let both =
        load("rmat:scale=6,duplicates=keep,loops=keep,directed=true", &ReadOptions::default());
    let both = both.unwrap();
    let options = ReadOptions {
        undirected: true,
        duplicates: Duplicates::Drop,
        self_loops: SelfLoops::Drop,
        ..Default::default()
    };
    let cleaned = load("rmat:scale=6,duplicates=keep,loops=keep,directed=true", &options).unwrap();
    assert!(!both.is_undirected() && cleaned.is_undirected());
    assert_eq!(cleaned, load("rmat:scale=6", &ReadOptions::default()).unwrap());
    assert_eq!(both.edges(), 16 << 6);
}

#[cfg(unix)]
#[test]
fn a_file_that_exists_is_read_whatever_its_name() {
    // Only this test changes the current folder, to one with a file that no other test names.
    let folder = tempfile::tempdir().unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    std::fs::write("path:n=6", "0 1\n").unwrap();
    let options = ReadOptions { format: Some(Format::GapEdges), ..Default::default() };
    assert_eq!(load("path:n=6", &options).unwrap().vertices(), 2);
    assert_eq!(load_matrix::<f32>("path:n=6", &options).unwrap().rows(), 2);
    assert_eq!(load("path:n=7", &ReadOptions::default()).unwrap().vertices(), 7);
}
