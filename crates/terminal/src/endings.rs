//! Extensions of output files.

use std::path::Path;

use crate::{
    failure::{Failure, Result},
    files::OutputFile,
};

/// The extensions of compressed files.
const PACKED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

/// Whether an output file may be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// If its extension says so.
    ByName,
    /// Never: the file is appended to, or its readers do not decompress.
    Never,
}

/// The known extension of a path, without that of a compression; `None` if the path has no
/// extension. Fails for unknown extensions, which would not match the contents.
pub fn known(
    path: &OutputFile,
    known: &[&'static str],
    packing: Packing,
) -> Result<Option<&'static str>> {
    let mut extension = ending(path);
    if packing == Packing::ByName
        && extension.as_deref().is_some_and(|extension| PACKED.contains(&extension))
    {
        extension = path.file_stem().and_then(|stem| ending(Path::new(stem)));
    }
    let Some(extension) = extension else { return Ok(None) };
    let known_extension = known.iter().find(|&&known| known == extension);
    known_extension.copied().map(Some).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|known| format!(".{known}")).collect();
        let names = names.join(", ");
        Failure::usage(format!(
            "{path}: .{extension} is no format for this file; known are: {names}"
        ))
    })
}

fn ending(path: &Path) -> Option<String> {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats_through_compression() {
        let file = |name: &str| OutputFile::from(Path::new(name).to_owned());
        let extension = |name: &str| known(&file(name), &["csv", "json"], Packing::ByName);
        assert_eq!(extension("levels.csv.gz").unwrap(), Some("csv"));
        assert_eq!(extension("levels.JSON").unwrap(), Some("json"));
        assert_eq!(extension("a.b/levels").unwrap(), None);
        assert_eq!(extension("levels.zst").unwrap(), None);
        let failure = extension("levels.parquet.xz").unwrap_err();
        assert_eq!(failure.code(), 2);
        assert!(
            failure
                .message()
                .ends_with(".parquet is no format for this file; known are: .csv, .json")
        );
        assert!(known(&file("a.csv.gz"), &["csv"], Packing::Never).is_err());
    }
}
