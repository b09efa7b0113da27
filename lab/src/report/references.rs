//! Times of other programs and libraries, from CSV files.

use csv::StringRecord;

use crate::report::{Error, Result, data::Reference};

/// The supported layouts: the columns for library, input and time, and the time's unit.
const LAYOUTS: [Layout; 4] = [
    Layout { library: "library", input: "matrix", time: "seconds", unit: 1.0 },
    Layout { library: "library", input: "graph", time: "seconds", unit: 1.0 },
    // The output of `equipoise spmv --csv`.
    Layout { library: "kernel", input: "dataset", time: "seconds", unit: 1.0 },
    // The output of the programs of Osama et al.
    Layout { library: "kernel", input: "dataset", time: "elapsed", unit: 1e-3 },
];

struct Layout {
    library: &'static str,
    input: &'static str,
    time: &'static str,
    unit: f64,
}

/// Reads the times of other programs from the text of a CSV file.
///
/// Its first line names the columns: `library`, `matrix` (or `graph`) and `seconds`; or, as written
/// by `equipoise spmv --csv`, `kernel`, `dataset` and `seconds`, or `elapsed` in milliseconds.
/// Other columns are ignored, and so are lines that start with `#`.
///
/// ```
/// let text = "# One H200.\nlibrary,matrix,seconds\ncuSPARSE,rmat20,0.000926\n";
/// let references = equipoise_lab::report::read_references(text)?;
/// assert_eq!(references[0].library, "cuSPARSE");
/// # Ok::<(), equipoise_lab::report::Error>(())
/// ```
pub fn read_references(text: &str) -> Result<Vec<Reference>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(of_csv)?.clone();
    let columns = LAYOUTS.iter().find_map(|layout| Columns::find(layout, &header));
    let columns = columns.ok_or_else(|| no_layout(&header))?;
    reader.records().map(|record| columns.reference(&record.map_err(of_csv)?)).collect()
}

struct Columns {
    library: usize,
    input: usize,
    time: usize,
    unit: f64,
}

impl Columns {
    fn find(layout: &Layout, header: &StringRecord) -> Option<Self> {
        let position = |name| header.iter().position(|column| column.eq_ignore_ascii_case(name));
        Some(Self {
            library: position(layout.library)?,
            input: position(layout.input)?,
            time: position(layout.time)?,
            unit: layout.unit,
        })
    }

    fn reference(&self, record: &StringRecord) -> Result<Reference> {
        let field = |column| record.get(column).unwrap_or_default();
        let time = field(self.time);
        let seconds = time.parse().ok().filter(|time: &f64| *time >= 0.0 && time.is_finite());
        let seconds = seconds.ok_or_else(|| Error::Reference {
            line: record.position().map_or(0, csv::Position::line),
            message: format!("`{time}` is not a time: a number of 0 or more was expected"),
        })?;
        Ok(Reference {
            library: field(self.library).into(),
            input: field(self.input).into(),
            seconds: seconds * self.unit,
        })
    }
}

fn no_layout(header: &StringRecord) -> Error {
    let found: Vec<&str> = header.iter().collect();
    let known =
        LAYOUTS.map(|layout| format!("{},{},{}", layout.library, layout.input, layout.time));
    let message = format!(
        "the columns are `{}`, and one of these was expected: `{}`",
        found.join(","),
        known.join("`, `")
    );
    Error::Reference { line: 1, message }
}

fn of_csv(error: csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    Error::Reference { line, message: error.to_string() }
}
