//! Files that lie in memory, and what happens where somebody shortens one meanwhile.
//!
//! Reading a mapped page that its file no longer has raises SIGBUS, which ends a program without a
//! word. Maps are listed, so that a handler can tell whose page it was.

use std::{fs::File, io, ops::Deref, path::Path};

use memmap2::Mmap;

use crate::{Error, Result, memory};

/// Why `path` could not be mapped: where addresses are limited and it takes too many of them, with
/// both numbers.
pub(super) fn unmapped(path: &Path, bytes: u64, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::OutOfMemory => {
            let what = format!("{}: a map of the file", path.display());
            Error::OutOfMemory { what, needed: bytes, available: memory::available() }
        }
        _ => Error::Io { path: path.to_owned(), source },
    }
}

/// The bytes of a file, mapped and only read.
#[derive(Debug)]
pub(crate) struct FileMap {
    map: Mmap,
    #[cfg(unix)]
    _listed: listed::Listed,
}

impl FileMap {
    /// Maps `file`, which is called `path` and has so many bytes.
    pub(crate) fn new(file: &File, path: &Path, bytes: u64) -> Result<Self> {
        // SAFETY: the map is only read, as numbers for which every bit pattern is valid; whatever
        // could go wrong by an odd number is checked. Equipoise itself never writes to a file in
        // place, it replaces it, which leaves the mapped one as it was. That others do so too, while
        // Equipoise reads, is asked of users, as of all programs that map files.
        let map = unsafe { Mmap::map(file) }.map_err(|source| unmapped(path, bytes, source))?;
        #[cfg(unix)]
        let _listed = listed::Listed::new(&map, path);
        Ok(Self {
            map,
            #[cfg(unix)]
            _listed,
        })
    }
}

impl Deref for FileMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// From now on, where a file that lies in memory became shorter, the program ends with exit code 1 and
/// a message that names the file, rather than by a signal. For programs, at their start; a library
/// leaves signals to the program. Does nothing where there are no such signals.
///
/// ```
/// equipoise_graph::io::report_shortened_files();
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

    /// A map in the list, until it is dropped.
    #[derive(Debug)]
    pub(super) struct Listed(&'static Entry);

    /// Entries are never freed, as a handler may look at them at any time: those of dropped maps are
    /// empty. There is one for each file that was opened, which are few.
    #[derive(Debug)]
    struct Entry {
        start: usize,
        /// 0 once the map is dropped.
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

    /// The message of the map that an address lies in. May be called by a signal's handler.
    fn message_of(address: usize) -> Option<&'static [u8]> {
        let mut next = FIRST.load(SeqCst);
        // SAFETY: pointers in the list are null or to entries, which are never freed.
        while let Some(entry) = unsafe { next.as_ref() } {
            // The last page reaches beyond the file's end.
            let length = entry.length.load(SeqCst);
            if length > 0 && address.wrapping_sub(entry.start) < length {
                return Some(&entry.message);
            }
            next = entry.next.load(SeqCst);
        }
        None
    }

    /// What was done on SIGBUS before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    /// Sets the handler, once.
    pub(super) fn watch() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: all zeros is a valid `sigaction`; both pointers are to values that live
            // through the calls, and the handler is of the kind that SA_SIGINFO asks for.
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

    /// Ends the program with a message where it was a mapped file's page. Otherwise what was done
    /// before is done again, as the access is repeated on return.
    extern "C" fn on_bus_error(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: the system passes a valid pointer, and SIGBUS has an address. Only functions are
        // called that a handler may call: write, _exit and sigaction.
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
        fn an_address_is_found_in_the_map_that_is_still_there() {
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
