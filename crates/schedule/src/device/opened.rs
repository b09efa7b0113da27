//! The GPUs that are open.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::Gpu;
use crate::Result;

/// The open GPUs of one backend by their numbers, so that there is one account of each one's
/// memory.
pub(super) struct Opened(Mutex<BTreeMap<u32, Gpu>>);

impl Opened {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// The open one; if there is none, or it is lost, the one that `open` gives.
    pub(super) fn get(&self, number: u32, open: impl FnOnce() -> Result<Gpu>) -> Result<Gpu> {
        let mut gpus = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gpu) = gpus.get(&number).filter(|gpu| !gpu.is_lost()) {
            return Ok(gpu.clone());
        }
        let gpu = open()?;
        gpus.insert(number, gpu.clone());
        Ok(gpu)
    }
}
