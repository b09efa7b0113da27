//! Malformed text is rejected with the line and the reason, by both ways to read it; it never
//! causes a panic or an allocation of the size that a header claims.

use equipoise_graph::{
    Error,
    io::{
        Format::{self, *},
        ReadOptions, parse_graph, parse_matrix,
    },
};

use crate::common::{assert_refused, mtx, on_threads};

/// A text, the offending line and a part of the expected message.
type Case = (&'static str, u64, &'static str);

fn check(format: Format, cases: &[Case]) {
    for &(text, line, part) in cases {
        assert_refused(format, text, Some(line), part);
    }
}

fn assert_parse_error(error: &Error, text: &str, line: u64, part: &str) {
    let message = error.to_string();
    let start = format!("input:{line}: ");
    assert!(message.starts_with(&start), "{text:?} should fail in line {line}: {message}");
    assert!(message.contains(part), "{text:?} should say {part:?}: {message}");
}

#[test]
fn matrix_market_headers() {
    check(
        MatrixMarket,
        &[
            ("", 1, r#"expected a line that begins "%%MatrixMarket", found the end of the file"#),
            ("\n", 1, r#"expected a line that begins "%%MatrixMarket", found the end of the line"#),
            ("1 1 0\n", 1, r#"expected a line that begins "%%MatrixMarket", found "1""#),
            ("%%MatrixMarket vector\n", 1, r#"expected "matrix", found "vector""#),
            ("%%MatrixMarket\n", 1, r#"expected "matrix", found the end of the line"#),
            ("%%MatrixMarket matrix array real general\n", 1, r#"expected "coordinate""#),
            ("%%MatrixMarket matrix array real general\n", 1, r#"found "array""#),
            (mtx!("complex general", "1 1 0\n"), 1, r#""real", found "complex""#),
            (mtx!("real hermitian", "1 1 0\n"), 1, r#"found "hermitian""#),
            (mtx!("real", "1 1 0\n"), 1, r#""skew-symmetric", found the end of the line"#),
            (mtx!("real general x", "1 1 0\n"), 1, r#"expected the end of the line, found "x""#),
            (mtx!("pattern skew-symmetric", "1 1 0\n"), 1, "as a pattern has no values"),
            (mtx!("real general", ""), 2, "the number of rows, found the end of the file"),
            (mtx!("real general", "% c\n\n2 2\n"), 4, "the number of entries, found the end of"),
            (mtx!("real general", "2 x 1\n"), 2, r#"the number of columns, found "x""#),
            (mtx!("real general", "2 -2 1\n"), 2, r#"the number of columns, found "-2""#),
            (mtx!("real general", "2 2 1.5\n"), 2, r#"the number of entries, found "1.5""#),
            (mtx!("real general", "2 2 0 0\n"), 2, r#"the end of the line, found "0""#),
            (mtx!("real general", "2 3 0\n"), 2, "a graph needs a square matrix: this one has 2"),
            (mtx!("real symmetric", "2 3 0\n"), 2, "square matrix"),
            (
                mtx!("pattern general", "1 1 1000000000000\n1 1\n"),
                2,
                "entries, but only 4 bytes follow",
            ),
            (mtx!("pattern general", "4000000000 4000000000 0\n"), 2, "says 4000000000 rows:"),
            (mtx!("pattern general", "2 2 18446744073709551616\n"), 2, "the number of entries"),
        ],
    );
}

#[test]
fn matrix_market_entries() {
    check(
        MatrixMarket,
        &[
            (mtx!("pattern general", "5 5 1\n7 1\n"), 3, r#"row number from 1 to 5, found "7""#),
            (mtx!("pattern general", "5 5 1\n0 1\n"), 3, r#"row number from 1 to 5, found "0""#),
            (mtx!("pattern general", "5 5 1\n1 6\n"), 3, r#"a column number from 1 to 5, found"#),
            (mtx!("pattern general", "5 5 1\n1\n%%\n"), 3, "a column number from 1 to 5, found"),
            (mtx!("pattern general", "5 5 1\n1\n2\n\n"), 3, "a column number from 1 to 5, found"),
            (mtx!("pattern general", "5 5 1\n1 -1\n"), 3, r#"found "-1""#),
            (mtx!("pattern general", "5 5 1\n1 2.0\n"), 3, r#"found "2.0""#),
            (mtx!("pattern general", "5 5 1\n1,2\n"), 3, r#"found ",2""#),
            (mtx!("pattern general", "5 5 1\n1 2 3\n"), 3, r#"the end of the line, found "3""#),
            (mtx!("pattern general", "5 5 1\n1 99999999999999999999\n"), 3, "99999999999999999999"),
            (mtx!("pattern general", "5 5 2\n1 2\n\n% c\n1 x\n"), 6, r#"found "x""#),
            (mtx!("pattern general", "5 5 2\n1 2\n%%%\n"), 2, "expected 2 entries, as this"),
            (mtx!("pattern general", "5 5 1\n1 2\n1 3\n1 4\n"), 2, "as this line says, found 3"),
            (mtx!("real general", "5 5 1\n1 2\n% more\n"), 3, "a real number, found the end of"),
            (mtx!("real general", "5 5 1\n1 2 x\n"), 3, r#"a real number, found "x""#),
            (mtx!("real general", "5 5 1\n1 2 1.5.2\n"), 3, r#"a real number, found "1.5.2""#),
            (mtx!("real general", "5 5 1\n1 2 1e999\n"), 3, r#"to 1.7976931348623157e308, found"#),
            (mtx!("real general", "5 5 1\n1 2 9007199254740993\n"), 3, "of 64 bits, found"),
            (mtx!("integer general", "5 5 1\n1 2 4294967296\n"), 3, r#"found "4294967296""#),
            (mtx!("real general", "5 5 1\n1 2 1 0\n"), 3, r#"the end of the line, found "0""#),
            (mtx!("real general", "5 5 2\n1 2 1\n1 2 \u{fc}\n"), 4, "a real number, found"),
            (mtx!("integer general", "5 5 1\n1 2 1.5\n"), 3, r#"an integer, found "1.5""#),
            (mtx!("integer general", "5 5 1\n1 2 --1\n"), 3, r#"an integer, found "--1""#),
            (
                mtx!("integer general", "5 5 2\n1 2 -9007199254740993\n1 2 -1\n"),
                3,
                "from -9007199254740992 to",
            ),
            (mtx!("integer general", "5 5 1\n1 2 4294967297\n"), 3, r#"found "4294967297""#),
            (mtx!("integer general", "5 5 2\n1 2 -1\n1 2 z\n"), 4, r#"an integer, found "z""#),
            (mtx!("real skew-symmetric", "2 2 1\n2 2 1\n"), 3, "skew-symmetric matrix, found one"),
        ],
    );
}

#[test]
fn edge_lists() {
    check(
        EdgeList,
        &[
            ("0\n", 1, "a vertex id of at most 64 bits, found the end of the line"),
            ("0 1\n2 x\n", 2, r#"a vertex id of at most 64 bits, found "x""#),
            ("0 1\n-2 1\n", 2, r#"found "-2""#),
            ("# c\n0 1\n0 18446744073709551616\n", 3, r#"found "18446744073709551616""#),
            ("0 1 5\n1 2\n", 2, "a weight, found the end of the line"),
            ("0 1\n1 2 5\n", 2, r#"the end of the line, found "5""#),
            ("0 1 x\n", 1, r#"a weight, found "x""#),
            ("0 1 1.5\n0 1 1.5e\n", 2, r#"a weight, found "1.5e""#),
            ("0 1 5 y\n", 1, r#"a time, found "y""#),
            ("0 1 5 6 7\n", 1, r#"the end of the line, found "7""#),
            ("0,,1\n", 1, r#"found ",1""#),
            ("0,1,\n", 1, "a weight, found the end of the line"),
            ("% bip unweighted\n1 1\n", 1, r#"expected "sym" or "asym""#),
        ],
    );
}

#[test]
fn edge_lists_of_our_own() {
    check(
        EdgeList,
        &[
            ("# equipoise\n0 1\n", 1, "vertices=N, found the end of the line"),
            ("# equipoise vertices=x\n", 1, r#"found "vertices=x""#),
            ("# equipoise vertices=2 color=red\n", 1, r#"found "color=red""#),
            ("# equipoise vertices=2 weights=u8\n", 1, r#"found "weights=u8""#),
            ("# equipoise vertices=4000000000 first-id=0\n", 1, "vertices: more than the 16777"),
            ("# equipoise vertices=2 first-id=18446744073709551615\n", 1, "ids of 64 bits"),
            ("# equipoise vertices=2 first-id=5\n5 7\n", 2, r#"from 5 to 6, found "7""#),
            ("# equipoise vertices=2 first-id=5\n4 6\n", 2, r#"from 5 to 6, found "4""#),
            ("# equipoise vertices=0 first-id=0\n0 0\n", 2, "no vertex id, as none exists"),
            ("# equipoise vertices=3 names\na b\n", 1, "expected 3 vertices, as this line says"),
            ("# equipoise vertices=2 names\n# vertex\na b\n", 2, "the name of a vertex, found"),
            ("# equipoise vertices=2 names\n# vertex a b\n", 2, "one name, in quotes if"),
            ("# equipoise vertices=2 names\n# vertex \"a\n", 2, "a quote that ends the cell"),
            ("# equipoise vertices=2 names weights=u32\na b x\n", 2, "a whole weight from 0"),
            ("# equipoise vertices=3\n5 7\n", 1, "expected 3 vertices, as this line says, found 2"),
            ("# equipoise vertices=3\n# vertex\n5 7\n", 2, "a vertex id, found the end of the"),
            ("# equipoise vertices=2 first-id=0\n0 1 5\n", 2, r#"the end of the line, found "5""#),
            ("# equipoise vertices=2 first-id=0 weights=u32\n0 1\n", 2, "a whole weight from 0"),
            ("# equipoise vertices=2 first-id=0 weights=u32\n0 1 1.5\n", 2, r#"found "1.5""#),
            ("# equipoise vertices=2 first-id=0 weights=f32\n0 1 z\n", 2, r#"weight, found "z""#),
        ],
    );
}

#[test]
fn gap_edge_lists() {
    check(
        GapEdges,
        &[
            ("0\n", 1, "a vertex from 0 to"),
            ("0 1\n0 1 5\n", 2, r#"the end of the line, found "5""#),
            ("0 1\n\n0 -1\n", 3, r#"found "-1""#),
            ("# no comments\n0 1\n", 1, "found \"#\""),
            ("0 4000000000\n", 1, "as far as a file of this size may go, found \"4000000000\""),
            ("0 4294967296\n", 1, r#"found "4294967296""#),
        ],
    );
    check(
        GapWeightedEdges,
        &[
            ("0 1\n", 1, "a weight, found the end of the line"),
            ("0 1 5\n0 1 five\n", 2, r#"a weight, found "five""#),
            ("0 1 5 6\n", 1, r#"the end of the line, found "6""#),
        ],
    );
}

#[test]
fn dimacs() {
    check(
        Dimacs,
        &[
            ("", 1, r#"expected a line "p sp VERTICES EDGES", found the end of the file"#),
            ("c only\nc comments\n", 3, "found the end of the file"),
            ("a 1 2 3\n", 1, r#"expected a line "p sp VERTICES EDGES", found "a""#),
            ("p max 2 1\n", 1, r#"expected "sp", as no other problem is read, found "max""#),
            ("p sp 2\n", 1, "the number of edges, found the end of the line"),
            ("p sp two 1\n", 1, r#"the number of vertices, found "two""#),
            ("p sp 2 1 1\n", 1, r#"the end of the line, found "1""#),
            ("p sp 2 1\np sp 2 1\n", 2, r#"expected a line "a FROM TO WEIGHT", found "p""#),
            ("p sp 2 1\nax 1 2 3\n", 2, r#"found "ax""#),
            ("p sp 2 1\na 1 2\nc\n", 2, "a weight, found the end of the line"),
            ("p sp 2 1\na 1 3 1\n", 2, r#"a vertex from 1 to 2, found "3""#),
            ("p sp 2 1\na 0 1 1\n", 2, r#"a vertex from 1 to 2, found "0""#),
            ("p sp 2 1\na 1 2 1 1\n", 2, r#"the end of the line, found "1""#),
            ("p sp 2 1\na 1 2 w\n", 2, r#"a weight, found "w""#),
            ("c\np sp 2 2\na 1 2 1\nc some more\n", 2, "expected 2 edges, as this line says"),
            ("p sp 2 0\na 1 2 1\n", 1, "expected 0 edges, as this line says, found 1"),
            ("p sp 2 1000000000000\na 1 2 1\n", 1, "says 1000000000000 edges, but only 8 bytes"),
            ("p sp 4000000000 0\n", 1, "than the 16777504 that a file of 18 bytes may have"),
        ],
    );
}

#[test]
fn metis() {
    check(
        Metis,
        &[
            ("", 1, "the number of vertices, found the end of the file"),
            ("% only a comment\n", 2, "the number of vertices, found the end of the file"),
            ("2\n", 1, "the number of edges, found the end of the line"),
            ("2 1 5\n2\n1\n", 1, r#"a format of up to three digits 0 or 1, found "5""#),
            ("2 1 0001\n2\n1\n", 1, r#"found "0001""#),
            ("2 1 10 x\n2\n1\n", 1, r#"the number of weights, found "x""#),
            ("2 1 10 1 1\n2\n1\n", 1, r#"the end of the line, found "1""#),
            ("2 1\n2\n3\n", 3, r#"a neighbour from 1 to 2, found "3""#),
            ("2 1\n2\n0\n", 3, r#"a neighbour from 1 to 2, found "0""#),
            ("2 1\n2\n1 x\n", 3, r#"found "x""#),
            ("2 1 1\n2\n1 5\n%\n", 2, "a whole weight from 0 to 4294967295, found the end of the"),
            ("2 1 1\n2 1.5\n1 1.5\n", 2, r#"found "1.5""#),
            ("2 1 11\nx 2 5\n1 1 5\n", 2, r#"the weight or size of a vertex, found "x""#),
            ("3 1\n% c\n2\n1", 1, "expected 3 lines of vertices, as this line says, found 2"),
            ("2 1\n2\n1\n\n1\n", 5, "expected no more than 2 lines of vertices"),
            ("3 1\n2 3\n1\n1\n", 1, "expected 2 neighbours in all, two for each of 1 edges"),
            ("% c\n3 2\n2\n1 3\n%\n1\n", 4, "expected vertex 3 to list 2"),
            ("2 1 1\n2 5\n1 6\n", 2, "with the same weight"),
            ("2 1\n1\n2\n", 2, "expected neighbours other than vertex 1 itself"),
            ("1000000 0\n\n", 1, "says 1000000 lines of vertices, but only 1 bytes follow, which"),
            ("2 1000000000000\n2\n1\n", 1, "says 1000000000000 edges, but only 4 bytes"),
        ],
    );
}

#[test]
fn matrices_fail_as_graphs_do() {
    let cases = [
        (mtx!("real general", "2 3 1\n3 1 0.5\n"), 3, r#"a row number from 1 to 2, found "3""#),
        (mtx!("integer general", "2 3 1\n1 1 0.5\n"), 3, r#"an integer, found "0.5""#),
        (mtx!("pattern symmetric", "2 3 1\n1 1\n"), 2, "symmetry needs a square matrix"),
        (mtx!("real skew-symmetric", "2 2 1\n1 1 5\n"), 3, "the diagonal"),
    ];
    for (text, line, part) in cases {
        let options = ReadOptions::default();
        let error = parse_matrix::<f64>(text.as_bytes(), MatrixMarket, &options).unwrap_err();
        assert_parse_error(&error, text, line, part);
    }
    let undirected = ReadOptions { undirected: true, ..Default::default() };
    let text = mtx!("real general", "2 3 0\n");
    let error = parse_matrix::<f64>(text.as_bytes(), MatrixMarket, &undirected).unwrap_err();
    assert_parse_error(&error, text, 2, "undirected needs a square matrix");
}

#[test]
fn more_vertices_than_ids_can_name_are_too_many() {
    let limit = "4294967296 vertices are too many: the limit is 4294967295";
    check(EdgeList, &[("# equipoise vertices=4294967296 first-id=0\n", 1, limit)]);
    check(Dimacs, &[("p sp 4294967296 0\n", 1, limit)]);
    check(Metis, &[("4294967296 0\n", 1, limit)]);
    let limit = "4294967296 rows are too many: the limit is 4294967295";
    check(MatrixMarket, &[(mtx!("pattern general", "4294967296 4294967296 0\n"), 2, limit)]);
}

#[test]
fn the_first_error_in_the_file_is_reported_on_any_number_of_threads() {
    let mut text = String::from(mtx!("pattern general", "9 9 100000\n"));
    for line in 0..100_000 {
        text += if line == 70_000 || line == 90_000 { "1 0\n" } else { "1 9\n" };
    }
    for threads in [1, 2, 7] {
        let error = on_threads(threads, || {
            parse_graph(text.as_bytes(), MatrixMarket, &ReadOptions::default()).unwrap_err()
        });
        assert_parse_error(&error, "", 70_003, r#"a column number from 1 to 9, found "0""#);
    }
}

#[test]
fn every_prefix_and_every_changed_byte_is_read_or_refused() {
    let texts = [
        (MatrixMarket, mtx!("integer symmetric", "3 3 3\n1 1 5\n3 1 7\n%\n2 3 16777216\n")),
        (MatrixMarket, mtx!("real skew-symmetric", "3 3 2\n3 1 -7e2\n2 3 .5\n")),
        (EdgeList, "# equipoise vertices=3 weights=f32\n# vertex 9\n5 77 0.5\n77 77 1e3\n"),
        (EdgeList, "% sym positive\n1,2,3,4\n2,3,1,5\n"),
        (Dimacs, "c x\np sp 3 2\na 1 2 5\na 3 3 1\n"),
        (Metis, "3 2 011 1\n1 2 7\n1 1 7 3 8\n1 2 8\n"),
        (GapWeightedEdges, "0 1 5\n1 2 6.5\n"),
    ];
    for (format, text) in texts {
        let try_to_read = |bytes: &[u8]| {
            let read = parse_graph(bytes, format, &ReadOptions::default());
            assert!(read.is_ok_and(|graph| graph.vertices() > 0) || bytes != text.as_bytes());
        };
        for end in 0..=text.len() {
            try_to_read(&text.as_bytes()[..end]);
        }
        for place in 0..text.len() {
            for byte in [0, b'\n', b' ', b'-', b'.', b',', b'0', b'9', b'%', b'x', 0xff] {
                let mut changed = text.as_bytes().to_vec();
                changed[place] = byte;
                try_to_read(&changed);
            }
        }
    }
}
