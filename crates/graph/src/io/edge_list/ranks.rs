//! Ranks of words in ascending order of their bytes.

use crate::{
    Result,
    memory::{self, bytes_of},
    parallel::*,
};

/// The ranks of some words, which may occur several times.
pub(super) struct Ranks<'a> {
    /// The distinct words, ascending.
    pub distinct: Vec<&'a [u8]>,
    /// The rank of each word among them.
    pub ranks: Vec<u32>,
}

impl<'a> Ranks<'a> {
    /// Ranks words, of which at most 2³² are distinct. Fails if memory is insufficient.
    pub fn new(words: &[&'a [u8]]) -> Result<Self> {
        let count = words.len() as u64;
        let bytes = bytes_of::<(Entry, &mut [Entry], bool, u32, &[u8])>(count);
        memory::check(format_args!("sorting {count} names"), bytes)?;
        let mut order: Vec<Entry> =
            (0..words.len()).into_par_iter().map(|word| Entry { key: 0, word }).collect();
        sort(words, &mut order);
        let is_new = |index: usize| {
            let word = words[order[index].word];
            index.checked_sub(1).is_none_or(|before| words[order[before].word] != word)
        };
        let is_new: Vec<bool> = (0..order.len()).into_par_iter().map(is_new).collect();
        let mut distinct = Vec::with_capacity(is_new.iter().filter(|&&is_new| is_new).count());
        let mut ranks = vec![0; words.len()];
        for (entry, is_new) in order.iter().zip(is_new) {
            if is_new {
                distinct.push(words[entry.word]);
            }
            ranks[entry.word] = (distinct.len() - 1) as u32;
        }
        Ok(Self { distinct, ranks })
    }
}

/// A word, with the bytes that are compared next.
#[derive(Clone, Copy)]
struct Entry {
    /// The next [`KEY`] bytes, the first in the highest place, then the number of bytes to come, or
    /// [`LONG`] if there are more.
    key: u64,
    word: usize,
}

/// The bytes per key.
const KEY: usize = 7;
/// The count for more bytes than a key has.
const LONG: usize = KEY + 1;
/// Groups up to this length are sorted by a single thread.
const SMALL: usize = 1 << 12;

impl Entry {
    fn key_of(rest: &[u8]) -> u64 {
        let mut bytes = [0; LONG];
        let length = rest.len().min(KEY);
        bytes[..length].copy_from_slice(&rest[..length]);
        bytes[KEY] = rest.len().min(LONG) as u8;
        u64::from_be_bytes(bytes)
    }

    /// Whether words with this key may differ in later bytes.
    fn is_open(&self) -> bool {
        self.key as u8 == LONG as u8
    }
}

/// Sorts words by their bytes, a few at a time: comparing keys takes no access to the words, which
/// are all over the memory.
fn sort(words: &[&[u8]], order: &mut [Entry]) {
    let mut groups = vec![(order, 0)];
    while let Some((group, depth)) = groups.pop() {
        let depth = depth + common_prefix(words, group, depth);
        group
            .par_iter_mut()
            .for_each(|entry| entry.key = Entry::key_of(&words[entry.word][depth..]));
        group.par_sort_unstable_by_key(|entry| entry.key);
        let equal = group.chunk_by_mut(|a, b| a.key == b.key);
        let open = equal.filter(|group| group.len() > 1 && group[0].is_open());
        let (large, small): (Vec<_>, Vec<_>) = open.partition(|group| group.len() > SMALL);
        let depth = depth + KEY;
        small.into_par_iter().for_each(|group| {
            group.sort_unstable_by_key(|entry| &words[entry.word][depth..]);
        });
        groups.extend(large.into_iter().map(|group| (group, depth)));
    }
}

/// The number of bytes from `depth` on that all words of a group have in common.
fn common_prefix(words: &[&[u8]], group: &[Entry], depth: usize) -> usize {
    let Some(first) = group.first().map(|entry| &words[entry.word][depth..]) else { return 0 };
    let common = |entry: &Entry| {
        let other = &words[entry.word][depth..];
        first.iter().zip(other).take_while(|(a, b)| a == b).count()
    };
    group.par_iter().map(common).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[Vec<u8>]) {
        let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        let mut sorted = words.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let Ranks { distinct, ranks } = Ranks::new(&words).unwrap();
        assert_eq!(distinct, sorted);
        let by_rank: Vec<&[u8]> = ranks.iter().map(|&rank| distinct[rank as usize]).collect();
        assert_eq!(by_rank, words);
    }

    #[test]
    fn words_of_every_length_ascend() {
        // All words of few letters, among them those that end by zeros.
        let mut words = vec![Vec::new()];
        for length in 0..7 {
            let longest = words.iter().filter(|word| word.len() == length);
            let longer =
                longest.flat_map(|word| [0, 1, 255].map(|end| [&word[..], &[end]].concat()));
            words.extend(longer.collect::<Vec<_>>());
        }
        words.reverse();
        check(&words);
        for prefix in [&b"12345"[..], b"123456", b"1234567", &[7; 100]] {
            let with_prefix = words.iter().map(|word| [prefix, word].concat());
            check(&with_prefix.chain(words.iter().cloned()).collect::<Vec<_>>());
        }
        check(&[]);
    }

    #[test]
    fn large_groups_with_the_same_key_are_sorted() {
        let count = 3 * SMALL as u32;
        let word = |number: u32| format!("{}/{:>9}", number % 2, number / 2 * 7919 % count);
        let prefixes = ["", "https://www.example.org/", "https://www.example.com/"];
        let words = prefixes.iter().flat_map(|prefix| {
            (0..count).map(move |number| format!("{prefix}{}", word(number)).into_bytes())
        });
        check(&words.collect::<Vec<_>>());
    }
}
