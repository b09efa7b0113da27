//! The words that identify vertices in a file.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};

use crate::{
    VertexIds, VertexNames,
    io::{
        error::ParseError,
        numeric_ids::{number, numbered},
        options::IdKind,
    },
    memory::{self, bytes_of},
    parallel::*,
};

/// Marks a declared vertex, in place of the position of an edge.
const DECLARED: usize = usize::MAX;

/// The vertices that a file declares, each by a word, numbered in the order of first occurrence. An
/// edge may name a vertex before its declaration.
pub(super) struct Words<'a> {
    /// Randomly seeded, so that a file cannot choose words that all collide.
    numbers: HashMap<Cow<'a, str>, u32>,
    /// The position of the first edge that names each word, or `DECLARED`.
    named_at: Vec<usize>,
    /// An upper bound on the number of declared vertices.
    most: usize,
    /// A word beyond the capacity, and the position of the edge that names it: this word or another
    /// is undeclared.
    beyond: Option<(String, usize)>,
}

impl<'a> Words<'a> {
    /// Reserves memory for the words of `most` vertices.
    pub fn with_capacity(most: usize) -> Self {
        let numbers = HashMap::with_capacity(most);
        Self { numbers, named_at: Vec::with_capacity(most), most, beyond: None }
    }

    /// The bytes for `most` words in the table, and as a list.
    pub fn memory_of(most: u64) -> u64 {
        // A hash table has a power of two of slots, of which one in eight stays free.
        let slots = (most.saturating_mul(8) / 7 + 1).checked_next_power_of_two();
        let slots = slots.unwrap_or(u64::MAX).max(8);
        bytes_of::<(Cow<str>, u32)>(slots)
            .saturating_add(slots)
            .saturating_add(bytes_of::<(usize, Cow<str>)>(most))
    }

    pub fn len(&self) -> usize {
        self.named_at.len()
    }

    /// Declares a vertex at a position. Fails if the word is already declared. Returns the vertex's
    /// number, or `None` if an edge has named a vertex that can no longer be declared.
    pub fn declare(&mut self, word: Cow<'a, str>, at: usize) -> Result<Option<u32>, ParseError> {
        let refused = |message: String| Err(ParseError::at_byte(at, message));
        if word.is_empty() {
            return refused("expected a vertex with an id, found an empty one".into());
        }
        let is_full = self.len() == self.most;
        match self.numbers.entry(word) {
            Entry::Vacant(_) if is_full => Ok(None),
            Entry::Vacant(entry) => {
                let number = self.named_at.len() as u32;
                entry.insert(number);
                self.named_at.push(DECLARED);
                Ok(Some(number))
            }
            Entry::Occupied(entry) => match &mut self.named_at[*entry.get() as usize] {
                &mut DECLARED => refused(format!(
                    "expected an id that no vertex before has, found {:?}",
                    entry.key()
                )),
                place => {
                    *place = DECLARED;
                    Ok(Some(*entry.get()))
                }
            },
        }
    }

    /// The number of the vertex that the edge at byte `at` names.
    pub fn named(&mut self, word: Cow<'a, str>, at: usize) -> u32 {
        if let Some(&number) = self.numbers.get(&word) {
            return number;
        }
        if self.len() == self.most {
            self.beyond.get_or_insert_with(|| (word.into_owned(), at));
            return 0;
        }
        let number = self.len() as u32;
        self.numbers.insert(word, number);
        self.named_at.push(at);
        number
    }

    /// The word of each vertex. Fails if an edge names an undeclared one.
    pub fn into_list(self) -> Result<Vec<Cow<'a, str>>, ParseError> {
        let undeclared =
            self.named_at.iter().enumerate().filter(|&(_, &position)| position != DECLARED);
        let first_undeclared =
            undeclared.min_by_key(|&(_, &position)| position).map(|(number, &position)| {
                let is_it = |&(_, &other): &(&Cow<str>, &u32)| other as usize == number;
                let word = self.numbers.iter().find(is_it).map(|(word, _)| word.to_string());
                (word.unwrap_or_default(), position)
            });
        if let Some((word, byte)) = first_undeclared.or(self.beyond) {
            let message =
                format!("expected ids of vertices that the file declares, found {word:?}");
            return Err(ParseError::at_byte(byte, message));
        }
        let mut list = vec![Cow::Borrowed(""); self.named_at.len()];
        for (word, number) in self.numbers {
            list[number as usize] = word;
        }
        Ok(list)
    }
}

