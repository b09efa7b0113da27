//! What the commands that multiply matrices share.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use equipoise::{
    Choice, SparseSchedule,
    graph::{Matrix, Value, io::Format},
};

use crate::{
    failure::{Failure, Result},
    output::check_folder,
    screen::Screen,
};

const HEADER: &str = "kernel,dataset,rows,cols,nnzs,elapsed";

/// Prints the schedule, and why it was chosen.
pub fn print_choice(choice: &Choice, screen: &mut Screen) -> Result<()> {
    let schedule = choice.schedule;
    match &choice.reason {
        Some(reason) if schedule == SparseSchedule::Auto => {
            screen.fact("schedule", format_args!("auto ({reason})"))
        }
        Some(reason) => screen.fact("schedule", format_args!("{schedule} (auto, {reason})")),
        None => screen.fact("schedule", schedule),
    }
}

/// A file that collects the times of many runs.
#[derive(Clone, Debug, clap::Args)]
pub struct CsvArgument {
    /// Append a line to FILE: the schedule, the matrix and the time in milliseconds
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
}

impl CsvArgument {
    /// Refuses what cannot be written before anything is run.
    pub fn check(&self) -> Result<()> {
        self.csv.as_deref().map_or(Ok(()), check_folder)
    }

    /// Appends a line where a file is wanted, below the header where the file has none yet.
    ///
    /// The columns and the unit are those of the artifact of Osama et al.: `kernel` is the
    /// schedule, `dataset` the name of the matrix.
    pub fn append<T: Value>(
        &self,
        schedule: SparseSchedule,
        name: &str,
        matrix: &Matrix<T>,
        time: Duration,
    ) -> Result<()> {
        let Some(path) = &self.csv else { return Ok(()) };
        let failed = |error: std::io::Error| Failure::of_file(path, &error);
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let header = match file.metadata().map_err(failed)?.len() {
            0 => format!("{HEADER}\n"),
            _ => String::new(),
        };
        let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.entries());
        let milliseconds = time.as_nanos() as f64 / 1e6;
        let dataset = quoted(dataset(name));
        // In one piece, so that programs that run at once do not mix their lines.
        let line =
            format!("{header}{schedule},{dataset},{rows},{columns},{entries},{milliseconds}\n");
        file.write_all(line.as_bytes()).map_err(failed)
    }
}

/// A file's name without its folder and endings; a generator's spec as it is.
fn dataset(name: &str) -> &str {
    let path = Path::new(name);
    if !path.exists() {
        return name;
    }
    let mut stem = path.file_name().and_then(|name| name.to_str()).unwrap_or(name);
    for ending in [".gz", ".zst", ".xz", ".bz2"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    match Format::of_path(Path::new(stem)) {
        Some(_) => stem.rsplit_once('.').map_or(stem, |(stem, _)| stem),
        None => stem,
    }
}

/// A cell that may have commas or quotes in it.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_by_its_stem_and_a_spec_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1138_bus.mtx.gz");
        std::fs::write(&file, "").unwrap();
        assert_eq!(dataset(file.to_str().unwrap()), "1138_bus");
        assert_eq!(quoted(dataset("rmat:scale=4,seed=7")), "\"rmat:scale=4,seed=7\"");
        assert_eq!(quoted("08blocks"), "08blocks");
    }
}
