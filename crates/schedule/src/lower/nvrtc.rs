//! NVIDIA's runtime compiler, from the folder that `cargo xtask test` fetches it to.

use std::{
    env,
    ffi::{CString, c_char, c_int},
    path::{Path, PathBuf},
    ptr::{null, null_mut},
    thread,
};

use libloading::Library;

use super::Lowered;
use crate::{Error, Result};

/// The H200 as CubeCL asks NVRTC for it, but without the machine code, which takes longest and which nothing runs.
const ARCHITECTURE: &str = "--gpu-architecture=compute_90a";
/// Nor need it be fast.
const QUICKLY: &str = "--Ofast-compile=max";
const SUCCESS: c_int = 0;

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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let gpu = lower::gpu();
/// primitives::offsets(&gpu, &gpu.upload(&[3, 0, 4])?)?;
/// lower::Nvrtc::find()?.compile(&lower::kernels(&gpu)?)?;
/// # Ok(())
/// # }
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
    /// NVRTC in the folder that the environment variable `EQUIPOISE_NVRTC` names, or else in
    /// `target/nvrtc` of the workspace. The folder holds the unpacked wheels
    /// `nvidia-cuda-nvrtc-cu12` and `nvidia-cuda-runtime-cu12`.
    pub fn find() -> Result<Self> {
        let folder = folder().ok_or_else(|| {
            Error::Unusable(
                "NVRTC is not there: `cargo xtask nvrtc` fetches it to target/nvrtc".into(),
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
            return Err(unusable("there is a zero byte in the path".into()));
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

    /// Compiles kernels for an H200, as CubeCL does but without optimising them. Fails with the log and the
    /// source of each that does not compile.
    pub fn compile(&self, kernels: &[Lowered]) -> Result<()> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let failures: Vec<String> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|first| {
                    let share = kernels.iter().skip(first).step_by(threads);
                    scope.spawn(move || share.filter_map(|it| self.failure(it)).collect::<Vec<_>>())
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        match failures.is_empty() {
            true => Ok(()),
            false => Err(Error::Device(failures.join("\n"))),
        }
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
        // SAFETY: source and options are C strings that outlive the calls; NVRTC may be called
        // from several threads, each with a program of its own.
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
    /// The program is one of NVRTC that was not destroyed.
    unsafe fn read_log(&self, program: Program) -> String {
        let mut size = 0;
        // SAFETY: NVRTC writes the size it told, the zero byte at the end included.
        let log = unsafe {
            (self.log_size)(program, &mut size);
            let mut log = vec![0u8; size];
            (self.log)(program, log.as_mut_ptr().cast());
            log
        };
        String::from_utf8_lossy(&log).trim_end_matches('\0').to_string()
    }
}

fn folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("EQUIPOISE_NVRTC") {
        return Some(folder.into());
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    package.ancestors().map(|folder| folder.join("target/nvrtc")).find(|folder| folder.exists())
}
