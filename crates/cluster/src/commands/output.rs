//! Files with results: one that rank 0 writes, or one of each rank with a manifest. They are there whole or not at all.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use equipoise_graph::io::write_file;
use serde::Serialize;

use super::{
    arguments::OutputArguments,
    failure::{Failure, Result},
    rows::{Cell, Layout},
};
use crate::{Comm, Error, Partition, agree};

/// Rank 0 is sent so many rows at a time, and holds no more of other ranks' than these.
const ROWS_AT_ONCE: u64 = 1 << 16;

/// The name of the file that says that all parts are there.
const MANIFEST: &str = "manifest.json";

/// Where results go.
#[derive(Clone, Debug)]
pub enum Destination {
    Nowhere,
    /// One file, which rank 0 writes.
    File(PathBuf, Layout),
    /// A folder with a file of each rank.
    Parts(PathBuf),
}

#[derive(Serialize)]
struct Manifest<'a> {
    command: &'a str,
    columns: &'a [&'a str],
    rows: u64,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    file: String,
    rows: u64,
}

impl Destination {
    /// What the arguments ask for; what cannot be written is refused before anything is run.
    pub fn of(comm: &dyn Comm, arguments: &OutputArguments) -> Result<Self> {
        if let Some(folder) = &arguments.parts {
            agreed_on_first(comm, || new_folder(folder))?;
            return Ok(Self::Parts(folder.clone()));
        }
        let Some(path) = &arguments.output else { return Ok(Self::Nowhere) };
        let layout = Layout::of(path, &["tsv", "txt", "csv", "json", "jsonl"])?;
        agreed_on_first(comm, || check_folder(path))?;
        Ok(Self::File(path.clone(), layout))
    }

    /// Does `work`, on all ranks, which gives rows to the [`Rows`] where they are wanted.
    pub fn write<R>(
        &self,
        comm: &dyn Comm,
        command: &str,
        header: &[&str],
        work: impl FnOnce(&mut Rows) -> Result<R>,
    ) -> Result<R> {
        match self {
            Self::Nowhere => work(&mut Rows::new(comm, Out::Unwanted, Layout::Tsv, header)),
            Self::File(path, layout) if comm.rank() == 0 => {
                let (done, written) = whole(path, |out| {
                    let mut rows = Rows::new(comm, Out::Here(out), *layout, header);
                    rows.text(&layout.head(header));
                    let done = work(&mut rows);
                    rows.text(layout.tail());
                    (done, rows.failed.map_or(Ok(()), Err))
                });
                let done = done?;
                agree(comm, written)?;
                Ok(done)
            }
            Self::File(_, layout) => {
                let done = work(&mut Rows::new(comm, Out::AtFirst, *layout, header))?;
                agree(comm, Ok(()))?;
                Ok(done)
            }
            Self::Parts(folder) => {
                let mut count = 0;
                let (done, written) = whole(&folder.join(part_name(comm.rank())), |out| {
                    let rows = Rows::new(comm, Out::Here(out), Layout::Tsv, header);
                    let mut rows = Rows { apart: true, ..rows };
                    rows.text(&Layout::Tsv.head(header));
                    let done = work(&mut rows);
                    count = rows.written;
                    (done, rows.failed.map_or(Ok(()), Err))
                });
                let done = done?;
                agree(comm, written)?;
                write_manifest(comm, folder, command, header, count)?;
                Ok(done)
            }
        }
    }
}

/// Where a rank's rows go.
enum Out<'a> {
    Unwanted,
    /// Into a file of this rank.
    Here(&'a mut dyn Write),
    /// To rank 0.
    AtFirst,
}

/// Writes the rows of all ranks.
pub struct Rows<'a> {
    comm: &'a dyn Comm,
    out: Out<'a>,
    layout: Layout,
    header: &'a [&'a str],
    /// Whether each rank writes its own.
    apart: bool,
    /// How many rows there are before the next: of all ranks, or of this one where each writes its own.
    written: u64,
    /// What could not be written is told at the end: other ranks go on sending.
    failed: Option<io::Error>,
}

