//! Tables as CSV: one line per step, with the columns `graph`, `family`, `run`, `step`, `steps` (of
//! the whole run), `origin` (the identity of the graph; absent in tables of earlier versions),
//! `feature.NAME` for each feature, `time.NAME` in seconds for each candidate (empty if it could
//! not run) and `reason` (why it could not).

use std::{fs, ops::Range, path::Path};

use csv::{ByteRecord, ReaderBuilder, StringRecord, Writer, WriterBuilder};

use crate::learn::{Error, Result, Run, Schema, Step, Table};

const FIRST: [&str; 5] = ["graph", "family", "run", "step", "steps"];
const ORIGIN: &str = "origin";
const FEATURE: &str = "feature.";
const TIME: &str = "time.";
const REASON: &str = "reason";

pub(crate) struct Contents {
    pub schema: Schema,
    pub runs: Vec<Run>,
    /// Whether the file has a column of origins.
    pub has_origins: bool,
    /// The number of bytes of the file's complete runs: the rest belongs to an unfinished one.
    pub complete: u64,
}

impl Table {
    /// Reads a table from a CSV file, as written by [`Recorder`](crate::learn::Recorder). An
    /// unfinished run at the end of the file is omitted.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a table; the message says where.
    ///
    /// ```no_run
    /// let table = equipoise_lab::learn::Table::read("bfs-cuda.csv".as_ref())?;
    /// println!("{} graphs", table.graphs().len());
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        let contents = parse(path, &bytes)?;
        Table::new(contents.schema, contents.runs)
    }

    /// The table as CSV, in the format of [`read`](Self::read).
    ///
    /// ```
    /// # use equipoise_lab::learn::{Run, Schema, Step, Table};
    /// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
    /// # let run = Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin: None };
    /// # let table = Table::new(Schema::new(&["frontier"], &["push"]), vec![run])?;
    /// assert_eq!(
    ///     table.to_csv(),
    ///     "graph,family,run,step,steps,feature.frontier,time.push,reason\nstar,star,0,0,1,1,2e-6,\n"
    /// );
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn to_csv(&self) -> String {
        let has_origins = self.runs().iter().any(|run| run.origin.is_some());
        let mut text = header(self.schema(), has_origins);
        self.runs().iter().for_each(|run| text.push_str(&rows(run, has_origins)));
        text
    }
}

pub(crate) fn header(schema: &Schema, has_origins: bool) -> String {
    let features = schema.features.iter().map(|name| format!("{FEATURE}{name}"));
    let times = schema.candidates.iter().map(|name| format!("{TIME}{name}"));
    let origin = has_origins.then_some(ORIGIN);
    let names: Vec<String> = FIRST.into_iter().chain(origin).map(str::to_owned).collect();
    lines([names.into_iter().chain(features).chain(times).chain([REASON.to_owned()]).collect()])
}

pub(crate) fn rows(run: &Run, has_origins: bool) -> String {
    lines(run.steps.iter().enumerate().map(|(number, step)| {
        let count = run.steps.len().to_string();
        let first =
            [run.graph.clone(), run.family.clone(), run.id.clone(), number.to_string(), count];
        // Both are the shortest text that reads back as the same number; times are small, and
        // `{:?}` writes small numbers with an exponent.
        let features = step.features.iter().map(|value| format!("{value}"));
        let times =
            step.times.iter().map(|time| time.map_or(String::new(), |it| format!("{it:?}")));
        let origin = has_origins.then(|| run.origin.clone().unwrap_or_default());
        first
            .into_iter()
            .chain(origin)
            .chain(features)
            .chain(times)
            .chain([step.reason.clone()])
            .collect()
    }))
}

fn lines(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer: Writer<Vec<u8>> = WriterBuilder::new().from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail, and all rows have the same length.
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Parses the contents of a file. A last line without a line end is torn, and ignored.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Contents> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let at = |line: u64, message: String| Error::File { path: path.to_owned(), line, message };
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(&bytes[..whole]);
    let mut record = ByteRecord::new();
    let mut read = |record: &mut ByteRecord| -> Result<Option<(u64, u64)>> {
        let line = reader.position().line();
        let found = reader.read_byte_record(record).map_err(|error| at(line, error.to_string()))?;
        Ok(found.then(|| (line, reader.position().byte())))
    };
    let Some((_, mut complete)) = read(&mut record)? else {
        return Err(at(1, "the file has no header".to_owned()));
    };
    let columns = Columns::from_header(&text(&record).map_err(|message| at(1, message))?)
        .map_err(|message| at(1, message))?;
    let mut open: Option<Open> = None;
    let mut runs = Vec::new();
    while let Some((line, end)) = read(&mut record)? {
        let row = text(&record).and_then(|record| columns.row(&record));
        let row = row.map_err(|message| at(line, message))?;
        let now = Open::with(open.take(), row).map_err(|message| at(line, message))?;
        if now.run.steps.len() == now.steps {
            now.run.check(&columns.schema).map_err(|error| at(line, error.to_string()))?;
            runs.push(now.run);
            complete = end;
        } else {
            open = Some(now)
        }
    }
    let has_origins = columns.has_origins;
    Ok(Contents { schema: columns.schema, runs, has_origins, complete })
}

