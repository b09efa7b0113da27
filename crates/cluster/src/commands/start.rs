//! Checks before a job begins: a rank with another program or file would corrupt the result, or wait for ever.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use crate::{Comm, Error, Result};

/// The number of bytes at each end of a file that are compared.
const END: u64 = 64 << 10;
/// The most ranks that a message names.
const NAMED: usize = 8;

/// The inputs of a rank.
///
/// ```
/// use equipoise_cluster::{Comm, commands::Start, run_threads};
///
/// let outcomes = run_threads(3, 64, |comm| {
///     let version = if comm.rank() == 2 { "0.2.0" } else { "0.1.0" };
///     let start = Start { version: version.into(), arguments: "bfs path:n=3".into(), input: None };
///     start.agree(comm).unwrap_err().to_string()
/// });
/// assert_eq!(outcomes[0], "the ranks disagree: the version is `0.1.0` on rank 0 and `0.2.0` on rank 2");
/// ```
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// The program's version.
    pub version: String,
    /// Its arguments.
    pub arguments: String,
    /// The file or folder that it reads, unless it uses a generator.
    pub input: Option<&'a Path>,
}

impl Start<'_> {
    /// Fails on all ranks if they differ.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, commands::Start};
    ///
    /// let start = Start { version: "0.1.0".into(), arguments: "bfs roads.gr".into(), input: None };
    /// assert!(start.agree(&Alone).is_ok());
    /// ```
    pub fn agree(&self, comm: &dyn Comm) -> Result<()> {
        same(comm, "the version", &self.version)?;
        same(comm, "the command line", &self.arguments)?;
        let input = self.input.map_or("none".into(), |path| {
            seen(path).unwrap_or_else(|error| format!("cannot be read: {error}"))
        });
        same(comm, "the input", &input)
    }
}

/// Fails if the texts of ranks differ.
fn same(comm: &dyn Comm, what: &str, mine: &str) -> Result<()> {
    let all = comm.all_gather(mine.as_bytes());
    let Some(first) = all.first() else { return Ok(()) };
    let others: Vec<usize> = (0..all.len()).filter(|&rank| all[rank] != *first).collect();
    if others.is_empty() {
        return Ok(());
    }
    let text = |rank: usize| String::from_utf8_lossy(&all[rank]).into_owned();
    let mut parts = vec![format!("{what} is `{}` on rank 0", text(0))];
    parts.extend(others.iter().take(NAMED).map(|&rank| format!("`{}` on rank {rank}", text(rank))));
    if others.len() > NAMED {
        parts.push(format!("something else on {} more ranks", others.len() - NAMED));
    }
    let last = parts.pop().unwrap_or_default();
    Err(Error::Disagree(format!("{} and {last}", parts.join(", "))))
}

/// A rank's view of a file or folder: its size and the bytes at both ends.
fn seen(path: &Path) -> io::Result<String> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok("no file".into()),
        metadata => metadata?,
    };
    if metadata.is_dir() {
        return Ok("a folder".into());
    }
    if !metadata.is_file() {
        return Ok("neither a file nor a folder".into());
    }
    let (mut file, length) = (File::open(path)?, metadata.len());
    let mut ends = Vec::new();
    (&mut file).take(END).read_to_end(&mut ends)?;
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    file.take(END).read_to_end(&mut ends)?;
    Ok(format!("a file of {length} bytes, checksum {:016x}", xxhash_rust::xxh3::xxh3_64(&ends)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_threads;

    #[test]
    fn a_file_that_is_another_on_one_rank_is_refused_by_all() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.txt", "b.txt"].map(|name| folder.path().join(name));
        fs::write(&paths[0], "0 1\n1 2\n").unwrap();
        fs::write(&paths[1], "0 1\n1 3\n").unwrap();
        let outcomes = |rank: usize, path: &Path| {
            run_threads(3, 7, |comm| {
                let input = Some(if comm.rank() == rank { path } else { &*paths[0] });
                let start = Start { version: String::new(), arguments: String::new(), input };
                start.agree(comm).map_err(|error| error.to_string())
            })
        };
        assert_eq!(outcomes(1, &paths[0]), [Ok(()), Ok(()), Ok(())]);
        let refused = outcomes(1, &paths[1])[2].clone().unwrap_err();
        assert!(
            refused.contains("a file of 8 bytes") && refused.contains("on rank 1"),
            "{refused}"
        );
        let missing = outcomes(2, &folder.path().join("c.txt"))[0].clone().unwrap_err();
        assert!(missing.ends_with("and `no file` on rank 2"), "{missing}");
        assert_eq!(outcomes(0, folder.path()).iter().filter(|outcome| outcome.is_err()).count(), 3);
    }

    #[test]
    fn of_many_ranks_some_are_named() {
        let outcomes = run_threads(12, 64, |comm| {
            same(comm, "the version", &comm.rank().to_string()).unwrap_err().to_string()
        });
        assert!(
            outcomes[5].ends_with("`8` on rank 8 and something else on 3 more ranks"),
            "{}",
            outcomes[5]
        );
    }
}
