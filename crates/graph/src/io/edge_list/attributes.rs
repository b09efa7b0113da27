//! Attributes of an edge in braces, as written by NetworkX: a Python dict or a JSON object.

use crate::io::scan::Scanner;

/// The position of the value of the key `weight` in the attributes that begin at `start`, if it
/// exists. Keys inside strings and nested braces are ignored.
pub(super) fn weight(text: &[u8], start: usize) -> Option<Scanner<'_>> {
    let (mut at, mut depth, mut key): (_, u32, &[u8]) = (start, 0, b"");
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\'' | b'"' => {
                let end = end_of_text(text, at, byte);
                if depth == 1 {
                    key = &text[at..end];
                }
                at = end + 1;
            }
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.checked_sub(1)?,
            b':' if depth == 1 && key == b"weight" => return Some(value(text, at)),
            b',' if depth == 1 => key = b"",
            _ => {}
        }
    }
    None
}

/// The end of the string that starts at `start`: before its closing quote, or the end of the text.
fn end_of_text(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while let Some(&byte) = text.get(at).filter(|&&byte| byte != quote) {
        at += if byte == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// The value that starts at `start`, after blanks.
fn value(text: &[u8], start: usize) -> Scanner<'_> {
    let end = text[start..].iter().position(|byte| b",}".contains(byte));
    let mut value = Scanner::new(&text[..end.map_or(text.len(), |end| start + end)], start);
    value.skip_blanks();
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_weight_of_the_edge_is_its_weight() {
        for (attributes, expected) in [
            ("{'weight': 5}", Some("5")),
            ("{\"weight\" : 5.5, 'x': 1}", Some("5.5")),
            ("{'x': {'weight': 3}, 'weight':7}", Some("7")),
            ("{'x': {'weight': 3}}", None),
            ("{'x': [1, ('weight', 2)], 'weight': 4}", Some("4")),
            ("{'x': \"'weight': 3\", 'weight': 2}", Some("2")),
            ("{'x': 'it\\'s', 'weight': 2}", Some("2")),
            ("{'x': 'weight'}", None),
            ("{'Weight': 3, 'weights': 4}", None),
            ("{'weight'}", None),
            ("{'weight': ", Some("")),
            ("{'weight", None),
            ("{'x\\", None),
            ("{}}, 'weight': 3", None),
            ("{}", None),
            ("", None),
        ] {
            for before in ["", "a b "] {
                let text = format!("{before}{attributes}");
                let value = weight(text.as_bytes(), before.len());
                let value =
                    value.map(|value| String::from_utf8_lossy(value.peek_word()).into_owned());
                assert_eq!(value.as_deref(), expected, "{text}");
            }
        }
    }
}
