//! Copies between the host and a CUDA GPU through page-locked memory.
//!
//! CUDA copies page-locked memory at the speed of the bus, but locking takes longer than copying. So a few threads copy
//! pieces through small slots that are locked once.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error},
    num::NonZero,
    ptr::NonNull,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use cudarc::driver::{
    DriverError, result,
    sys::{self, CUcontext, CUstream},
};

/// Bytes of a page of the host's memory.
pub(super) const PAGE: usize = 4096;
/// Bytes of a slot, and the most per copy.
const SLOT: usize = 4 << 20;
/// Fewer bytes are not worth a thread.
const PIECE: usize = 1 << 20;
/// The most threads: together they saturate the bus.
const MOST_WORKERS: usize = 8;

/// Copies between the host and one GPU.
pub(super) struct Staging {
    context: Context,
    slots: Mutex<Vec<Slot>>,
}

/// A CUDA context, which any thread may use.
#[derive(Clone, Copy)]
struct Context(CUcontext);

// SAFETY: CUDA's contexts may be used by all threads at the same time.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// Page-locked memory, and a stream for its copies.
struct Slot {
    memory: NonNull<u8>,
    stream: CUstream,
    context: Context,
}

// SAFETY: only its owner uses the memory and the stream, both of which are not bound to a thread.
unsafe impl Send for Slot {}

fn layout() -> Layout {
    const { assert!(SLOT.is_multiple_of(PAGE)) };
    Layout::from_size_align(SLOT, PAGE).unwrap_or_else(|_| unreachable!("a page is a power of two"))
}

impl Slot {
    /// Allocates and locks memory. The context must be current on the calling thread.
    fn new(context: Context) -> Result<Self, DriverError> {
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc_zeroed(layout()) };
        let memory = NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout()));
        let slot = Self { memory, stream, context };
        // SAFETY: the memory was allocated with this size. If locking fails, unlocking it in `drop` has no effect.
        unsafe { sys::cuMemHostRegister_v2(memory.as_ptr().cast(), SLOT, 0) }.result()?;
        Ok(slot)
    }

    fn bytes(&mut self, count: usize) -> &mut [u8] {
        // SAFETY: the slot has at least as many bytes, which were zeroed, and is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr(), count.min(SLOT)) }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let _entered = Entered::new(self.context);
        // SAFETY: no copy is running; each is released once.
        unsafe {
            let _ = result::stream::destroy(self.stream);
            let _ = sys::cuMemHostUnregister(self.memory.as_ptr().cast()).result();
            dealloc(self.memory.as_ptr(), layout());
        }
    }
}

/// The previous context of a thread, restored on drop.
pub(super) struct Entered(Option<CUcontext>);

impl Entered {
    /// Makes the context current on this thread.
    fn new(context: Context) -> Result<Self, DriverError> {
        let before = result::ctx::get_current()?;
        // SAFETY: the context lives as long as the program.
        unsafe { result::ctx::set_current(context.0) }?;
        Ok(Self(before))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        // SAFETY: the thread had this context before, or none.
        let _ = unsafe { result::ctx::set_current(self.0.unwrap_or(std::ptr::null_mut())) };
    }
}

impl Staging {
    /// Copies to the GPU of this thread's context; none without a context.
    pub fn of_context() -> Option<Self> {
        let context = Context(result::ctx::get_current().ok()??);
        Some(Self { context, slots: Mutex::default() })
    }

    /// Makes the GPU's context current on this thread until the result is dropped.
    pub fn enter(&self) -> Result<Entered, DriverError> {
        Entered::new(self.context)
    }

    /// Calls `fill` for pieces of the bytes, in any order, and copies them to an address on the GPU. Pieces start at
    /// multiples of [`PAGE`].
    ///
    /// # Safety
    ///
    /// The memory at the address has this size, and the GPU does not use it meanwhile.
    pub unsafe fn to_device(
        &self,
        address: u64,
        bytes: usize,
        fill: impl Fn(usize, &mut [u8]) + Sync,
    ) -> Result<(), DriverError> {
        self.in_pieces(bytes, |slot, start, count| {
            fill(start, slot.bytes(count));
            let stream = slot.stream;
            // SAFETY: the slot does not change before the stream is done; the caller guarantees the address.
            unsafe {
                result::memcpy_htod_async(address + start as u64, slot.bytes(count), stream)?;
                result::stream::synchronize(stream)
            }
        })
    }

    /// Copies bytes from an address on the GPU, and calls `take` for pieces of them, in any order. Pieces start at
    /// multiples of [`PAGE`].
    ///
    /// # Safety
    ///
    /// The memory at the address has this size, and the GPU does not write it meanwhile.
    pub unsafe fn to_host(
        &self,
        address: u64,
        bytes: usize,
        take: impl Fn(usize, &[u8]) + Sync,
    ) -> Result<(), DriverError> {
        self.in_pieces(bytes, |slot, start, count| {
            let stream = slot.stream;
            // SAFETY: the slot is not read before the stream is done; the caller guarantees the address.
            unsafe {
                result::memcpy_dtoh_async(slot.bytes(count), address + start as u64, stream)?;
                result::stream::synchronize(stream)?;
            }
            take(start, slot.bytes(count));
            Ok(())
        })
    }

    /// Copies pieces by several threads, each with its own slot.
    fn in_pieces(
        &self,
        bytes: usize,
        copy: impl Fn(&mut Slot, usize, usize) -> Result<(), DriverError> + Sync,
    ) -> Result<(), DriverError> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let workers = bytes.div_ceil(PIECE).clamp(1, cores.min(MOST_WORKERS));
        let piece = bytes.div_ceil(workers).next_multiple_of(PAGE).clamp(PAGE, SLOT);
        let next = AtomicUsize::new(0);
        let work = || {
            let _entered = Entered::new(self.context)?;
            let mut slot = self.slot()?;
            let mut done = Ok(());
            while done.is_ok() {
                let start = next.fetch_add(1, Ordering::Relaxed).saturating_mul(piece);
                if start >= bytes {
                    break;
                }
                done = copy(&mut slot, start, piece.min(bytes - start));
            }
            self.slots.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
            done
        };
        thread::scope(|scope| {
            // Where memory is short, the system may refuse threads: fewer of them copy everything, too.
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..workers).filter_map(spawn).collect();
            let own = work();
            others.into_iter().fold(own, |all, other| {
                all.and(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        })
    }

    fn slot(&self) -> Result<Slot, DriverError> {
        let free = self.slots.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.map_or_else(|| Slot::new(self.context), Ok)
    }
}
