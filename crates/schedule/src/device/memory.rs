//! What is held of a GPU's memory.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::{Error, Result};

/// The bytes that the buffers of one GPU hold, and how many they may.
#[derive(Debug)]
pub(crate) struct Ledger {
    held: AtomicU64,
    limit: u64,
}

impl Ledger {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { held: AtomicU64::new(0), limit })
    }

    pub(crate) fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes the bytes, or says how many there are.
    pub(crate) fn reserve(self: &Arc<Self>, what: &str, bytes: u64) -> Result<Reservation> {
        let taken = self.held.try_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
            held.checked_add(bytes).filter(|&held| held <= self.limit)
        });
        match taken {
            Ok(_) => Ok(Reservation { ledger: self.clone(), bytes }),
            Err(held) => Err(Error::OutOfMemory {
                what: what.into(),
                needed: bytes,
                available: self.limit.saturating_sub(held),
            }),
        }
    }
}

/// Bytes that are held until it is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    ledger: Arc<Ledger>,
    bytes: u64,
}

impl Reservation {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.ledger.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
