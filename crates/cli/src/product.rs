//! What the commands that multiply matrices share.

use std::{
    fmt::Display,
    fs::{File, OpenOptions},
    io::{self, BufRead, Read, Seek, SeekFrom, Write},
    path::Path,
    time::Duration,
};

use equipoise::{
    graph::{Matrix, Value, io::Format},
    sparse::{Choice, SparseLayout, SparseOptions, SparseOrder, SparsePolicy, SparseSchedule},
};

use crate::{
    endings::{self, Packing},
    failure::{Failure, Result},
    files::{GraphName, OutputFile},
    output::check_folder,
    screen::Screen,
};

const HEADER: &str = "kernel,dataset,rows,cols,nnzs,seconds";

/// Whether nothing is asked for that only a GPU has.
pub fn is_plain(options: &SparseOptions) -> bool {
    let SparseOptions { schedule, policy, reorder, layout, group, coarsening, .. } = options;
    *schedule == SparseSchedule::Auto
        && *policy == SparsePolicy::default()
        && *reorder == SparseOrder::None
        && *layout == SparseLayout::Csr
        && group.is_none()
        && coarsening.is_none()
}

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
    /// Append a line to FILE: the schedule, the matrix and the time in seconds
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<OutputFile>,
}

impl CsvArgument {
    /// Refuses what cannot be written before anything is run.
    pub fn check(&self) -> Result<()> {
        let Some(path) = &self.csv else { return Ok(()) };
        endings::known(path, &["csv"], Packing::Never)?;
        check_folder(path)?;
        match first_line(path) {
            Some(header) if header != HEADER => Err(Failure::new(format!(
                "{path}: its columns are `{header}`, and those of a line would be `{HEADER}`"
            ))
            .hint("name another file")),
            _ => Ok(()),
        }
    }

    /// Appends a line where a file is wanted, below the header where the file has none yet.
    ///
    /// The columns are those of the artifact of Osama et al., but for the unit of the last: `kernel` is
    /// the schedule, after the layout where that is not by rows; `dataset` the name of the matrix.
    pub fn append<T: Value>(
        &self,
        kernel: impl Display,
        name: &GraphName,
        matrix: &Matrix<T>,
        time: Duration,
    ) -> Result<()> {
        let Some(path) = &self.csv else { return Ok(()) };
        let failed = |error: std::io::Error| Failure::of_file(path, &error);
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let before = before_next_line(path, &file).map_err(failed)?;
        let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.entries());
        let seconds = time.as_secs_f64();
        let dataset = quoted(&dataset(name));
        // In one piece, so that programs that run at once do not mix their lines.
        let line = format!("{before}{kernel},{dataset},{rows},{columns},{entries},{seconds}\n");
        file.write_all(line.as_bytes()).map_err(failed)
    }
}

/// The first line of a file that has one.
fn first_line(path: &Path) -> Option<String> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
    let mut line = String::new();
    io::BufReader::new(file.take(1 << 10)).read_line(&mut line).ok()?;
    Some(line.trim_end().to_owned()).filter(|line| !line.is_empty())
}

/// What has to stand before the next line of a file: the header where it is empty, the end of its
/// last line where that was torn off. Pipes and devices are as empty files.
fn before_next_line(path: &Path, appended: &File) -> io::Result<String> {
    let metadata = appended.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(format!("{HEADER}\n"));
    }
    let (mut file, mut last) = (File::open(path)?, [0]);
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(if last == *b"\n" { String::new() } else { "\n".to_owned() })
}

/// A file's name without its folder and endings; a generator's spec as it is.
fn dataset(name: &GraphName) -> String {
    let Some(file) = name.file_name().filter(|_| name.exists()) else {
        return name.text().into_owned();
    };
    let file = file.to_string_lossy();
    let mut stem = &*file;
    for ending in [".gz", ".zst", ".xz", ".bz2"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    match Format::of_path(Path::new(stem)) {
        Some(_) => stem.rsplit_once('.').map_or(stem, |(stem, _)| stem).to_owned(),
        None => stem.to_owned(),
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
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_file_is_called_by_its_stem_and_a_spec_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1138_bus.mtx.gz");
        std::fs::write(&file, "").unwrap();
        assert_eq!(dataset(&file.into()), "1138_bus");
        let spec = GraphName::from(PathBuf::from("rmat:scale=4,seed=7"));
        assert_eq!(quoted(&dataset(&spec)), "\"rmat:scale=4,seed=7\"");
        assert_eq!(quoted("08blocks"), "08blocks");
    }
}
