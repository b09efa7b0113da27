//! Helpers shared by the commands for products.

use std::{
    fmt::Display,
    fs::File,
    io::{self, BufRead, Read, Seek, SeekFrom, Write},
    path::Path,
    time::Duration,
};

use equipoise::{
    algorithm::Verdict,
    graph::{
        Matrix, Value,
        io::{Format, append_to, descriptor},
    },
    npy,
    sparse::{
        Dense, ScheduleChoice, SparseLayout, SparseOptions, SparseOrder, SparsePolicy,
        SparseSchedule,
    },
};
use serde::Serialize;

use crate::{
    endings::{self, Packing},
    failure::{Failure, Result},
    files::{GraphName, OutputFile},
    load::MatrixFacts,
    machine::Machine,
    measure::Runs,
    output::{Kind, ResultFile, check_folder, is_standard_output, with_rows},
    precision::{Number, Precision},
    rows::{Cell, json_number},
    screen::Screen,
};

const HEADER: &str = "kernel,dataset,rows,cols,nnzs,seconds";

/// The document of a product with dense numbers.
#[derive(Serialize)]
pub struct DenseDocument<'a> {
    pub command: &'static str,
    pub matrix: MatrixFacts<'a>,
    #[serde(flatten)]
    pub machine: Machine,
    pub options: &'a SparseOptions,
    pub choice: &'a ScheduleChoice,
    pub precision: Precision,
    /// The columns of a dense matrix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    #[serde(serialize_with = "json_number")]
    pub sum: f64,
    pub runs: &'a Runs,
}

/// The verdict of a product whose numbers were all checked.
pub fn verdict() -> Verdict {
    Verdict::proved("each number is as near as its precision allows")
}

/// Whether the options request nothing that only a GPU supports.
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
pub fn print_choice(choice: &ScheduleChoice, screen: &mut Screen) -> Result<()> {
    let schedule = choice.schedule;
    match &choice.reason {
        Some(reason) if schedule == SparseSchedule::Auto => {
            screen.fact("schedule", format_args!("auto ({reason})"))
        }
        Some(reason) => screen.fact("schedule", format_args!("{schedule} (auto, {reason})")),
        None => screen.fact("schedule", schedule),
    }
}

/// Writes a dense product as an array, or one line per number, with the given cells of rows.
pub fn write_dense<'a, T: Number>(
    file: Option<&ResultFile>,
    header: &[&str; 3],
    product: &Dense<T>,
    row_cell: impl Fn(u32) -> Cell<'a>,
) -> Result<()> {
    match file {
        Some(file) if file.kind() == Kind::Npy => {
            let shape = [product.rows().into(), product.columns().into()];
            file.write_npy(|out| npy::write(out, &shape, product.values()))
        }
        file => with_rows(file, header, |rows| {
            for row in 0..product.rows() {
                for (column, value) in (0..).zip(product.row(row)) {
                    rows.write(&[row_cell(row), Cell::Whole(column), value.cell()])?;
                }
            }
            Ok(())
        }),
    }
}

/// The sum of the numbers of a product.
pub fn sum<T: Number>(numbers: &[T]) -> f64 {
    // `Iterator::sum` starts from −0.
    numbers.iter().fold(0.0, |sum, &number| sum + Value::to_f64(number))
}

/// The file that collects the times of many runs.
#[derive(Clone, Debug, clap::Args)]
pub struct CsvArgument {
    /// Append a line to FILE: the schedule, the matrix and the time in seconds
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<OutputFile>,
}

impl CsvArgument {
    /// Rejects a file that cannot be written, before anything is run.
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

    /// Appends a line to the file, if requested, after a header if the file has none yet.
    ///
    /// The columns are those of the artifact of Osama et al., except for the unit of the last:
    /// `kernel` is the schedule, preceded by the layout if that is not by rows; `dataset` is the
    /// name of the matrix.
    pub fn append<T: Value>(
        &self,
        kernel: impl Display,
        name: &GraphName,
        matrix: &Matrix<T>,
        time: Duration,
    ) -> Result<()> {
        let Some(path) = &self.csv else { return Ok(()) };
        let failed = |error: io::Error| Failure::of_file(path, &error);
        let mut file = append_to(path).map_err(failed)?;
        let before = before_next_line(path, &file).map_err(failed)?;
        let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.entries());
        let seconds = time.as_secs_f64();
        let dataset = quoted(&dataset(name));
        // A single write, so that concurrent programs do not interleave their lines.
        let line = format!("{before}{kernel},{dataset},{rows},{columns},{entries},{seconds}\n");
        match file.write_all(line.as_bytes()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && is_standard_output(path) => {
                Ok(())
            }
            written => written.map_err(failed),
        }
    }
}

fn first_line(path: &Path) -> Option<String> {
    if descriptor(path).is_some() {
        return None;
    }
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
    let mut line = String::new();
    io::BufReader::new(file.take(1 << 10)).read_line(&mut line).ok()?;
    Some(line.trim_end().to_owned()).filter(|line| !line.is_empty())
}

/// The text before the next line of a file: the header if it is empty, a line end if its last line
/// has none. Pipes, devices and open files count as empty.
fn before_next_line(path: &Path, appended: &File) -> io::Result<String> {
    let metadata = appended.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 || descriptor(path).is_some() {
        return Ok(format!("{HEADER}\n"));
    }
    let (mut file, mut last) = (File::open(path)?, [0]);
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(if last == *b"\n" { String::new() } else { "\n".to_owned() })
}

/// A file's name without its folder and extensions; a generator's spec unchanged.
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

/// A cell that may contain commas or quotes.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
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
