//! Identifies the running build of this library.
//!
//! In Python the running program is the interpreter, so the id is that of the object (program or shared library) that
//! contains this code and the kernels linked with it.

use xxhash_rust::xxh3::Xxh3;

/// A number that differs between builds of this library, if it can be determined.
pub(super) fn id() -> Option<u64> {
    id_of_object(id as *const () as usize)
}

/// The hash of the object at an address: of its linker's build id, which takes microseconds, or of all its code and
/// constants.
#[cfg(target_os = "linux")]
fn id_of_object(address: usize) -> Option<u64> {
    loaded::find(address, |object| match object.build_id() {
        Some(id) => hash([id]),
        // The loaded code, since the file may have been replaced.
        None => hash(object.constant_segments()),
    })
}

/// The hash of the file of the object at an address.
#[cfg(not(target_os = "linux"))]
fn id_of_object(address: usize) -> Option<u64> {
    let bytes = std::fs::read(file_of_object(address)?).ok()?;
    Some(hash([&bytes[..]]))
}

fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hasher = Xxh3::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    hasher.digest()
}

#[cfg(target_os = "linux")]
mod loaded {
    use std::ffi::{c_int, c_void};

    use libc::{Elf64_Phdr, PF_R, PF_W, PT_LOAD, PT_NOTE, dl_phdr_info};

    /// An object loaded into this process.
    pub(super) struct Object<'a> {
        base: usize,
        segments: &'a [Elf64_Phdr],
    }

    /// Applies a function to the object that contains an address.
    pub(super) fn find<T, F: FnOnce(Object<'_>) -> T>(address: usize, function: F) -> Option<T> {
        let mut search = Search { address, function: Some(function), result: None };
        let visit: unsafe extern "C" fn(*mut dl_phdr_info, usize, *mut c_void) -> c_int =
            visit::<T, F>;
        // SAFETY: the function is called with the search, which lives through the call.
        unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
        search.result
    }

    struct Search<T, F> {
        address: usize,
        function: Option<F>,
        result: Option<T>,
    }

    unsafe extern "C" fn visit<T, F: FnOnce(Object<'_>) -> T>(
        info: *mut dl_phdr_info,
        _size: usize,
        search: *mut c_void,
    ) -> c_int {
        // SAFETY: `find` passes the search, and the loader the description of an object, whose
        // segments stay while this function runs.
        let (search, object) = unsafe {
            let search = &mut *search.cast::<Search<T, F>>();
            let segments = match (*info).dlpi_phnum {
                0 => &[][..],
                count => std::slice::from_raw_parts((*info).dlpi_phdr, count.into()),
            };
            (search, Object { base: (*info).dlpi_addr as usize, segments })
        };
        if !object.contains(search.address) {
            return 0;
        }
        search.result = search.function.take().map(|function| function(object));
        1
    }

    impl<'a> Object<'a> {
        fn contains(&self, address: usize) -> bool {
            self.segments_of(PT_LOAD).any(|segment| {
                let start = self.base.wrapping_add(segment.p_vaddr as usize);
                address.wrapping_sub(start) < segment.p_memsz as usize
            })
        }

        /// The id that the linker wrote, if it did.
        pub fn build_id(&self) -> Option<&'a [u8]> {
            self.segments_of(PT_NOTE).find_map(|segment| super::build_id(self.bytes(segment)))
        }

        /// Code and constants, which loading does not change.
        pub fn constant_segments(&self) -> impl Iterator<Item = &'a [u8]> {
            let constant =
                self.segments_of(PT_LOAD).filter(|it| it.p_flags & (PF_R | PF_W) == PF_R);
            constant.map(move |segment| self.bytes(segment))
        }

        fn segments_of(&self, kind: u32) -> impl Iterator<Item = &'a Elf64_Phdr> + use<'a> {
            self.segments.iter().filter(move |segment| segment.p_type == kind)
        }

        fn bytes(&self, segment: &Elf64_Phdr) -> &'a [u8] {
            let start = self.base.wrapping_add(segment.p_vaddr as usize) as *const u8;
            // SAFETY: the loader mapped these bytes of the file here, and nobody writes to them.
            unsafe { std::slice::from_raw_parts(start, segment.p_filesz as usize) }
        }
    }
}

