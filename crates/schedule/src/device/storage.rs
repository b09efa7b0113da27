//! What CubeCL asks of a runtime's memory, where each backend has its own.

use cubecl::server::IoError;
use cubecl_runtime::storage::{ComputeStorage, StorageHandle, StorageId};

/// The storage of a backend is its own business: there is no value of this.
pub enum NoStorage {}

impl ComputeStorage for NoStorage {
    type Resource = u64;

    fn alignment(&self) -> usize {
        match *self {}
    }

    fn get(&mut self, _: &StorageHandle) -> u64 {
        match *self {}
    }

    fn alloc(&mut self, _: u64) -> Result<StorageHandle, IoError> {
        match *self {}
    }

    fn dealloc(&mut self, _: StorageId) {
        match *self {}
    }

    fn flush(&mut self) {
        match *self {}
    }
}
