//! Whole numbers are never rounded: they are read exactly, or the file is refused.

use equipoise_graph::{
    Csr, Edges, Error, GraphBuilder, Matrix, Result,
    io::{Format, ReadOptions, parse_graph, parse_matrix, print_matrix},
    load_matrix,
};
use proptest::prelude::*;

/// A weight as it stands in a file, and what it is if it is a whole number.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    whole: Option<i128>,
}

fn token() -> impl Strategy<Value = Token> {
    let whole = prop_oneof![
        4 => 0..1000i128,
        2 => (0..40u32, -2..=2i128).prop_map(|(bits, by)| (1 << bits) + by),
        1 => any::<u32>().prop_map(i128::from),
        1 => any::<i64>().prop_map(i128::from),
    ];
    let real = prop_oneof![
        Just("0.5".to_owned()),
        Just("1e3".to_owned()),
        Just("-2.25E-1".to_owned()),
        Just("16777217.0".to_owned()),
        any::<f32>().prop_map(|number| format!("{number:?}")),
    ];
    prop_oneof![
        4 => whole.prop_map(|number| Token { text: number.to_string(), whole: Some(number) }),
        1 => real.prop_map(|text| Token { text, whole: None }),
    ]
}

/// The path whose edges have the tokens as weights, and a further vertex.
fn text_of(format: Format, tokens: &[Token]) -> String {
    let (edges, vertices) = (tokens.len(), tokens.len() + 1);
    let lines = |first: usize, before: &str| -> String {
        let line = |(place, token): (usize, &Token)| {
            let (from, to) = (first + place, first + place + 1);
            format!("{before}{from} {to} {}\n", token.text)
        };
        tokens.iter().enumerate().map(line).collect()
    };
    let banner = |field: &str| format!("%%MatrixMarket matrix coordinate {field} general\n");
    match format {
        Format::Dimacs => format!("p sp {vertices} {edges}\n{}", lines(1, "a ")),
        Format::MatrixMarket => {
            let field = match tokens.iter().all(|token| token.whole.is_some()) {
                true => "integer",
                false => "real",
            };
            format!("{}{vertices} {vertices} {edges}\n{}", banner(field), lines(1, ""))
        }
        _ => lines(0, ""),
    }
}

const FORMATS: [Format; 4] =
    [Format::Dimacs, Format::MatrixMarket, Format::EdgeList, Format::GapWeightedEdges];

/// Whether weights are what the tokens say.
fn check(tokens: &[Token], weights: impl Fn(usize) -> f64) {
    for (place, token) in tokens.iter().enumerate() {
        match token.whole {
            Some(whole) => assert_eq!(weights(place) as i128, whole, "{}", token.text),
            None => {
                let rounded = f64::from(token.text.parse::<f32>().unwrap());
                let (found, wide) = (weights(place), token.text.parse::<f64>().unwrap());
                assert!(found == rounded || found == wide || found.is_nan(), "{}", token.text);
            }
        }
    }
}

fn refused<T>(result: Result<T>) -> Option<(Option<u64>, String)> {
    match result {
        Ok(_) => None,
        Err(Error::Parse { line, message, .. }) => Some((line, message)),
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn whole_weights_are_read_exactly_or_refused(tokens in prop::collection::vec(token(), 1..12)) {
        let options = ReadOptions::default();
        for format in FORMATS {
            let text = text_of(format, &tokens);
            let first = text.lines().count() - tokens.len();
            let bytes = text.as_bytes();
            match parse_graph(bytes, format, &options) {
                Ok(graph) => check(&tokens, |edge| graph.weights().unwrap().get(edge)),
                error => {
                    let (line, message) = refused(error).unwrap();
                    let at = &tokens[line.unwrap() as usize - 1 - first];
                    prop_assert!(message.ends_with(&format!("found \"{}\"", at.text)), "{message}");
                    prop_assert!(at.whole.is_some(), "{message}");
                }
            }
            // Where all are whole numbers that fit, nothing is refused.
            if tokens.iter().all(|token| token.whole.is_some_and(|w| u32::try_from(w).is_ok())) {
                prop_assert!(parse_graph(bytes, format, &options).is_ok());
            }
            if let Ok(matrix) = parse_matrix::<f32>(bytes, format, &options) {
                check(&tokens, |entry| matrix.values()[entry].into());
            }
            if let Ok(matrix) = parse_matrix::<f64>(bytes, format, &options) {
                check(&tokens, |entry| matrix.values()[entry]);
            }
        }
    }
}

/// Two texts of half a megabyte: pieces of them are read by different threads.
#[test]
fn a_weight_far_from_the_one_that_makes_it_real_is_not_rounded_either() {
    let few: String = (0..40_000).map(|edge| format!("{edge} {} 7\n", edge + 1)).collect();
    let whole = format!("0 1 123456789\n{few}");
    for (last, reason) in [("0.5", "exact as a 32-bit"), ("4294967297", "from 0 to 4294967295")] {
        let text = format!("{whole}5 6 {last}\n");
        for format in [Format::EdgeList, Format::GapWeightedEdges] {
            let read = parse_graph(text.as_bytes(), format, &ReadOptions::default());
            let (line, message) = refused(read).unwrap();
            let expected = if last == "0.5" { 1 } else { 40_002 };
            assert_eq!(line, Some(expected), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }
    assert!(parse_graph(whole.as_bytes(), Format::EdgeList, &ReadOptions::default()).is_ok());
}

#[test]
fn numbers_beyond_the_range_are_refused_with_it() {
    for (format, text, line) in [
        (Format::EdgeList, "0 1 0.5\n1 2 1e300\n", 2),
        (Format::GapWeightedEdges, "0 1 -1e39\n", 1),
        (Format::Dimacs, "p sp 2 1\na 1 2 1e300\n", 2),
    ] {
        let read = parse_graph(text.as_bytes(), format, &ReadOptions::default());
        let (found, message) = refused(read).unwrap();
        assert_eq!(found, Some(line));
        assert!(
            message.contains("a weight from -3.4028235e38 to 3.4028235e38, found"),
            "{message}"
        );
    }
}

#[test]
fn types_of_values_are_changed_exactly_or_not_at_all() {
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 123_456_789u32)])).unwrap();
    let error = Matrix::<f32>::from_graph(&graph).unwrap_err().to_string();
    assert!(error.starts_with("the value 123456789 cannot be f32"), "{error}");
    assert_eq!(Matrix::<f64>::from_graph(&graph).unwrap().values(), [123_456_789.0]);
    assert!(
        load_matrix::<f32>(
            "band:rows=2,columns=2,width=1,weights=16777217..16777217",
            &Default::default()
        )
        .is_err()
    );

    for (value, fits) in
        [(0.1, true), (123_456_789.0, false), (1e300, false), (f64::INFINITY, true)]
    {
        let csr = Csr::new(1, vec![0, 1], vec![0]).unwrap();
        let matrix = Matrix::from_csr(csr, vec![value]).unwrap();
        assert_eq!(matrix.to_graph().is_ok(), fits, "{value}");
        let mut file = Vec::new();
        print_matrix(&matrix, Format::Eqp, &mut file).unwrap();
        let options = ReadOptions::default();
        assert_eq!(parse_graph(&file, Format::Eqp, &options).is_ok(), fits, "{value}");
        assert_eq!(parse_matrix::<f32>(&file, Format::Eqp, &options).is_ok(), fits, "{value}");
        assert!(parse_matrix::<f64>(&file, Format::Eqp, &options).is_ok(), "{value}");
    }
}
