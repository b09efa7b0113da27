//! What the name of a file that is to be written tells.

use std::path::Path;

use crate::{
    failure::{Failure, Result},
    files::OutputFile,
};

/// The endings of compressed files.
const PACKED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

/// Whether a file may be written compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As its name tells.
    ByName,
    /// No: it is appended to, or read by what does not see through it.
    Never,
}

/// Which of the known endings a name has, that of a compression aside; none where it has none at
/// all. A file with another ending would not be what its name says, and is refused.
pub fn known(
    path: &OutputFile,
    known: &[&'static str],
    packing: Packing,
) -> Result<Option<&'static str>> {
    let mut told = ending(path);
    if packing == Packing::ByName && told.as_deref().is_some_and(|told| PACKED.contains(&told)) {
        told = path.file_stem().and_then(|stem| ending(Path::new(stem)));
    }
    let Some(told) = told else { return Ok(None) };
    let found = known.iter().find(|&&known| known == told);
    found.copied().map(Some).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|known| format!(".{known}")).collect();
        let names = names.join(", ");
        Failure::usage(format!(
            "{path}: there is no format .{told} for this file; known are: {names}"
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
        let told = |name: &str| known(&file(name), &["csv", "json"], Packing::ByName);
        assert_eq!(told("levels.csv.gz").unwrap(), Some("csv"));
        assert_eq!(told("levels.JSON").unwrap(), Some("json"));
        assert_eq!(told("a.b/levels").unwrap(), None);
        assert_eq!(told("levels.zst").unwrap(), None);
        let failure = told("levels.parquet.xz").unwrap_err();
        assert_eq!(failure.code(), 2);
        assert!(
            failure.message().ends_with("no format .parquet for this file; known are: .csv, .json")
        );
        assert!(known(&file("a.csv.gz"), &["csv"], Packing::Never).is_err());
    }
}
