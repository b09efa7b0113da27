//! Every key of every generator at its limits: a sound graph or an error, in little time.

use super::{Spec, description, keys::Presence};
use crate::{Csr, Graph};

/// What takes more is not generated here: 64 MiB are made in a moment.
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

/// Makes what a spec says where it can be made and is not large.
fn make(text: &str) {
    let Ok(spec) = text.parse::<Spec>() else { return };
    assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec, "{text}");
    if spec.memory() > MOST_MEMORY {
        return;
    }
    if let Some((rows, columns)) = spec.shape() {
        // Not f32, in which not every whole number that can be asked for is exact.
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
    for description in description::all() {
        let (name, pairs) = description.example.split_once(':').unwrap();
        let given: Vec<(&str, &str)> =
            pairs.split(',').map(|pair| pair.split_once('=').unwrap()).collect();
        for key in description.keys.iter().chain(&description::COMMON_KEYS) {
            for value in NUMBERS.into_iter().chain(WORDS).chain(RANGES) {
                make(&format!("{name}:{}={value}", key.name));
                let others = given.iter().filter(|(name, _)| *name != key.name);
                // Few of everything else, so that the key alone makes it large.
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
    for description in description::all() {
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
