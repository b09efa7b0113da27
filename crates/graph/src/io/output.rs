//! Files that are written whole or not at all.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use super::error::WriteError;

/// Writes the file `path` by `write`. Nothing is left behind where that fails.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}
