//! Messages about unknown names.

use strsim::levenshtein;

/// The message for an unknown name: the nearest known one as a suggestion, and all known ones.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let guess =
        nearest(name, known.iter().copied()).map(|near| format!(" (did you mean `{near}`?)"));
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    format!("unknown {what} `{name}`{}; known are: {list}", guess.unwrap_or_default())
}

/// The known name with the smallest edit distance, if that is small for its length. Letter case
/// only breaks ties.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let small = name.to_lowercase();
    let apart =
        |known: &str| (levenshtein(&small, &known.to_lowercase()), levenshtein(name, known));
    let (near, known) = known.into_iter().map(|known| (apart(known), known)).min()?;
    (near.0 <= (known.len() * 2 / 5).max(1)).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        assert_eq!(nearest("kroneker", ["rmat", "kronecker"]), Some("kronecker"));
        assert_eq!(nearest("watts-strogatz", ["rmat", "kronecker"]), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn the_case_of_letters_counts_last() {
        assert_eq!(nearest("C", ["a", "b", "c", "d"]), Some("c"));
        assert_eq!(nearest("ULM", ["Bonn", "Ulm", "Kiel"]), Some("Ulm"));
        assert_eq!(nearest("ulmm", ["ULM", "ulm"]), Some("ulm"));
    }
}
