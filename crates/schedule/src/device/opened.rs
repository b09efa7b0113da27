//! The open GPUs.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::Gpu;
use crate::Result;

/// The open GPUs of one backend by number, so that each has one account of its memory.
pub(super) struct Opened(Mutex<BTreeMap<u32, Gpu>>);

impl Opened {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// The open GPU, unless it is lost; otherwise the result of `open`.
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
