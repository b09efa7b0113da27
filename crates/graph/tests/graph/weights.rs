//! Whole numbers are never rounded: they are read exactly, or the file is rejected.

use equipoise_graph::{
    Csr, Edges, Error, GraphBuilder, Matrix, Result, WeightType, Weights,
    io::{Format, ReadOptions, parse_graph, parse_matrix, print_graph, print_matrix, write_graph},
    load, load_matrix,
};
use proptest::prelude::*;

/// A weight as written in a file, and its value if it is a whole number.
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

/// A path whose edges have the tokens as weights, and an isolated vertex.
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
            let field =
                if tokens.iter().all(|token| token.whole.is_some()) { "integer" } else { "real" };
            format!("{}{vertices} {vertices} {edges}\n{}", banner(field), lines(1, ""))
        }
        _ => lines(0, ""),
    }
}

const FORMATS: [Format; 4] =
    [Format::Dimacs, Format::MatrixMarket, Format::EdgeList, Format::GapWeightedEdges];

/// Asserts that weights equal the tokens.
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
        for (format, &weights) in FORMATS.iter().flat_map(|&format| {
            WeightType::ALL.iter().map(move |weights| (format, weights))
        }) {
            let options = ReadOptions { weights, ..ReadOptions::default() };
            let text = text_of(format, &tokens);
            let first = text.lines().count() - tokens.len();
            let bytes = text.as_bytes();
            match parse_graph(bytes, format, &options) {
                Ok(graph) => {
                    let read = graph.weights().unwrap();
                    check(&tokens, |edge| read.get(edge));
                    prop_assert!([WeightType::Auto.name(), read.type_name()].contains(&weights.name()));
                    prop_assert!(weights != WeightType::Auto || read.type_name() != "f32");
                }
                error => {
                    let (line, message) = refused(error).unwrap();
                    // Weights in a type that Matrix Market has no name for are rejected without a
                    // line.
                    let Some(line) = line else {
                        let is_changed = matches!(weights, WeightType::U32 | WeightType::F32);
                        prop_assert!(format == Format::MatrixMarket && is_changed, "{message}");
                        continue;
                    };
                    let at = &tokens[line as usize - 1 - first];
                    prop_assert!(message.ends_with(&format!("found \"{}\"", at.text)), "{message}");
                    prop_assert!(at.whole.is_some() || weights == WeightType::U32, "{message}");
                }
            }
            // If all are whole numbers that fit, nothing is rejected.
            let fits = |whole: i128| match weights {
                WeightType::F32 => (0..1 << 24).contains(&whole),
                _ => u32::try_from(whole).is_ok(),
            };
            if tokens.iter().all(|token| token.whole.is_some_and(fits)) {
                prop_assert!(parse_graph(bytes, format, &options).is_ok());
            }
            if weights != WeightType::Auto {
                continue;
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

/// Two texts of half a megabyte: different threads read pieces of them.
#[test]
fn a_weight_far_from_the_one_that_makes_it_real_is_not_rounded_either() {
    let few: String = (0..40_000).map(|edge| format!("{edge} {} 7\n", edge + 1)).collect();
    use WeightType::{Auto, F32};
    let whole = format!("0 1 123456789\n{few}");
    let far = format!("{few}0 1 9007199254740993\n");
    for (text, last, weights, line, reason) in [
        (&whole, "0.5", F32, 1, "exact as a 32-bit"),
        (&whole, "4294967297", Auto, 40_002, "from 0 to 4294967295"),
        (&far, "0.5", Auto, 40_001, "exact as a 64-bit"),
    ] {
        let text = format!("{text}5 6 {last}\n");
        for format in [Format::EdgeList, Format::GapWeightedEdges] {
            let options = ReadOptions { weights, ..ReadOptions::default() };
            let (found, message) = refused(parse_graph(text.as_bytes(), format, &options)).unwrap();
            assert_eq!(found, Some(line), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }
    for text in [whole.clone(), format!("{whole}5 6 0.5\n")] {
        let read = parse_graph(text.as_bytes(), Format::EdgeList, &ReadOptions::default());
        assert_eq!(read.unwrap().weights().unwrap().get(0), 123_456_789.0);
    }
}

#[test]
fn numbers_beyond_the_range_are_refused_with_it() {
    for (format, text, line) in [
        (Format::EdgeList, "0 1 0.5\n1 2 1e300\n", 2),
        (Format::GapWeightedEdges, "0 1 -1e39\n", 1),
        (Format::Dimacs, "p sp 2 1\na 1 2 1e300\n", 2),
    ] {
        assert!(parse_graph(text.as_bytes(), format, &ReadOptions::default()).is_ok());
        let farther = text.replace("e39", "e309").replace("e300", "e309");
        for (text, weights, limit) in [
            (text, WeightType::F32, "3.4028235e38"),
            (&farther, WeightType::Auto, "1.7976931348623157e308"),
        ] {
            let options = ReadOptions { weights, ..ReadOptions::default() };
            let (found, message) = refused(parse_graph(text.as_bytes(), format, &options)).unwrap();
            assert_eq!(found, Some(line));
            let expected = format!("a weight from -{limit} to {limit}, found");
            assert!(message.contains(&expected), "{message}");
        }
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
        assert_eq!(matrix.to_graph().unwrap().weights().unwrap().get(0), value);
        let mut file = Vec::new();
        print_matrix(&matrix, Format::Eqp, &mut file).unwrap();
        let options = ReadOptions::default();
        let graph = parse_graph(&file, Format::Eqp, &options).unwrap();
        assert_eq!(graph.weights().unwrap().get(0), value);
        let narrow = ReadOptions { weights: WeightType::F32, ..options };
        assert_eq!(parse_graph(&file, Format::Eqp, &narrow).is_ok(), fits, "{value}");
        assert_eq!(Matrix::<f32>::from_graph(&graph).is_ok(), fits, "{value}");
        assert_eq!(parse_matrix::<f32>(&file, Format::Eqp, &options).is_ok(), fits, "{value}");
        assert!(parse_matrix::<f64>(&file, Format::Eqp, &options).is_ok(), "{value}");
    }
}

/// Every format that can store them, and generators.
#[test]
fn decimals_have_64_bits_unless_another_type_is_asked_for() {
    use WeightType::{Auto, F32, F64, U32};
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &str, weights| load(path, &ReadOptions { weights, ..Default::default() });
    let weight = |path: &str, weights| read(path, weights).unwrap().weights().unwrap().clone();
    let in_32_bits = Weights::from(vec![0.1f32; 2]);
    for &format in Format::ALL {
        let [decimal, whole] = ["0.1..0.1", "7..7"].map(|range| {
            let spec = format!("path:n=2,weights={range}");
            assert_eq!(weight(&spec, F32).type_name(), "f32");
            let path = folder.path().join(format!("{range}.{}", format.name()));
            let written = write_graph(&load(&spec, &ReadOptions::default()).unwrap(), &path, None);
            written.is_ok().then(|| path.to_str().unwrap().to_owned())
        });
        for path in [decimal, Some("path:n=2,weights=0.1..0.1".to_owned())].into_iter().flatten() {
            for asked in [Auto, F64] {
                let found = weight(&path, asked);
                assert_eq!((found.get(0), found.type_name()), (0.1, "f64"), "{format} {asked}");
            }
            assert_eq!(weight(&path, F32).get(0), in_32_bits.get(0), "{format}");
            assert!(read(&path, U32).is_err(), "{format}");
        }
        for path in [whole, Some("path:n=2,weights=7..7".to_owned())].into_iter().flatten() {
            for (asked, expected) in [(Auto, "u32"), (U32, "u32"), (F32, "f32"), (F64, "f64")] {
                let found = weight(&path, asked);
                assert_eq!((found.get(0), found.type_name()), (7.0, expected), "{format}");
            }
        }
    }
}

/// `.eqp` files store the type: it is kept unless another is requested.
#[test]
fn a_type_that_a_file_names_is_kept_unless_another_is_asked_for() {
    let edges = Edges::from(vec![(0, 1, 0.1f32), (1, 2, 0.25)]);
    let graph = GraphBuilder::new().build(edges).unwrap();
    for format in [Format::EdgeList, Format::Eqp] {
        let mut file = Vec::new();
        print_graph(&graph, format, &mut file).unwrap();
        for (asked, expected) in [(WeightType::Auto, "f32"), (WeightType::F64, "f64")] {
            let options = ReadOptions { weights: asked, ..ReadOptions::default() };
            let read = parse_graph(&file, format, &options).unwrap();
            assert_eq!(read.weights().unwrap().type_name(), expected, "{format}");
        }
    }
}