/// Like [`parse`], but a malformed last line is also ignored: something else ended it.
pub(crate) fn parse_torn(path: &Path, bytes: &[u8]) -> Result<Contents> {
    parse(path, bytes).or_else(|error| {
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let is_last = matches!(error, Error::File { line, .. } if line == lines && line > 1);
        let before = bytes.strip_suffix(b"\n").filter(|_| is_last).ok_or(error)?;
        parse(path, before)
    })
}

fn text(record: &ByteRecord) -> Result<StringRecord, String> {
    StringRecord::from_byte_record(record.clone()).map_err(|_| "this is not UTF-8".to_owned())
}

struct Columns {
    schema: Schema,
    has_origins: bool,
    features: Range<usize>,
    times: Range<usize>,
}

struct Row {
    origin: Option<String>,
    graph: String,
    family: String,
    id: String,
    number: usize,
    steps: usize,
    step: Step,
}

impl Columns {
    fn from_header(header: &StringRecord) -> Result<Self, String> {
        let names: Vec<&str> = header.iter().collect();
        let named = |prefix: &'static str, from: usize| {
            let rest = names.get(from..).unwrap_or_default();
            let names = rest.iter().map_while(move |name| name.strip_prefix(prefix));
            names.map(str::to_owned).collect::<Vec<String>>()
        };
        let has_origins = names.get(FIRST.len()) == Some(&ORIGIN);
        let first = FIRST.len() + usize::from(has_origins);
        let features = named(FEATURE, first);
        let middle = first + features.len();
        let candidates = named(TIME, middle);
        let end = middle + candidates.len();
        if names.get(..FIRST.len()) != Some(&FIRST[..]) || names.get(end..) != Some(&[REASON][..]) {
            return Err(format!(
                "the columns should be {}, perhaps {ORIGIN}, {FEATURE}…, {TIME}…, {REASON}; they are {}",
                FIRST.join(", "),
                names.join(", ")
            ));
        }
        let schema = Schema { features, candidates };
        schema.check().map_err(|error| error.to_string())?;
        Ok(Self { schema, has_origins, features: first..middle, times: middle..end })
    }

    fn row(&self, record: &StringRecord) -> Result<Row, String> {
        let field = |at: usize| record.get(at).unwrap_or_default();
        let count = |at: usize| {
            let message = || format!("`{}` is {:?}, which is no count", FIRST[at], field(at));
            field(at).parse::<usize>().map_err(|_| message())
        };
        let feature = |at: usize| {
            let name = &self.schema.features[at - self.features.start];
            let message = || format!("the feature `{name}` is {:?}, which is no number", field(at));
            field(at).parse::<f32>().map_err(|_| message())
        };
        let time = |at: usize| {
            let name = &self.schema.candidates[at - self.times.start];
            let message = || format!("the time of `{name}` is {:?}, which is no number", field(at));
            match field(at) {
                "" | "NaN" => Ok(None),
                text => text.parse::<f64>().map(Some).map_err(|_| message()),
            }
        };
        let step = Step {
            features: self.features.clone().map(feature).collect::<Result<_, _>>()?,
            times: self.times.clone().map(time).collect::<Result<_, _>>()?,
            reason: field(self.times.end).to_owned(),
        };
        let (graph, family, id) = (field(0).to_owned(), field(1).to_owned(), field(2).to_owned());
        let origin = self.has_origins.then(|| field(FIRST.len()).to_owned());
        let origin = origin.filter(|origin| !origin.is_empty());
        Ok(Row { origin, graph, family, id, number: count(3)?, steps: count(4)?, step })
    }
}

/// A run with more lines to come.
struct Open {
    run: Run,
    steps: usize,
}

impl Open {
    /// The run that continues or starts with this row.
    fn with(open: Option<Self>, row: Row) -> Result<Self, String> {
        let Row { origin, graph, family, id, number, steps, step } = row;
        let mut open = match open {
            Some(open) => open,
            None => Self {
                run: Run {
                    graph: graph.clone(),
                    family: family.clone(),
                    id: id.clone(),
                    steps: vec![],
                    origin: origin.clone(),
                },
                steps,
            },
        };
        let run = &mut open.run;
        let here = (&run.graph, &run.family, &run.id, run.steps.len(), open.steps);
        let is_here = here == (&graph, &family, &id, number, steps) && run.origin == origin;
        if !is_here || number >= steps {
            return Err(format!(
                "expected step {} of {} of graph `{}`, run `{}`; this is step {number} of {steps} of \
                 graph `{graph}`, run `{id}`",
                run.steps.len(),
                open.steps,
                run.graph,
                run.id
            ));
        }
        run.steps.push(step);
        Ok(open)
    }
}