impl<'a> Rows<'a> {
    fn new(comm: &'a dyn Comm, out: Out<'a>, layout: Layout, header: &'a [&'a str]) -> Self {
        Self { comm, out, layout, header, apart: false, written: 0, failed: None }
    }

    /// Whether rows are wanted: making them may be dear.
    pub fn wanted(&self) -> bool {
        !matches!(self.out, Out::Unwanted)
    }

    /// Writes a row for each vertex, in the order of vertices; `row` makes that of an owned one. To be called by all ranks.
    pub fn write<'c>(&mut self, partition: &Partition, row: impl Fn(u64) -> Vec<Cell<'c>>) {
        let rank = self.comm.rank();
        match self.out {
            Out::Unwanted => {}
            _ if self.apart => {
                for first in partition.range(rank).step_by(ROWS_AT_ONCE as usize) {
                    let vertices = first..partition.range(rank).end.min(first + ROWS_AT_ONCE);
                    let (count, text) = (vertices.end - first, self.format(vertices, &row));
                    self.text(&text);
                    self.written += count;
                }
            }
            _ => {
                for owner in 0..self.comm.size() {
                    for first in partition.range(owner).step_by(ROWS_AT_ONCE as usize) {
                        let vertices = first..partition.range(owner).end.min(first + ROWS_AT_ONCE);
                        let count = vertices.end - first;
                        let mine =
                            if owner == rank { self.format(vertices, &row) } else { String::new() };
                        self.bring(owner, mine);
                        self.written += count;
                    }
                }
            }
        }
    }

    /// Rank 0 writes what `owner` has.
    fn bring(&mut self, owner: usize, text: String) {
        if owner == 0 {
            return self.text(&text);
        }
        let mut outgoing = vec![Vec::new(); self.comm.size()];
        outgoing[0] = text.into_bytes();
        let incoming = self.comm.all_to_all(&outgoing);
        self.bytes(&incoming[owner]);
    }

    fn format<'c>(
        &self,
        vertices: std::ops::Range<u64>,
        row: impl Fn(u64) -> Vec<Cell<'c>>,
    ) -> String {
        let (mut text, mut first) = (String::new(), self.written == 0);
        for vertex in vertices {
            self.layout.row(&mut text, self.header, &row(vertex), first);
            first = false;
        }
        text
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if let (Out::Here(out), None) = (&mut self.out, &self.failed) {
            self.failed = out.write_all(bytes).err();
        }
    }
}

/// Writes the file `path`, whole or not at all: the outcome of the work, and whether it was written.
fn whole<R>(
    path: &Path,
    work: impl FnOnce(&mut dyn Write) -> (Result<R>, io::Result<()>),
) -> (Result<R>, crate::Result<()>) {
    let mut outcome = None;
    let written = write_file(path, |out| {
        let (done, written) = work(out);
        // Nobody sees this: the work's own failure is told.
        let kept = if done.is_ok() { written } else { Err(io::Error::other("the work failed")) };
        outcome = Some(done);
        kept
    });
    let nothing = || Err(Failure::new(format!("{}: nothing was written", path.display())));
    match outcome {
        Some(done) => (done, written.map_err(Error::from)),
        None => {
            (written.map_err(Error::from).map_err(Failure::from).and_then(|()| nothing()), Ok(()))
        }
    }
}

fn part_name(rank: usize) -> String {
    format!("part-{rank:05}.tsv")
}

/// Rank 0 says that all parts are there, which they are.
fn write_manifest(
    comm: &dyn Comm,
    folder: &Path,
    command: &str,
    columns: &[&str],
    rows: u64,
) -> Result<()> {
    let all = comm.all_gather(&rows.to_le_bytes());
    let number =
        |bytes: &Vec<u8>| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let parts: Vec<Part> = (0..)
        .zip(&all)
        .map(|(rank, bytes)| Part { file: part_name(rank), rows: number(bytes) })
        .collect();
    let manifest =
        Manifest { command, columns, rows: parts.iter().map(|part| part.rows).sum(), parts };
    agreed_on_first(comm, || {
        let written = write_file(&folder.join(MANIFEST), |out| {
            serde_json::to_writer_pretty(&mut *out, &manifest)?;
            writeln!(out)
        });
        written.map_err(|error| Failure::new(error.to_string()))
    })
}

/// Does on rank 0 what only one rank must, and fails on all where it does.
pub fn agreed_on_first(comm: &dyn Comm, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let done = if comm.rank() == 0 { work() } else { Ok(()) };
    let failure = done.err();
    let said = failure.as_ref().map_or(String::new(), |failure| failure.message().to_owned());
    match comm.all_gather(said.as_bytes()).into_iter().next() {
        Some(said) if !said.is_empty() => {
            Err(failure.unwrap_or_else(|| Failure::new(String::from_utf8_lossy(&said))))
        }
        _ => Ok(()),
    }
}

/// A path that can be written to, as far as can be told before the work is done.
pub fn check_folder(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let problem =
        |path: &Path, problem| Err(Failure::new(format!("{}: {problem}", path.display())));
    match (folder.is_dir(), path.is_dir()) {
        (false, _) => problem(folder, "there is no such folder to write to"),
        (true, true) => problem(path, "this is a folder, not a file to write to"),
        (true, false) => Ok(()),
    }
}

/// Makes a folder, which must not be there with something in it: parts of another run would look like those of this one.
fn new_folder(folder: &Path) -> Result<()> {
    let failed = |error: io::Error| Failure::of_file(folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    match fs::read_dir(folder).map_err(failed)?.next() {
        None => Ok(()),
        Some(_) => Err(Failure::new(format!("{}: this folder is not empty", folder.display()))
            .hint("name one that does not exist, or remove what is in it")),
    }
}
