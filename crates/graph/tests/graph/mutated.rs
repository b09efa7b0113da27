//! Files with bytes flipped, cut, doubled and spliced: no reader panics, and accepted graphs are
//! valid.

use equipoise_graph::{
    Csr, Error, Graph,
    generate::Spec,
    io::{Format, ReadOptions, parse_graph, parse_matrix, print_graph},
};

const MUTATIONS: u64 = 1500;

/// Pseudo-random numbers, equal in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// Bytes that are counts, delimiters and ends in some format.
const SPLICES: [&[u8]; 12] = [
    b"4294967295",
    b"4294967296",
    b"18446744073709551616",
    b"-1",
    b"nan",
    b"1e300",
    b"\n",
    b"\r",
    b"\0",
    b"\xff\xff\xff\xff",
    b"\xef\xbb\xbf",
    b"% ",
];

fn mutate(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(bytes.len());
    match numbers.below(6) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << numbers.below(8),
        1 if !bytes.is_empty() => bytes[at] = numbers.below(256) as u8,
        2 => bytes.truncate(at),
        3 => {
            let end = (at + numbers.below(20)).min(bytes.len());
            bytes.drain(at.min(end)..end);
        }
        4 => {
            let end = (at + numbers.below(20)).min(bytes.len());
            let piece = bytes[at.min(end)..end].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => {
            let splice = SPLICES[numbers.below(SPLICES.len())];
            bytes.splice(at..at, splice.iter().copied());
        }
    }
}

fn is_sound(graph: &Graph) -> Result<(), Error> {
    graph.check()?;
    let csr = graph.csr();
    Csr::new(csr.columns(), csr.offsets().to_vec(), csr.indices().to_vec())?;
    graph.weights().map_or(Ok(()), |weights| {
        assert_eq!(weights.len() as u64, graph.edges());
        Ok(())
    })
}

#[test]
fn mutated_files_are_refused_or_sound() {
    let mut accepted = 0;
    for &format in Format::ALL {
        for spec in ["er:n=20,m=30", "er:n=20,m=30,weights=1..9", "path:n=9,weights=0.5..2.0"] {
            let graph = spec.parse::<Spec>().unwrap().generate().unwrap();
            let mut written = Vec::new();
            // Some formats have no weights, or require them.
            if print_graph(&graph, format, &mut written).is_err() {
                continue;
            }
            let mut numbers = Numbers(written.len() as u64);
            for _ in 0..MUTATIONS {
                let mut bytes = written.clone();
                for _ in 0..=numbers.below(3) {
                    mutate(&mut bytes, &mut numbers);
                }
                // A claim of many vertices is cheap to write and slow to allocate.
                let options = ReadOptions::default();
                if let Ok(graph) = parse_graph(&bytes, format, &options) {
                    accepted += 1;
                    is_sound(&graph).unwrap();
                }
                if let Ok(matrix) = parse_matrix::<f64>(&bytes, format, &options) {
                    matrix.check().unwrap();
                }
            }
        }
    }
    assert!(accepted > 1000, "only {accepted} were accepted: mutations are too rough");
}
