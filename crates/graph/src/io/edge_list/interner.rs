//! Distinct words, numbered in the order of first occurrence.

use std::sync::{Mutex, PoisonError};

use super::{
    records::{Record, Records},
    word_hash::WordHash,
};
use crate::{
    Error, MAX_VERTICES, Result,
    memory::{self, bytes_of},
};

/// A hash table of words. A large one is not in the caches of the processor, so words are looked up
/// in batches, whose accesses to memory overlap.
pub(super) struct Interner {
    hash: WordHash,
    /// A power of two of slots, at most half of them occupied. A word is in the first slot that was
    /// free when it was added, from the slot of its hash on.
    slots: Vec<Slot>,
    records: Records,
}

/// Free, or the upper bits of a word's hash, above the position of its record plus 1.
#[derive(Clone, Copy, PartialEq)]
struct Slot(u64);

/// Held while a table checks memory and allocates it, because tables of other threads grow as well.
static GROWTH: Mutex<()> = Mutex::new(());

const FEWEST_SLOTS: usize = 1 << 10;
/// Smaller tables grow faster.
const MANY_SLOTS: usize = 1 << 18;

impl Slot {
    const FREE: Self = Self(0);
    /// The bits of a position: addresses have fewer.
    const BITS: u32 = 48;

    fn new(hash: u64, at: usize) -> Self {
        Self(hash >> Self::BITS << Self::BITS | (at as u64 + 1))
    }

    fn may_have(self, hash: u64) -> bool {
        (self.0 ^ hash) >> Self::BITS == 0
    }

    fn record(self) -> usize {
        (self.0 << (64 - Self::BITS) >> (64 - Self::BITS)) as usize - 1
    }
}

impl Interner {
    pub fn new() -> Self {
        let slots = vec![Slot::FREE; FEWEST_SLOTS];
        Self { hash: WordHash::new(), slots, records: Records::default() }
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// All words, in the order of their numbers.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.records.iter().map(|(_, word)| word)
    }

    /// Appends the number of each word to `numbers`. Calls `check` with the index of each word that
    /// is new. Fails if that does, and if memory is insufficient.
    pub fn number_all<E: From<Error>>(
        &mut self,
        words: &[&[u8]],
        numbers: &mut Vec<u32>,
        check: impl Fn(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let hashes: Vec<u64> = words.iter().map(|word| self.hash.hash(word)).collect();
        // Each loop waits for memory that the loop before has requested for the whole batch.
        let first = |&hash: &u64| (hash, self.slots[self.home(hash)]);
        let first: Vec<(u64, Slot)> = hashes.iter().map(first).collect();
        let record = |(&word, &(hash, slot)): (&&[u8], &_)| {
            let record = self.records.get(self.position(hash, slot)?)?;
            self.records.is_similar(record, word).then_some(record)
        };
        let records: Vec<Option<Record>> = words.iter().zip(&first).map(record).collect();
        for (index, (&word, record)) in words.iter().zip(records).enumerate() {
            let known = record.filter(|&record| self.records.word(record) == word);
            let number = match known {
                Some(record) => record.number,
                None => self.number(word, hashes[index], || check(index))?,
            };
            numbers.push(number);
        }
        Ok(())
    }

    /// The number of a word, which is added if it is new and passes a check.
    fn number<E: From<Error>>(
        &mut self,
        word: &[u8],
        hash: u64,
        check: impl FnOnce() -> Result<(), E>,
    ) -> Result<u32, E> {
        let mut home = self.home(hash);
        while self.slots[home] != Slot::FREE {
            let slot = self.slots[home];
            let record = slot.may_have(hash).then(|| self.records.get(slot.record())).flatten();
            if let Some(record) = record.filter(|&record| self.records.word(record) == word) {
                return Ok(record.number);
            }
            home = self.next(home);
        }
        check()?;
        let number = self.len() as u64;
        if number == MAX_VERTICES {
            return Err(Error::TooMany { what: "vertices", count: number + 1 }.into());
        }
        self.reserve(word.len())?;
        let at = self.records.push(word);
        self.occupy(hash, at);
        Ok(number as u32)
    }

    /// The slot from which on a word is searched.
    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// The position of the first record that may have a word with this hash, whose first slot has
    /// the content `slot`.
    fn position(&self, hash: u64, mut slot: Slot) -> Option<usize> {
        let mut index = self.home(hash);
        while slot != Slot::FREE {
            if slot.may_have(hash) {
                return Some(slot.record());
            }
            index = self.next(index);
            slot = self.slots[index];
        }
        None
    }

    fn occupy(&mut self, hash: u64, at: usize) {
        let mut index = self.home(hash);
        while self.slots[index] != Slot::FREE {
            index = self.next(index);
        }
        self.slots[index] = Slot::new(hash, at);
    }

    /// Makes room for one more word of `length` bytes.
    fn reserve(&mut self, length: usize) -> Result<()> {
        let capacity = self.records.growth(length);
        let is_full = self.len() >= self.slots.len() / 2;
        if capacity.is_none() && !is_full {
            return Ok(());
        }
        let _alone = GROWTH.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(capacity) = capacity {
            check_memory(capacity as u64)?;
            self.records.grow(capacity);
        }
        if is_full {
            let slots = self.slots.len() * if self.slots.len() < MANY_SLOTS { 4 } else { 2 };
            check_memory(bytes_of::<Slot>(slots as u64))?;
            self.resize(slots);
        }
        Ok(())
    }

    fn resize(&mut self, slots: usize) {
        self.slots = vec![Slot::FREE; slots];
        let records = std::mem::take(&mut self.records);
        for (at, word) in records.iter() {
            self.occupy(self.hash.hash(word), at);
        }
        self.records = records;
    }
}

fn check_memory(bytes: u64) -> Result<()> {
    memory::check("a table of the names of vertices", bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn words_are_numbered_by_their_first_occurrence() {
        let word = |index: usize| match index % 3 {
            0 => vec![b'a'; index % 700],
            1 => (index * 7 % 5000).to_string().into_bytes(),
            _ => vec![0; index % 11],
        };
        let words: Vec<Vec<u8>> = (0..20_000).map(word).collect();
        let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        for batch in [1, 7, 64, words.len()] {
            let (mut table, mut numbers) = (Interner::new(), Vec::new());
            for words in words.chunks(batch) {
                table.number_all::<Error>(words, &mut numbers, |_| Ok(())).unwrap();
            }
            let mut known = HashMap::new();
            let mut expected = |word| {
                let count = known.len() as u32;
                *known.entry(word).or_insert(count)
            };
            let expected: Vec<u32> = words.iter().map(|word| expected(*word)).collect();
            assert_eq!(numbers, expected);
            assert_eq!((table.len(), table.words().count()), (known.len(), known.len()));
            assert!(table.words().zip(0..).all(|(word, number)| known[word] == number));
        }
    }

    #[test]
    fn new_words_are_checked() {
        let (mut table, mut numbers) = (Interner::new(), Vec::new());
        let check = |index| if index == 2 { Err(Error::Structure(String::new())) } else { Ok(()) };
        let result = table.number_all(&[b"a", b"a", b"b"], &mut numbers, check);
        assert!(result.is_err() && table.len() == 1);
    }
}
