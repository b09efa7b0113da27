//! The words that a file calls its vertices by.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use crate::{
    VertexIds, VertexNames,
    io::{
        IdKind,
        edge_list::{number, numbered},
        error::ParseError,
    },
    memory::{self, bytes_of},
};

/// Stands for the place of an edge where a vertex is declared.
const DECLARED: usize = usize::MAX;

/// The vertices that a file declares, each by a word, numbered in the order in which the words come.
/// An edge may name a vertex before it is declared, but somewhere it has to be.
pub(super) struct Words<'a> {
    numbers: HashMap<Cow<'a, str>, u32, Xxh3DefaultBuilder>,
    /// The place of the first edge that names each word, or `DECLARED`.
    named_at: Vec<usize>,
    /// How many vertices the file declares at most.
    most: usize,
    /// A word for which there was no room, and the place of the edge that names it: this one is not
    /// declared, or another is not.
    beyond: Option<(String, usize)>,
}

impl<'a> Words<'a> {
    /// Room for the words of as many vertices as the file declares at most.
    pub fn with_capacity(most: usize) -> Self {
        let numbers = HashMap::with_capacity_and_hasher(most, Xxh3DefaultBuilder::new());
        Self { numbers, named_at: Vec::with_capacity(most), most, beyond: None }
    }

    /// The bytes that so many words take, and as a list by the side of that.
    pub fn memory_of(most: u64) -> u64 {
        // A hash table has a power of two of places, of which one in eight stays free.
        let places = (most.saturating_mul(8) / 7 + 1).checked_next_power_of_two();
        let places = places.unwrap_or(u64::MAX).max(8);
        bytes_of::<(Cow<str>, u32)>(places)
            .saturating_add(places)
            .saturating_add(bytes_of::<(usize, Cow<str>)>(most))
    }

    pub fn len(&self) -> usize {
        self.named_at.len()
    }

    /// Declares a vertex at a place. Fails where there is one of this word. Gives its number, or
    /// nothing where an edge has named a vertex that will not be declared.
    pub fn declare(&mut self, word: Cow<'a, str>, at: usize) -> Result<Option<u32>, ParseError> {
        let refused = |message: String| Err(ParseError::At { byte: at, message });
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

    /// The number of the vertex that an edge at a place names.
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

    /// The word of each vertex. Fails where an edge names one that is not declared.
    pub fn into_list(self) -> Result<Vec<Cow<'a, str>>, ParseError> {
        let places = self.named_at.iter().enumerate().filter(|&(_, &place)| place != DECLARED);
        let undeclared = places.min_by_key(|&(_, &place)| place).map(|(number, &place)| {
            let is_it = |&(_, &other): &(&Cow<str>, &u32)| other as usize == number;
            let word = self.numbers.iter().find(is_it).map(|(word, _)| word.to_string());
            (word.unwrap_or_default(), place)
        });
        if let Some((word, byte)) = undeclared.or(self.beyond) {
            let message =
                format!("expected ids of vertices that the file declares, found {word:?}");
            return Err(ParseError::At { byte, message });
        }
        let mut list = vec![Cow::Borrowed(""); self.named_at.len()];
        for (word, number) in self.numbers {
            list[number as usize] = word;
        }
        Ok(list)
    }
}

/// What vertices are called, ascending, and which vertex each number becomes.
pub(super) fn in_order(
    words: &[Cow<str>],
    kind: IdKind,
) -> Result<(VertexIds, Vec<u32>), ParseError> {
    let text: u64 = words.iter().map(|word| word.len() as u64).sum();
    let lists = bytes_of::<(u32, u32, u64, u64)>(words.len() as u64);
    // A text that grows may be as large again as what it holds.
    let what = format_args!("numbering {} vertices", words.len());
    memory::check(what, lists.saturating_add(text.saturating_mul(2)))?;
    let numbers = match kind {
        IdKind::Names => None,
        IdKind::Auto => words.par_iter().map(|word| number(word.as_bytes())).collect(),
        IdKind::Numbers => {
            Some(words.iter().map(|word| asked_number(word)).collect::<Result<Vec<u64>, _>>()?)
        }
    };
    Ok(match numbers {
        Some(numbers) => {
            let order = sorted(words.len(), |&place| numbers[place as usize]);
            let ascending = order.iter().map(|&place| numbers[place as usize]).collect();
            (numbered(ascending), inverse(&order))
        }
        None => {
            let order = sorted(words.len(), |&place| &*words[place as usize]);
            let names = order.iter().map(|&place| &*words[place as usize]);
            (VertexIds::Names(VertexNames::ascending(names)), inverse(&order))
        }
    })
}

fn asked_number(word: &str) -> Result<u64, ParseError> {
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

/// Where each number stands in a list of all of them.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &number) in (0..).zip(order) {
        places[number as usize] = place;
    }
    places
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
    fn edges_may_name_vertices_before_they_are_declared() {
        let list = words(3, &["a", "b", "c"], &["c", "a"]).into_list().unwrap();
        assert_eq!(list, ["c", "a", "b"]);
    }

    #[test]
    fn the_first_vertex_that_is_not_declared_is_told() {
        for (most, declared, named, expected) in [
            (2, &["a", "b"][..], &["a", "x", "y"][..], ("\"x\"", 1)),
            (2, &["a", "b"], &["a", "b", "x"], ("\"x\"", 2)),
            (2, &["a", "b"], &["x", "b", "a"], ("\"x\"", 0)),
            (0, &[], &["x"], ("\"x\"", 0)),
        ] {
            match words(most, declared, named).into_list() {
                Err(ParseError::At { byte, message }) => {
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
