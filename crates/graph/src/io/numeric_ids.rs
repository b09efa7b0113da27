//! Vertices with numeric ids.

use crate::VertexIds;

/// The number that a word is in canonical form: 7, but not 07.
pub(super) fn number(word: &[u8]) -> Option<u64> {
    match word {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] => std::str::from_utf8(word).ok()?.parse().ok(),
        _ => None,
    }
}

/// Whether a word is a number with leading zeros, which may be a name.
pub(super) fn has_zeros(word: &[u8]) -> bool {
    matches!(word, [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
}

/// The ids of vertices with these numbers, which ascend.
pub(super) fn numbered(numbers: Vec<u64>) -> VertexIds {
    let (ends, count) = (numbers.first().zip(numbers.last()), numbers.len() as u64);
    let dense = |first: u64| ends == Some((&first, &(first + count - 1)));
    if numbers.is_empty() || dense(0) {
        VertexIds::Dense { first: 0 }
    } else if dense(1) {
        VertexIds::Dense { first: 1 }
    } else {
        VertexIds::Table(numbers.into())
    }
}
