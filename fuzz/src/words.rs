//! Texts made of the words that the formats are made of, so that inputs get past their first lines.

use equipoise_graph::io::Format;

use crate::{check_graph, check_matrix};

const FORMATS: [Format; 6] = [
    Format::MatrixMarket,
    Format::EdgeList,
    Format::Dimacs,
    Format::Metis,
    Format::GapEdges,
    Format::GapWeightedEdges,
];

const WORDS: [&str; 64] = [
    " ", "\n", " ", "\n", "\t", ",", "\r\n", "\r", ";", "%", "#", "c ", "0", "1", "2", "3", "4", "5",
    "6", "7", "8", "9", "10", "16", "100", "1000", "65535", "65536", "16777216", "16777217",
    "123456789", "2147483647", "2147483648", "4294967294", "4294967295", "4294967296",
    "18446744073709551615", "18446744073709551616", "-1", "-0", "0.0", "0.5", "1e3", "1e38", "3.5e38",
    "1e300", "1e-46", "nan", "inf", "-inf", "p sp ", "a ", "p ", "%%MatrixMarket matrix coordinate ",
    "real ", "integer ", "pattern ", "general\n", "symmetric\n", "skew-symmetric\n", "complex ",
    "001", "011", "\u{feff}",
];

/// The first byte is the format, each other one a word.
pub fn check(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let format = FORMATS[first as usize % FORMATS.len()];
    let text: String = rest.iter().map(|&byte| WORDS[byte as usize % WORDS.len()]).collect();
    check_graph(text.as_bytes(), format);
    if format == Format::MatrixMarket {
        check_matrix(text.as_bytes(), format);
    }
}