/// The build id among an object's notes. A note has the lengths of its name and content, its kind, and both, padded to
/// multiples of four bytes.
#[cfg(target_os = "linux")]
fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    const GNU_BUILD_ID: u32 = 3;
    let word = |notes: &[u8], index: usize| {
        let bytes = notes.get(4 * index..4 * index + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    };
    loop {
        let name_len = word(notes, 0)? as usize;
        let (len, kind) = (word(notes, 1)? as usize, word(notes, 2)?);
        let name = notes.get(12..)?.get(..name_len)?;
        let rest = notes.get(12 + name_len.next_multiple_of(4)..)?;
        let content = rest.get(..len)?;
        if (kind, name) == (GNU_BUILD_ID, b"GNU\0") && !content.is_empty() {
            return Some(content);
        }
        notes = rest.get(len.next_multiple_of(4)..)?;
    }
}

#[cfg(windows)]
fn file_of_object(address: usize) -> Option<std::path::PathBuf> {
    use std::{
        ffi::{OsString, c_void},
        os::windows::ffi::OsStringExt,
        ptr,
    };

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
        fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, size: u32) -> u32;
    }
    /// From an address, without changing the reference count.
    const FLAGS: u32 = 2 | 4;

    let (mut module, mut name) = (ptr::null_mut(), vec![0u16; 1 << 15]);
    // SAFETY: both write to variables of the given sizes.
    let len = unsafe {
        if GetModuleHandleExW(FLAGS, address as *const c_void, &mut module) == 0 {
            return None;
        }
        GetModuleFileNameW(module, name.as_mut_ptr(), name.len() as u32) as usize
    };
    (0 < len && len < name.len()).then(|| OsString::from_wide(&name[..len]).into())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn file_of_object(address: usize) -> Option<std::path::PathBuf> {
    use std::{
        ffi::{CStr, OsStr, c_void},
        os::unix::ffi::OsStrExt,
    };

    // SAFETY: all zeros is a valid `Dl_info`, and `dladdr` sets its name to a zero-terminated one.
    let name = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address as *const c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_fname).to_bytes().to_owned()
    };
    Some(OsStr::from_bytes(&name).into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{env, process::Command};

    use super::*;

    const CHILD: &str = "EQUIPOISE_TEST_BUILD_ID";

    /// The test runs itself, as another process at other addresses.
    #[test]
    fn a_build_has_one_id() {
        let own = id().unwrap();
        if env::var_os(CHILD).is_some() {
            return println!("the id is {own:016x}.");
        }
        assert_eq!(id(), Some(own));
        let name = "device::build::tests::a_build_has_one_id";
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(CHILD, "")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("the id is {own:016x}.")), "{text}");
    }

    /// As this library and the interpreter in Python.
    #[test]
    fn objects_of_one_process_have_different_ids() {
        let other = id_of_object(libc::getpid as *const () as usize);
        assert!(other.is_some() && other != id());
        assert_eq!(id_of_object(1), None, "no object has this address");
    }

    #[test]
    fn without_a_build_id_the_code_is_hashed() {
        let of_code = |address| loaded::find(address, |object| hash(object.constant_segments()));
        let own = of_code(id as *const () as usize);
        assert!(own.is_some() && own == of_code(id as *const () as usize));
        assert_ne!(own, of_code(libc::getpid as *const () as usize));
    }

    fn note(name: &[u8], kind: u32, content: &[u8]) -> Vec<u8> {
        let words = [name.len() as u32, content.len() as u32, kind];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        for part in [name, content] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes
    }

    #[test]
    fn the_build_id_is_found_among_other_notes() {
        let id = note(b"GNU\0", 3, b"0123456789");
        let all = [note(b"stapsdt\0", 3, b"probe"), note(b"GNU\0", 1, b"abi"), id].concat();
        assert_eq!(build_id(&all), Some(&b"0123456789"[..]));
        assert_eq!(build_id(&all[..all.len() - 4]), None, "it is cut off");
        assert_eq!(build_id(&note(b"GNU\0", 3, b"")), None);
        assert_eq!(build_id(&[255; 40]), None);
    }
}
