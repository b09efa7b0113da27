//! The accounts of a GPU's memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{Error, Result};

/// Bytes of dropped buffers that a GPU may keep for reuse, however little is in use.
const SPARE: u64 = 256 << 20;

/// How much of a GPU's memory buffers hold, and their limit.
///
/// ```
/// use equipoise_schedule::device::Memory;
///
/// let memory = Memory { held: 3, limit: Some(10) };
/// assert_eq!(memory.available(), 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The bytes that buffers hold.
    pub held: u64,
    /// The bytes that they may hold, if known.
    pub limit: Option<u64>,
}

impl Memory {
    /// The bytes still available; unlimited if unknown.
    pub fn available(&self) -> u64 {
        self.limit.unwrap_or(u64::MAX).saturating_sub(self.held)
    }

    /// Fails with the numbers if the bytes do not fit.
    pub(super) fn check(&self, what: &str, bytes: u64) -> Result<()> {
        let available = self.available();
        if bytes <= available {
            return Ok(());
        }
        Err(Error::OutOfMemory { what: what.into(), needed: bytes, available })
    }
}

/// The account of the buffers of one GPU.
///
/// CubeCL keeps the memory of a dropped buffer for the next one of the same size until a clean-up. So the ledger counts
/// spare pieces, and decides when to clean up.
#[derive(Debug)]
pub(super) struct Ledger {
    books: Mutex<Books>,
    /// Sizes are rounded up to a multiple of this.
    alignment: u64,
    /// The page size of a device that allocates buffers of half a page or more in pages.
    page: Option<u64>,
}

#[derive(Debug)]
struct Books {
    memory: Memory,
    /// The number of spare pieces per size.
    spare: HashMap<u64, u64>,
    spare_bytes: u64,
}

impl Ledger {
    pub(super) fn new(limit: Option<u64>, alignment: u64, page: Option<u64>) -> Arc<Self> {
        let memory = Memory { held: 0, limit };
        let books = Books { memory, spare: HashMap::new(), spare_bytes: 0 };
        Arc::new(Self { books: Mutex::new(books), alignment: alignment.max(1), page })
    }

    /// The bytes of device memory that a buffer of this size takes.
    pub(super) fn held_by(&self, bytes: u64) -> u64 {
        let page = self.page.filter(|page| bytes >= page / 2);
        page.and_then(|page| bytes.checked_next_multiple_of(page)).unwrap_or(bytes)
    }

    pub(super) fn memory(&self) -> Memory {
        self.books().memory
    }

    pub(super) fn set_limit(&self, bytes: u64) {
        self.books().memory.limit = Some(bytes);
    }

    /// Reserves bytes, or fails with the numbers. Calls `clean_up` first if spare memory should go back to the device.
    pub(super) fn reserve(
        self: &Arc<Self>,
        what: &str,
        bytes: u64,
        clean_up: impl FnOnce(),
    ) -> Result<Reservation> {
        let size = bytes.checked_next_multiple_of(self.alignment).unwrap_or(bytes);
        let held = self.held_by(bytes);
        let mut books = self.books();
        books.memory.check(what, held)?;
        if !books.take_spare(size) && books.too_much_is_spare(size) {
            clean_up();
            books.cleaned_up();
        }
        books.memory.held += held;
        Ok(Reservation { ledger: self.clone(), bytes, held, size })
    }

    /// Records that no memory is spare any more.
    pub(super) fn cleaned_up(&self) {
        self.books().cleaned_up();
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    fn cleaned_up(&mut self) {
        self.spare.clear();
        self.spare_bytes = 0;
    }

    fn take_spare(&mut self, size: u64) -> bool {
        let piece = self.spare.get_mut(&size).filter(|count| **count > 0);
        let found = piece.map(|count| *count -= 1).is_some();
        if found {
            self.spare_bytes -= size;
        }
        found
    }

    fn too_much_is_spare(&self, wanted: u64) -> bool {
        self.spare_bytes > self.memory.held.max(SPARE)
            || self.spare_bytes > self.memory.available().saturating_sub(wanted)
    }
}

/// Bytes that are reserved until it is dropped.
#[derive(Debug)]
pub(super) struct Reservation {
    ledger: Arc<Ledger>,
    bytes: u64,
    held: u64,
    size: u64,
}

impl Reservation {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut books = self.ledger.books();
        books.memory.held -= self.held;
        *books.spare.entry(self.size).or_default() += 1;
        books.spare_bytes += self.size;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::Ledger;
    use crate::Error;

    #[test]
    fn what_does_not_fit_is_refused_with_the_numbers() {
        let ledger = Ledger::new(Some(100), 1, None);
        let held = ledger.reserve("a", 60, || ()).unwrap();
        let refused = ledger.reserve("the frontier", 50, || ()).unwrap_err();
        let expected =
            Error::OutOfMemory { what: "the frontier".into(), needed: 50, available: 40 };
        assert_eq!(refused, expected);
        drop(held);
        assert_eq!(ledger.memory().held, 0);
        assert!(ledger.reserve("b", 100, || ()).is_ok());
        ledger.set_limit(99);
        assert!(ledger.reserve("c", 100, || ()).is_err());
    }

    #[test]
    fn large_buffers_take_whole_pages() {
        let ledger = Ledger::new(Some(100), 1, Some(16));
        let held = [7, 8, 17].map(|bytes| ledger.reserve("a", bytes, || ()).unwrap());
        assert_eq!(ledger.memory().held, 7 + 16 + 32);
        let refused = ledger.reserve("b", 33, || ()).unwrap_err();
        assert_eq!(refused, Error::OutOfMemory { what: "b".into(), needed: 48, available: 45 });
        drop(held);
        assert_eq!(ledger.memory().held, 0);
    }

    #[test]
    fn spare_memory_is_reused_or_given_back_before_it_is_missed() {
        let cleaned = Cell::new(0);
        let clean = || cleaned.set(cleaned.get() + 1);
        let ledger = Ledger::new(Some(100), 16, None);
        drop(ledger.reserve("a", 60, clean).unwrap());
        drop(ledger.reserve("same size", 64, clean).unwrap());
        assert_eq!(cleaned.get(), 0, "the spare piece is reused");
        let other = ledger.reserve("another size", 30, clean).unwrap();
        assert_eq!(cleaned.get(), 0, "30 fit next to 64 spare ones");
        drop(ledger.reserve("too large next to the spare ones", 10, clean).unwrap());
        assert_eq!(cleaned.get(), 1);
        drop(other);
    }

    #[test]
    fn without_a_limit_spare_memory_still_has_one() {
        let cleaned = Cell::new(0);
        let clean = || cleaned.set(cleaned.get() + 1);
        let ledger = Ledger::new(None, 256, None);
        for size in 1..=9 {
            drop(ledger.reserve("of ever another size", size << 24, clean).unwrap());
        }
        assert_eq!(cleaned.get(), 1);
        assert_eq!(ledger.memory().available(), u64::MAX);
    }
}
