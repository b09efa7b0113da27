//! A list of words.

/// Words one after the other, each behind its number and its length.
#[derive(Default)]
pub(super) struct Records {
    bytes: Vec<u8>,
    count: usize,
}

/// A word in the list.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub number: u32,
    start: usize,
    length: usize,
}

/// The bytes of a number and a length.
const HEADER: usize = 5;
/// In place of the length of a longer word, which follows in eight bytes.
const LONG: u8 = u8::MAX;
const SMALLEST_CAPACITY: usize = 1 << 16;

impl Records {
    pub fn len(&self) -> usize {
        self.count
    }

    /// The record at a position that [`push`](Self::push) returned.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<Record> {
        let &[a, b, c, d, short] = self.bytes.get(at..)?.first_chunk::<HEADER>()?;
        let number = u32::from_le_bytes([a, b, c, d]);
        let start = at + HEADER;
        if short != LONG {
            return Some(Record { number, start, length: short.into() });
        }
        let length = u64::from_le_bytes(*self.bytes[start..].first_chunk()?);
        Some(Record { number, start: start + size_of::<u64>(), length: length as usize })
    }

    #[inline(always)]
    pub fn word(&self, record: Record) -> &[u8] {
        &self.bytes[record.start..record.start + record.length]
    }

    /// Whether the word of a record has the length of another and its last byte, so that all of it
    /// is requested from memory.
    #[inline(always)]
    pub fn is_similar(&self, record: Record, word: &[u8]) -> bool {
        record.length == word.len() && self.word(record).last() == word.last()
    }

    /// All words, and the position of each.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (at, record) = (next, self.get(next)?);
            next = record.start + record.length;
            Some((at, self.word(record)))
        })
    }

    /// The bytes to be allocated before a word of `length` bytes can be added.
    pub fn growth(&self, length: usize) -> Option<usize> {
        let needed = self.bytes.len() + HEADER + size_of::<u64>() + length;
        let capacity = self.bytes.capacity();
        (needed > capacity).then(|| needed.max(2 * capacity).max(SMALLEST_CAPACITY))
    }

    /// Allocates the bytes that [`growth`](Self::growth) returns.
    pub fn grow(&mut self, capacity: usize) {
        self.bytes.reserve_exact(capacity - self.bytes.len());
    }

    /// Adds a word, whose number is the number of words before it; returns its position.
    pub fn push(&mut self, word: &[u8]) -> usize {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(&(self.count as u32).to_le_bytes());
        let short = u8::try_from(word.len()).unwrap_or(LONG);
        self.bytes.push(short);
        if short == LONG {
            self.bytes.extend_from_slice(&(word.len() as u64).to_le_bytes());
        }
        self.bytes.extend_from_slice(word);
        self.count += 1;
        at
    }
}
