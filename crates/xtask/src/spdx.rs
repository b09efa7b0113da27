//! SPDX licence expressions: `MIT OR Apache-2.0`, `(MIT OR Zlib) AND Unicode-3.0`.

use std::{iter::Peekable, vec::IntoIter};

type Words = Peekable<IntoIter<String>>;

/// Whether the allowed licences satisfy the expression; an invalid expression is not satisfied.
pub fn is_satisfied(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    // Old packages use a slash for `OR`.
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<String> = text.split_whitespace().map(Into::into).collect();
    let mut words = words.into_iter().peekable();
    any(&mut words, is_allowed) == Some(true) && words.next().is_none()
}

fn any(words: &mut Words, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = all(words, is_allowed)?;
    while words.next_if(|word| word == "OR").is_some() {
        satisfied |= all(words, is_allowed)?;
    }
    Some(satisfied)
}

fn all(words: &mut Words, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = one(words, is_allowed)?;
    while words.next_if(|word| word == "AND").is_some() {
        satisfied &= one(words, is_allowed)?;
    }
    Some(satisfied)
}

/// A licence, with an exception that is part of its name, or an expression in parentheses.
fn one(words: &mut Words, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let word = words.next()?;
    match word.as_str() {
        "(" => {
            let satisfied = any(words, is_allowed)?;
            words.next_if(|word| word == ")")?;
            Some(satisfied)
        }
        ")" | "AND" | "OR" | "WITH" => None,
        _ if words.next_if(|word| word == "WITH").is_some() => {
            Some(is_allowed(&format!("{word} WITH {}", words.next()?)))
        }
        _ => Some(is_allowed(&word)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_satisfied;

    fn check(expression: &str) -> bool {
        is_satisfied(expression, &|name| ["MIT", "Zlib", "A WITH B"].contains(&name))
    }

    #[test]
    fn one_of_several_is_enough_and_all_of_several_are_needed() {
        assert!(check("MIT") && check("GPL-3.0 OR MIT") && check("GPL-3.0/MIT"));
        assert!(check("MIT AND Zlib") && !check("MIT AND GPL-3.0") && !check("GPL-3.0"));
    }

    #[test]
    fn and_binds_closer_than_or() {
        assert!(check("MIT OR GPL-3.0 AND GPL-2.0"));
        assert!(!check("(MIT OR GPL-3.0) AND GPL-2.0"));
        assert!(check("(GPL-3.0 OR (MIT)) AND Zlib"));
    }

    #[test]
    fn an_exception_is_part_of_the_name() {
        assert!(check("A WITH B") && check("GPL-3.0 OR A WITH B"));
        assert!(!check("MIT WITH B") && !check("A"));
    }

    #[test]
    fn invalid_expressions_are_not_satisfied() {
        for expression in
            ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Zlib", "MIT WITH", "AND", "MIT AND OR"]
        {
            assert!(!check(expression), "{expression}");
        }
    }
}