/// The ids of vertices in ascending order, and the new number of each vertex.
pub(super) fn in_order(
    words: &[Cow<str>],
    kind: IdKind,
) -> Result<(VertexIds, Vec<u32>), ParseError> {
    let text: u64 = words.iter().map(|word| word.len() as u64).sum();
    let lists = bytes_of::<(u32, u32, u64, &str)>(words.len() as u64);
    let what = format_args!("numbering {} vertices", words.len());
    memory::check(what, lists.saturating_add(text))?;
    let numbers = match kind {
        IdKind::Names => None,
        IdKind::Auto => words.par_iter().map(|word| number(word.as_bytes())).collect(),
        IdKind::Numbers => {
            Some(words.iter().map(|word| requested_number(word)).collect::<Result<Vec<u64>, _>>()?)
        }
    };
    Ok(match numbers {
        Some(numbers) => {
            let order = sorted(words.len(), |&word| numbers[word as usize]);
            let ascending = order.iter().map(|&word| numbers[word as usize]).collect();
            (numbered(ascending), inverse(&order))
        }
        None => {
            let order = sorted(words.len(), |&word| &*words[word as usize]);
            let names: Vec<&str> = order.iter().map(|&word| &*words[word as usize]).collect();
            (VertexIds::Names(VertexNames::ascending(&names)), inverse(&order))
        }
    })
}

fn requested_number(word: &str) -> Result<u64, ParseError> {
    number(word.as_bytes()).ok_or_else(|| {
        ParseError::Whole(format!("expected ids of vertices to be whole numbers, found {word:?}"))
    })
}

/// The numbers below `count`, sorted by a key.
fn sorted<K: Ord>(count: usize, key: impl Fn(&u32) -> K + Sync) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.par_sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    order
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; order.len()];
    for (index, &number) in (0..).zip(order) {
        inverse[number as usize] = index;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(most: usize, declared: &[&'static str], named: &[&'static str]) -> Words<'static> {
        let mut words = Words::with_capacity(most);
        for (at, &word) in named.iter().enumerate() {
            words.named(word.into(), at);
        }
        for &word in declared {
            words.declare(word.into(), 100).unwrap();
        }
        words
    }

    #[test]
    fn no_file_can_choose_words_that_collide_in_every_map() {
        let names: Vec<String> = (0..100).map(|name| name.to_string()).collect();
        let order = || {
            let mut words = Words::with_capacity(names.len());
            for name in &names {
                words.named(name.into(), 0);
            }
            words.numbers.into_values().collect::<Vec<u32>>()
        };
        assert_ne!(order(), order(), "two maps have the same seed");
    }

    #[test]
    fn edges_may_name_vertices_before_they_are_declared() {
        let list = words(3, &["a", "b", "c"], &["c", "a"]).into_list().unwrap();
        assert_eq!(list, ["c", "a", "b"]);
    }

    #[test]
    fn the_first_undeclared_vertex_is_reported() {
        for (most, declared, named, expected) in [
            (2, &["a", "b"][..], &["a", "x", "y"][..], ("\"x\"", 1)),
            (2, &["a", "b"], &["a", "b", "x"], ("\"x\"", 2)),
            (2, &["a", "b"], &["x", "b", "a"], ("\"x\"", 0)),
            (0, &[], &["x"], ("\"x\"", 0)),
        ] {
            match words(most, declared, named).into_list() {
                Err(ParseError::At { byte, message, .. }) => {
                    assert!(message.ends_with(expected.0) && byte == expected.1, "{message}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn numbers_ascend_as_numbers_and_names_as_words() {
        let list = ["10", "9", "2"].map(Cow::from);
        let (ids, vertices) = in_order(&list, IdKind::Auto).unwrap();
        assert_eq!((ids, &vertices[..]), (VertexIds::Table(vec![2, 9, 10].into()), &[2, 1, 0][..]));
        let (ids, vertices) = in_order(&list, IdKind::Names).unwrap();
        assert_eq!((ids.id(0).to_string(), &vertices[..]), ("10".into(), &[0, 2, 1][..]));
        let list = ["1", "07"].map(Cow::from);
        assert!(matches!(in_order(&list, IdKind::Auto).unwrap().0, VertexIds::Names(_)));
        assert!(in_order(&list, IdKind::Numbers).is_err());
    }
}
