//! An open GPU.

use std::sync::Arc;

use cubecl::{future, prelude::*, server::ServerError};

use super::{
    buffer::{Buffer, Element},
    memory::Ledger,
};
use crate::{Error, Result};

/// A GPU, ready for buffers and launches. Clones are the same GPU.
pub struct Gpu<R: Runtime> {
    client: ComputeClient<R>,
    memory: Arc<Ledger>,
}

impl<R: Runtime> Clone for Gpu<R> {
    fn clone(&self) -> Self {
        Self { client: self.client.clone(), memory: self.memory.clone() }
    }
}

impl<R: Runtime> Gpu<R> {
    /// The GPU behind a client of CubeCL that the caller made.
    pub fn new(client: ComputeClient<R>) -> Self {
        Self { client, memory: Ledger::new(u64::MAX) }
    }

    /// CubeCL's client, which launches kernels.
    pub fn client(&self) -> &ComputeClient<R> {
        &self.client
    }

    /// The size of its planes.
    pub fn plane_size(&self) -> u32 {
        self.client.properties().hardware.plane_size_min
    }

    /// A buffer whose content is not defined yet.
    pub fn empty<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len.max(1) * size_of::<T>();
        let reservation = self.memory.reserve("a buffer", bytes as u64)?;
        Ok(Buffer::new(self.client.empty(bytes), len, reservation))
    }

    /// A buffer with a copy of a slice.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>> {
        if values.is_empty() {
            return self.empty(0);
        }
        let reservation = self.memory.reserve("a buffer", size_of_val(values) as u64)?;
        let handle = self.client.create_from_slice(T::as_bytes(values));
        Ok(Buffer::new(handle, values.len(), reservation))
    }

    /// A copy of what a buffer holds.
    pub fn download<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        self.finish()?;
        if buffer.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = self.client.read_one(buffer.handle().clone()).map_err(failure)?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    /// Waits until everything enqueued is done, and reports what failed.
    pub fn finish(&self) -> Result<()> {
        self.client.flush().map_err(failure)?;
        future::block_on(self.client.sync()).map_err(failure)
    }
}

fn failure(error: ServerError) -> Error {
    Error::Device(error.to_string())
}
