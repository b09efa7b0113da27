//! Generated matrices that are not graphs.

use equipoise_graph::{Csr, Matrix, SelfLoops, generate::Spec, io::ReadOptions, load, load_matrix};

use crate::common::on_threads;

fn matrix(text: &str) -> Matrix<f64> {
    let matrix: Matrix<f64> = load_matrix(text, &ReadOptions::default()).expect(text);
    let csr = matrix.csr();
    Csr::new(csr.columns(), csr.offsets().to_vec(), csr.indices().to_vec()).expect(text);
    matrix
}

fn lengths(matrix: &Matrix<f64>) -> Vec<usize> {
    (0..matrix.rows()).map(|row| matrix.row(row).0.len()).collect()
}

fn refused(text: &str) -> String {
    text.parse::<Spec>().unwrap_err().to_string()
}

#[test]
fn random_matrices_have_the_rows_that_were_asked_for() {
    let even = matrix("matrix:rows=2000,columns=500,entries=40000");
    assert_eq!((even.rows(), even.columns()), (2000, 500));
    // Of 500 columns drawn 20 times, about 2 % repeat.
    assert!((38_500..40_000).contains(&even.entries()), "{}", even.entries());
    assert!(lengths(&even).into_iter().max().unwrap() < 50);

    let skewed = matrix("matrix:rows=2000,columns=50000,entries=40000,skew=4");
    let longest = lengths(&skewed).into_iter().max().unwrap();
    assert!(longest > 4000, "{longest}");

    let sparse = matrix("matrix:rows=2000,columns=50000,entries=40000,empty=0.75");
    let empty = lengths(&sparse).into_iter().filter(|&length| length == 0).count();
    assert_eq!(empty, 1500);

    let giant = matrix("matrix:rows=2000,columns=1000000,entries=40000,giant=0.5");
    let longest = lengths(&giant).into_iter().max().unwrap();
    assert!((19_000..21_000).contains(&longest), "{longest}");

    let column = matrix("matrix:rows=5000,columns=1,entries=2000,weights=7..7");
    assert!(column.entries() > 1500 && column.values().iter().all(|&value| value == 7.0));
}

#[test]
fn bands_follow_the_diagonal() {
    let diagonal = matrix("band:rows=5,columns=5,width=1");
    assert!((0..5).all(|row| diagonal.row(row).0 == [row]));
    let wide = matrix("band:rows=4,columns=40,width=3");
    let firsts: Vec<u32> = (0..4).map(|row| wide.row(row).0[0]).collect();
    assert_eq!(firsts, [0, 9, 19, 29]);
    let tall = matrix("band:rows=6,columns=3,width=2");
    assert_eq!((tall.row(0).0, tall.row(5).0), (&[0, 1][..], &[1, 2][..]));
    assert_eq!(matrix("band:rows=3,columns=0,width=0").entries(), 0);
    assert!(refused("band:rows=9,columns=4,width=5").contains("at most the 4 columns"));
}

#[test]
fn blocks_are_dense() {
    let blocks = matrix("blocks:count=3,rows=2,columns=4");
    assert_eq!((blocks.rows(), blocks.columns(), blocks.entries()), (6, 12, 24));
    assert_eq!(blocks.row(5).0, [8, 9, 10, 11]);
    let column = matrix("blocks:rows=9,columns=1");
    assert_eq!((column.columns(), lengths(&column)), (1, vec![1; 9]));
    assert_eq!(matrix("blocks:count=5,rows=0,columns=3").entries(), 0);
}

#[test]
fn threads_and_versions_change_nothing() {
    let text = "matrix:rows=30000,columns=700,entries=200000,skew=2,empty=0.1,giant=0.01";
    let on = |threads| on_threads(threads, || matrix(text));
    assert_eq!(on(1), on(5));
    assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
    let small = matrix("matrix:rows=4,columns=9,entries=5,seed=3");
    assert_eq!(small, matrix("matrix:rows=4,columns=9,entries=5,seed=3"));
    assert_ne!(small, matrix("matrix:rows=4,columns=9,entries=5,seed=4"));
}

#[test]
fn a_matrix_is_no_graph() {
    let error = load("band:rows=5,columns=5,width=1", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().ends_with("`band` makes a matrix, not a graph"), "{error}");
    let undirected = ReadOptions { undirected: true, ..ReadOptions::default() };
    let no_loops = ReadOptions { self_loops: SelfLoops::Drop, ..ReadOptions::default() };
    for options in [undirected, no_loops] {
        let error = load_matrix::<f32>("blocks:rows=2,columns=2", &options).unwrap_err();
        assert!(error.to_string().contains("this is a matrix"), "{error}");
    }
    assert!(refused("blocks:rows=2,columns=2,directed=true").contains("directed=true"));
}

#[test]
fn invalid_matrix_specs_are_refused() {
    for (text, expected) in [
        ("matrix:rows=0,columns=5,entries=1", "entries need rows and columns"),
        ("matrix:rows=5,columns=5,entries=1,skew=0", "from 1 to 16"),
        ("matrix:rows=5,columns=5,entries=1,empty=2", "from 0 to 1"),
        ("matrix:rows=5,columns=5,entries=99999999999", "99999999999 entries are too many"),
        ("blocks:count=99999999999,rows=99999999999,columns=9", "rows or columns are too many"),
        ("band:rows=5000000000,columns=1,width=1", "5000000000 rows or columns are too many"),
    ] {
        assert!(refused(text).contains(expected), "{text}: {}", refused(text));
    }
}
