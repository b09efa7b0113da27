//! Memory-mapped files, and the detection of writes to them.
//!
//! Reading a mapped page that is no longer in the file raises SIGBUS, which kills a program without
//! a message. Maps are registered, so that a signal handler can name the file. Other changes are
//! detected by the file's modification time, before and after it is used.

use std::{
    fs::File,
    io,
    ops::Deref,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::SystemTime,
};

use memmap2::Mmap;

use crate::{Error, Result, memory};

/// The error for a `path` that could not be mapped; if the address space is limited, with its limit
/// and the size.
pub(crate) fn unmapped(path: &Path, bytes: u64, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::OutOfMemory => {
            let what = format!("{}: a map of the file", path.display());
            Error::OutOfMemory { what, needed: bytes, available: memory::available() }
        }
        _ => Error::io(path, source),
    }
}

/// A file mapped read-only.
#[derive(Debug)]
pub(crate) struct FileMap {
    map: Mmap,
    opened: Arc<Opened>,
    #[cfg(unix)]
    _listed: listed::Listed,
}

impl FileMap {
    /// Maps `file`, whose path is `path` and whose size is `bytes`.
    pub(crate) fn new(file: &File, path: &Path, bytes: u64) -> Result<Self> {
        let failed = |source| unmapped(path, bytes, source);
        let opened = Arc::new(Opened::new(file, path).map_err(failed)?);
        // SAFETY: the map is only read, as numbers for which every bit pattern is valid; unexpected
        // values are checked. Equipoise itself never writes to a file in place: it replaces the
        // file, which leaves the mapped one unchanged. Other programs may write to it: no code
        // relies on a number to stay as it was when checked, other than by a panic or a wrong
        // result, and `while_unchanged` turns both into an error.
        let map = unsafe { Mmap::map(file) }.map_err(failed)?;
        let mut all = all_opened();
        all.retain(|opened| opened.strong_count() > 0);
        all.push(Arc::downgrade(&opened));
        #[cfg(unix)]
        let _listed = listed::Listed::new(&map, path);
        Ok(Self {
            map,
            opened,
            #[cfg(unix)]
            _listed,
        })
    }

    /// Runs `work` on the bytes. Fails if the file was written to since it was mapped, whether
    /// `work` returned a result, an error or panicked.
    pub(crate) fn while_unchanged<T, E: From<Error>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let outcome = catch_unwind(AssertUnwindSafe(work));
        self.check_unchanged()?;
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    pub(crate) fn check_unchanged(&self) -> Result<()> {
        if self.opened.is_changed() {
            Err(Error::Changed { what: self.opened.path.display().to_string() })
        } else {
            Ok(())
        }
    }
}

impl Deref for FileMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// A mapped file, and its modification time before it was mapped.
#[derive(Debug)]
struct Opened {
    path: PathBuf,
    file: File,
    bytes: u64,
    written: Option<SystemTime>,
}

impl Opened {
    fn new(file: &File, path: &Path) -> io::Result<Self> {
        let (file, metadata) = (file.try_clone()?, file.metadata()?);
        let (bytes, written) = (metadata.len(), metadata.modified().ok());
        Ok(Self { path: path.to_owned(), file, bytes, written })
    }

    /// Whether the file was written to; false if the system cannot tell.
    fn is_changed(&self) -> bool {
        self.file.metadata().is_ok_and(|current| {
            current.len() != self.bytes || current.modified().ok() != self.written
        })
    }
}

/// All mapped files, and some already closed ones.
fn all_opened() -> MutexGuard<'static, Vec<Weak<Opened>>> {
    static ALL: Mutex<Vec<Weak<Opened>>> = Mutex::new(Vec::new());
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails if any file that this process has mapped was written to since. Programs call it before
/// they report results.
///
/// ```
/// use equipoise_graph::io::check_files_unchanged;
///
/// assert!(check_files_unchanged().is_ok());
/// ```
pub fn check_files_unchanged() -> Result<()> {
    let changed = all_opened().iter().filter_map(Weak::upgrade).find(|opened| opened.is_changed());
    match changed {
        Some(opened) => Err(Error::Changed { what: opened.path.display().to_string() }),
        None => Ok(()),
    }
}

