//! NVIDIA's runtime compiler, from the folder that `cargo xtask test` fetches it to.

use std::{
    collections::BTreeMap,
    env,
    ffi::{CString, c_char, c_int},
    path::{Path, PathBuf},
    ptr::{null, null_mut},
    thread,
};

use libloading::Library;

use super::Lowered;
use crate::{Error, Result};

/// The H200, as in CubeCL's calls of NVRTC, but without machine code, which takes longest and is never run.
const ARCHITECTURE: &str = "--gpu-architecture=compute_90a";
/// Without optimization.
const QUICKLY: &str = "--Ofast-compile=max";
const SUCCESS: c_int = 0;
/// Enough to share headers, and few enough to occupy all threads.
const KERNELS_PER_PROGRAM: usize = 16;

type Program = *mut std::ffi::c_void;
type Create = unsafe extern "C" fn(
    *mut Program,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type LogSize = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Log = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;

/// NVRTC, which compiles CUDA source without a GPU or a driver.
///
/// ```no_run
/// use equipoise_schedule::{lower, primitives};
///
/// let gpu = lower::gpu();
/// primitives::offsets(&gpu, &gpu.upload(&[3, 0, 4])?)?;
/// lower::Nvrtc::find()?.compile(&lower::kernels(&gpu)?)?;
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub struct Nvrtc {
    options: [CString; 3],
    create: Create,
    compile: Compile,
    log_size: LogSize,
    log: Log,
    destroy: Destroy,
    /// Keeps the functions above in memory.
    _library: Library,
}

impl Nvrtc {
    /// NVRTC in the folder `EQUIPOISE_NVRTC`, or else in `target/nvrtc` of the workspace. The folder contains the
    /// unpacked wheels `nvidia-cuda-nvrtc-cu12` and `nvidia-cuda-runtime-cu12`.
    pub fn find() -> Result<Self> {
        let folder = folder().ok_or_else(|| {
            Error::Unusable(
                "NVRTC is missing: `cargo xtask nvrtc` fetches it to target/nvrtc".into(),
            )
        })?;
        Self::open(&folder)
    }

    fn open(folder: &Path) -> Result<Self> {
        let path = folder.join("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
        let include = folder.join("nvidia/cuda_runtime/include");
        let unusable = |reason: String| {
            Error::Unusable(format!(
                "{}: {reason}; `cargo xtask nvrtc` fetches it anew",
                path.display()
            ))
        };
        let options =
            [ARCHITECTURE.into(), QUICKLY.into(), format!("--include-path={}", include.display())];
        let [Ok(architecture), Ok(quickly), Ok(include)] = options.map(CString::new) else {
            return Err(unusable("the path contains a zero byte".into()));
        };
        let options = [architecture, quickly, include];
        let missing = |error: libloading::Error| unusable(error.to_string());
        // SAFETY: NVRTC can be loaded anywhere, and the types are those of nvrtc.h.
        unsafe {
            let library = Library::new(&path).map_err(missing)?;
            Ok(Self {
                options,
                create: *library.get(c"nvrtcCreateProgram").map_err(missing)?,
                compile: *library.get(c"nvrtcCompileProgram").map_err(missing)?,
                log_size: *library.get(c"nvrtcGetProgramLogSize").map_err(missing)?,
                log: *library.get(c"nvrtcGetProgramLog").map_err(missing)?,
                destroy: *library.get(c"nvrtcDestroyProgram").map_err(missing)?,
                _library: library,
            })
        }
    }

    /// Compiles kernels for an H200 as CubeCL does, but without optimization. Fails with the log and the source of each
    /// kernel that does not compile.
    ///
    /// Most of NVRTC's time goes into the included headers. So kernels with the same headers are compiled as one
    /// program, and one by one only if that fails.
    pub fn compile(&self, kernels: &[Lowered]) -> Result<()> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let programs = programs(kernels);
        let failures_of = |program: &Vec<&Lowered>| -> Vec<String> {
            match self.compile_source(&joined(program)) {
                Ok(()) => Vec::new(),
                Err(_) => program.iter().filter_map(|kernel| self.failure(kernel)).collect(),
            }
        };
        let failures: Vec<String> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|first| {
                    let share = programs.iter().skip(first).step_by(threads);
                    scope.spawn(move || share.flat_map(failures_of).collect::<Vec<_>>())
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        if failures.is_empty() { Ok(()) } else { Err(Error::Device(failures.join("\n"))) }
    }

    fn failure(&self, kernel: &Lowered) -> Option<String> {
        let log = self.compile_source(&kernel.source).err()?;
        let lines = kernel.source.lines().zip(1..);
        let source: String = lines.map(|(line, number)| format!("{number:5} {line}\n")).collect();
        Some(format!("`{}` does not compile:\n{log}\n{source}", kernel.name))
    }

    fn compile_source(&self, source: &str) -> Result<(), String> {
        let source = CString::new(source).map_err(|error| error.to_string())?;
        let options = self.options.each_ref().map(|option| option.as_ptr());
        let mut program = null_mut();
        // SAFETY: source and options are C strings that outlive the calls; NVRTC is thread-safe for different programs.
        unsafe {
            let code = (self.create)(&mut program, source.as_ptr(), null(), 0, null(), null());
            if code != SUCCESS {
                return Err(format!("NVRTC makes no program of it: error {code}"));
            }
            let code = (self.compile)(program, options.len() as c_int, options.as_ptr());
            let log = self.read_log(program);
            (self.destroy)(&mut program);
            match code {
                SUCCESS => Ok(()),
                _ => Err(format!("error {code}\n{log}")),
            }
        }
    }

    /// # Safety
    ///
    /// The program is a live NVRTC program.
    unsafe fn read_log(&self, program: Program) -> String {
        let mut size = 0;
        // SAFETY: NVRTC writes the reported size, including the terminating zero.
        let log = unsafe {
            (self.log_size)(program, &mut size);
            let mut log = vec![0u8; size];
            (self.log)(program, log.as_mut_ptr().cast());
            log
        };
        String::from_utf8_lossy(&log).trim_end_matches('\0').to_string()
    }
}

/// Groups kernels that include the same headers, so that no kernel gets a header that it fails to include itself.
fn programs(kernels: &[Lowered]) -> Vec<Vec<&Lowered>> {
    let mut by_headers: BTreeMap<Vec<&str>, Vec<&Lowered>> = BTreeMap::new();
    for kernel in kernels {
        by_headers.entry(headers(&kernel.source).collect()).or_default().push(kernel);
    }
    by_headers
        .values()
        .flat_map(|kernels| kernels.chunks(KERNELS_PER_PROGRAM).map(<[_]>::to_vec))
        .collect()
}

/// One source for kernels with the same headers, each in a namespace. `extern "C"` is removed, since it ignores
/// namespaces.
fn joined(kernels: &[&Lowered]) -> String {
    let mut source = String::new();
    for header in kernels.iter().take(1).flat_map(|kernel| headers(&kernel.source)) {
        source += header;
        source += "\n";
    }
    for (index, kernel) in kernels.iter().enumerate() {
        source += &format!("namespace kernel_{index} {{\n");
        for line in kernel.source.lines().filter(|line| !line.starts_with("#include")) {
            source += &line.replace("extern \"C\" ", "");
            source += "\n";
        }
        source += "}\n";
    }
    source
}

fn headers(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter(|line| line.starts_with("#include"))
}

fn folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("EQUIPOISE_NVRTC") {
        return Some(folder.into());
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    package.ancestors().map(|folder| folder.join("target/nvrtc")).find(|folder| folder.exists())
}
