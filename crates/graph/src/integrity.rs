//! Checks that are put off until somebody works with the data.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use crate::{Error, Result};

/// Whether data is known to be sound. What was built here is; what lies in a mapped file is
/// checked once, when first asked, so that opening it takes no time.
#[derive(Clone, Default)]
pub(crate) enum Integrity {
    /// Sound by construction.
    #[default]
    Sound,
    /// Lies in a mapped file.
    Mapped(Arc<Mapped>),
}

/// A mapped file, and what its check said.
pub(crate) struct Mapped {
    path: PathBuf,
    checksum: Checksum,
    verdict: OnceLock<Result<(), String>>,
}

type Checksum = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

impl Integrity {
    /// Data in the file `path`, whose bytes are as they were written if `checksum` says so.
    pub(crate) fn mapped(
        path: PathBuf,
        checksum: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self::Mapped(Arc::new(Mapped {
            path,
            checksum: Arc::new(checksum),
            verdict: OnceLock::new(),
        }))
    }

    /// The same data, used in another way: its own structure is checked once, too.
    pub(crate) fn for_another_use(&self) -> Self {
        match self {
            Self::Sound => Self::Sound,
            Self::Mapped(mapped) => Self::Mapped(Arc::new(Mapped {
                path: mapped.path.clone(),
                checksum: mapped.checksum.clone(),
                verdict: OnceLock::new(),
            })),
        }
    }

    /// The verdict: of the checksum, then of `structure`, found at the first call and remembered.
    pub(crate) fn check(&self, structure: impl FnOnce() -> Result<()>) -> Result<()> {
        let Self::Mapped(mapped) = self else { return Ok(()) };
        let find = || (mapped.checksum)().and_then(|()| structure().map_err(|e| e.to_string()));
        mapped.verdict.get_or_init(find).clone().map_err(|message| Error::Parse {
            path: mapped.path.clone(),
            line: None,
            message,
        })
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