/// Installs a handler: if a mapped file is truncated, the program ends with exit code 1 and a
/// message that names the file, instead of by a signal. For programs, at startup; a library leaves
/// signal handling to the program. No effect on systems without such signals.
///
/// ```
/// use equipoise_graph::io::{check_files_unchanged, report_shortened_files};
///
/// report_shortened_files();
/// assert!(check_files_unchanged().is_ok());
/// ```
pub fn report_shortened_files() {
    #[cfg(unix)]
    listed::watch();
}

#[cfg(unix)]
mod listed {
    use std::{
        ffi::{c_int, c_void},
        os::unix::ffi::OsStrExt,
        path::Path,
        ptr,
        sync::{
            Once, OnceLock,
            atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst},
        },
    };

    /// A registered map; dropping it removes it from the list.
    #[derive(Debug)]
    pub(super) struct Listed(&'static Entry);

    /// Entries are never freed because a handler may read them at any time; those of dropped maps
    /// are empty. Each opened file takes one entry.
    #[derive(Debug)]
    struct Entry {
        start: usize,
        /// 0 when the map is dropped.
        length: AtomicUsize,
        message: Vec<u8>,
        next: AtomicPtr<Entry>,
    }

    static FIRST: AtomicPtr<Entry> = AtomicPtr::new(ptr::null_mut());

    impl Listed {
        pub(super) fn new(map: &[u8], path: &Path) -> Self {
            let path = path.as_os_str().as_bytes();
            let message = [b"error: ", path, b": the file became shorter while it was read\n"];
            let entry = Box::leak(Box::new(Entry {
                start: map.as_ptr().addr(),
                length: AtomicUsize::new(map.len()),
                message: message.concat(),
                next: AtomicPtr::new(ptr::null_mut()),
            }));
            let mut first = FIRST.load(SeqCst);
            loop {
                entry.next.store(first, SeqCst);
                match FIRST.compare_exchange(first, entry, SeqCst, SeqCst) {
                    Ok(_) => return Self(entry),
                    Err(other) => first = other,
                }
            }
        }
    }

    impl Drop for Listed {
        fn drop(&mut self) {
            self.0.length.store(0, SeqCst);
        }
    }

    /// The message for the map that contains an address. Safe to call from a signal handler.
    fn message_of(address: usize) -> Option<&'static [u8]> {
        let mut next = FIRST.load(SeqCst);
        // SAFETY: pointers in the list are null or point to entries, which are never freed.
        while let Some(entry) = unsafe { next.as_ref() } {
            // The last page extends beyond the end of the file.
            let length = entry.length.load(SeqCst);
            if length > 0 && address.wrapping_sub(entry.start) < length {
                return Some(&entry.message);
            }
            next = entry.next.load(SeqCst);
        }
        None
    }

    /// The previous action for SIGBUS.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    pub(super) fn watch() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: all zeros is a valid `sigaction`; both pointers are valid during the calls,
            // and the handler has the signature that SA_SIGINFO requires.
            unsafe {
                let mut before: libc::sigaction = std::mem::zeroed();
                if libc::sigaction(libc::SIGBUS, ptr::null(), &mut before) == 0 {
                    let _ = BEFORE.set(before);
                }
                let mut action: libc::sigaction = std::mem::zeroed();
                let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_bus_error;
                action.sa_sigaction = handler as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigaction(libc::SIGBUS, &action, ptr::null_mut());
            }
        });
    }

    /// Ends the program with a message if the page belongs to a mapped file. Otherwise restores the
    /// previous action, which then handles the repeated access.
    extern "C" fn on_bus_error(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: the system passes a valid pointer, and SIGBUS has an address. Only
        // async-signal-safe functions are called: write, _exit and sigaction.
        unsafe {
            if let Some(message) = message_of((*info).si_addr().addr()) {
                libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
                libc::_exit(1);
            }
            match BEFORE.get() {
                Some(before) => libc::sigaction(libc::SIGBUS, before, ptr::null_mut()),
                None => libc::_exit(128 + libc::SIGBUS),
            };
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn an_address_is_found_in_a_registered_map_only() {
            let bytes = [1u8; 100];
            let listed = Listed::new(&bytes, "some/file.eqp".as_ref());
            let inside = bytes[99..].as_ptr().addr();
            let text = "error: some/file.eqp: the file became shorter while it was read\n";
            assert_eq!(message_of(inside), Some(text.as_bytes()));
            assert_eq!(message_of(bytes.as_ptr().addr().wrapping_sub(1)), None);
            drop(listed);
            assert_eq!(message_of(inside), None);
        }
    }
}
