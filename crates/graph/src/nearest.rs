//! What to say about a name that is not known.

/// Says that there is no such name, which one may have been meant, and which there are.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let guess =
        nearest(name, known.iter().copied()).map(|near| format!(" (did you mean `{near}`?)"));
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    format!("there is no {what} `{name}`{}; known are: {list}", guess.unwrap_or_default())
}

/// The known name that takes the fewest changes, if they are few for its length.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.into_iter().map(|known| (changes(name, known), known)).min()?;
    (near.0 <= (near.1.len() * 2 / 5).max(1)).then_some(near.1)
}

/// How many letters must be added, removed or replaced to make `b` of `a` (Levenshtein).
fn changes(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_fewest_changes() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("rmatt", "rmat", 1),
            ("sacle", "scale", 2),
            ("a", "b", 1),
        ] {
            assert_eq!((changes(a, b), changes(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        assert_eq!(nearest("kroneker", ["rmat", "kronecker"]), Some("kronecker"));
        assert_eq!(nearest("watts-strogatz", ["rmat", "kronecker"]), None);
        assert_eq!(nearest("x", []), None);
    }
}
