//! Tests every key of every generator at its limits: the result is a valid graph or an error.

use super::{family::COMMON_KEYS, generator, keys::Presence, spec::Spec};
use crate::{Csr, Graph};

/// Larger graphs are not generated: 64 MiB take a moment.
const MOST_MEMORY: u64 = 64 << 20;

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "1.5",
    "NaN",
    "inf",
    "-inf",
    "",
    "word",
];
const WORDS: [&str; 7] = ["true", "false", "drop", "keep", "0.5", "1e-320", "1e400"];
const RANGES: [&str; 12] = [
    "0..0",
    "1..2",
    "0..4294967295",
    "0..4294967296",
    "2..1",
    "-3e38..3e38",
    "0.5..2.0",
    "NaN..1.0",
    "0.0..inf",
    "1e400..1e401",
    "..",
    "1...2",
];

fn make(text: &str) {
    let Ok(spec) = text.parse::<Spec>() else { return };
    assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec, "{text}");
    if spec.memory() > MOST_MEMORY {
        return;
    }
    if let Some((rows, columns)) = spec.shape() {
        // Not f32, which does not represent all whole numbers of the range exactly.
        let matrix = spec.generate_matrix::<f64>().unwrap();
        assert_eq!((matrix.rows(), matrix.columns()), (rows, columns), "{text}");
        return check_rows(matrix.csr());
    }
    let graph = spec.generate().unwrap();
    check_rows(graph.csr());
    Graph::from_csr(graph.csr().clone(), graph.weights().cloned(), !spec.directed).unwrap();
}

fn check_rows(csr: &Csr) {
    Csr::new(csr.columns(), csr.offsets().to_vec(), csr.indices().to_vec()).unwrap();
}

#[test]
fn every_key_at_its_limits_makes_a_sound_graph_or_an_error() {
    for (description, _) in generator::all() {
        let (name, pairs) = description.example.split_once(':').unwrap();
        let required: Vec<(&str, &str)> =
            pairs.split(',').map(|pair| pair.split_once('=').unwrap()).collect();
        for key in description.keys.iter().chain(&COMMON_KEYS) {
            for value in NUMBERS.into_iter().chain(WORDS).chain(RANGES) {
                make(&format!("{name}:{}={value}", key.name));
                let others = required.iter().filter(|(name, _)| *name != key.name);
                // Few of everything else, so that only this key makes the graph large.
                for few in ["1", "2", "40"] {
                    let others = others.clone().map(|(name, example)| {
                        let small = example.parse::<u64>().is_ok_and(|number| number > 40);
                        format!(",{name}={}", if small { few } else { example })
                    });
                    make(&format!("{name}:{}={value}{}", key.name, others.collect::<String>()));
                }
            }
        }
    }
}

#[test]
fn all_keys_at_once_make_a_sound_graph_or_an_error() {
    for (description, _) in generator::all() {
        let keys: Vec<_> = description.keys.iter().collect();
        for value in ["0", "1", "2", "4294967295", "18446744073709551615"] {
            for directed in [false, true] {
                let numbers = keys.iter().filter(|key| match key.presence {
                    Presence::Required | Presence::Optional => true,
                    Presence::Default(default) => default.parse::<u64>().is_ok(),
                });
                let pairs: String = numbers.map(|key| format!("{}={value},", key.name)).collect();
                make(&format!("{}:{pairs}directed={directed}", description.name));
            }
        }
    }
}
