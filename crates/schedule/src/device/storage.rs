//! The storage type that CubeCL requires of a runtime; each backend has its own storage.

use cubecl::server::IoError;
use cubecl_runtime::storage::{ComputeStorage, StorageHandle, StorageId};

/// A type without values.
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
