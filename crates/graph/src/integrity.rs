//! Integrity checks deferred until the data is used.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use crate::{Error, Result, file_map::FileMap};

/// Whether data is known to be valid. Data built in memory is; data in a mapped file is checked
/// once, on first use, so that opening a file is fast.
#[derive(Clone, Default)]
pub(crate) enum Integrity {
    /// Valid by construction.
    #[default]
    Sound,
    /// In a mapped file.
    Mapped(Arc<Mapped>),
}

/// A mapped file, and the cached result of its check.
pub(crate) struct Mapped {
    path: PathBuf,
    map: Arc<FileMap>,
    checksum: Checksum,
    verdict: OnceLock<Result<(), String>>,
}

type Checksum = Arc<dyn Fn(&[u8]) -> Result<(), String> + Send + Sync>;

impl Integrity {
    /// Data in the file `path`, whose bytes are intact if `checksum` succeeds.
    pub(crate) fn mapped(
        path: PathBuf,
        map: Arc<FileMap>,
        checksum: impl Fn(&[u8]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self::Mapped(Arc::new(Mapped {
            path,
            map,
            checksum: Arc::new(checksum),
            verdict: OnceLock::new(),
        }))
    }

    /// The same file for another data structure, which is also checked once.
    pub(crate) fn for_another_use(&self) -> Self {
        match self {
            Self::Sound => Self::Sound,
            Self::Mapped(mapped) => Self::Mapped(Arc::new(Mapped {
                path: mapped.path.clone(),
                map: mapped.map.clone(),
                checksum: mapped.checksum.clone(),
                verdict: OnceLock::new(),
            })),
        }
    }

    /// Checks the checksum, then `structure`; the result is computed on the first call and cached.
    /// Each call fails if the file was written to since it was mapped.
    pub(crate) fn check(&self, structure: impl FnOnce() -> Result<()>) -> Result<()> {
        let Self::Mapped(mapped) = self else { return Ok(()) };
        self.while_unchanged(|| {
            let checksum = || (mapped.checksum)(&mapped.map);
            let find = || checksum().and_then(|()| structure().map_err(|e| e.to_string()));
            mapped.verdict.get_or_init(find).clone().map_err(|message| Error::Parse {
                path: mapped.path.clone(),
                line: None,
                message,
            })
        })
    }

    /// Runs `work` on the data. Fails if it is in a file that was written to since it was mapped,
    /// whether `work` returned a result, an error or panicked.
    pub(crate) fn while_unchanged<T, E: From<Error>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sound => work(),
            Self::Mapped(mapped) => mapped.map.while_unchanged(work),
        }
    }
}

impl fmt::Debug for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sound => f.write_str("Sound"),
            Self::Mapped(mapped) => write!(f, "Mapped({})", mapped.path.display()),
        }
    }
}
