//! A rank's part of a file.

use std::path::Path;

use super::{ReadSlice, SliceOptions};
use crate::{Comm, Error, Result};

/// Reads the edges of this rank's part.
pub(super) fn read(_: &dyn Comm, path: &Path, _: &SliceOptions) -> Result<ReadSlice> {
    Err(Error::Option(format!("{}: files are not read by slices yet", path.display())))
}
