//! Files with results: one by rank 0, or one per rank with a manifest. They are whole or absent.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use equipoise_graph::io::write_file;
use equipoise_terminal::{
    endings::{self, Packing},
    output::{check_folder, unless_reader_left},
    rows::{Cell, Layout},
};
use serde::Serialize;

use super::{
    apart::check_apart,
    arguments::OutputArguments,
    failure::{Failure, Result},
};
use crate::{Comm, Error, Partition, agree};

/// Rows per message to rank 0, which holds only one message at a time.
const ROWS_AT_ONCE: u64 = 1 << 16;

/// The name of the manifest, which exists once all parts do.
const MANIFEST: &str = "manifest.json";

/// The destination of results.
#[derive(Clone, Debug)]
pub enum Destination {
    Nowhere,
    /// One file, which rank 0 writes.
    File(PathBuf, Layout),
    /// A folder with a file per rank.
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
    /// The output of the arguments, for a graph of this name. Fails before any work if it cannot be written.
    pub fn of(comm: &dyn Comm, graph: &str, arguments: &OutputArguments) -> Result<Self> {
        agreed_on_first(comm, || check_apart(graph, arguments))?;
        if let Some(folder) = &arguments.parts {
            agreed_on_first(comm, || new_folder(folder))?;
            return Ok(Self::Parts(folder.clone()));
        }
        let Some(path) = &arguments.output else { return Ok(Self::Nowhere) };
        let known = ["tsv", "txt", "csv", "json", "jsonl"];
        let layout =
            Layout::from_extension(endings::known(path, &known, Packing::ByName)?.unwrap_or("tsv"));
        agreed_on_first(comm, || check_folder(path))?;
        Ok(Self::File(path.to_path_buf(), layout))
    }

    /// Runs `work` on all ranks, which writes to [`Rows`] if rows are wanted.
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

/// The destination of a rank's rows.
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
    /// Whether each rank writes its own file.
    apart: bool,
    /// The number of rows so far: of all ranks, or of this one if each writes its own file.
    written: u64,
    /// The first error, which is reported at the end, because other ranks continue to send.
    failed: Option<io::Error>,
}

impl<'a> Rows<'a> {
    fn new(comm: &'a dyn Comm, out: Out<'a>, layout: Layout, header: &'a [&'a str]) -> Self {
        Self { comm, out, layout, header, apart: false, written: 0, failed: None }
    }

    /// Whether rows are wanted: computing them may be expensive.
    pub fn wanted(&self) -> bool {
        !matches!(self.out, Out::Unwanted)
    }

    /// Writes a row per vertex, in the order of vertices; `row` makes that of an owned one. All ranks call it.
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

    /// Writes the rows of `owner` on rank 0.
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

/// Writes the file `path` as a whole. Returns the outcome of the work and of writing.
fn whole<R>(
    path: &Path,
    work: impl FnOnce(&mut dyn Write) -> (Result<R>, io::Result<()>),
) -> (Result<R>, crate::Result<()>) {
    let mut outcome = None;
    let written = write_file(path, |out| {
        let (done, written) = work(out);
        // This error is not reported: the work's own failure is.
        let reported =
            if done.is_ok() { written } else { Err(io::Error::other("the work failed")) };
        outcome = Some(done);
        reported
    });
    let written = unless_reader_left(path, written);
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

/// Writes the manifest on rank 0, once all parts exist.
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

/// Runs work on rank 0 only; fails on all ranks if it fails.
pub fn agreed_on_first(comm: &dyn Comm, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let done = if comm.rank() == 0 { work() } else { Ok(()) };
    let failure = done.err();
    let message = failure.as_ref().map_or(String::new(), |failure| failure.message().to_owned());
    match comm.all_gather(message.as_bytes()).into_iter().next() {
        Some(message) if !message.is_empty() => {
            Err(failure.unwrap_or_else(|| Failure::new(String::from_utf8_lossy(&message))))
        }
        _ => Ok(()),
    }
}

/// Creates a folder, or takes an empty one: parts of another run would look like those of this one.
fn new_folder(folder: &Path) -> Result<()> {
    let failed = |error: io::Error| Failure::of_file(folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    match fs::read_dir(folder).map_err(failed)?.next() {
        None => Ok(()),
        Some(_) => Err(Failure::new(format!("{}: this folder is not empty", folder.display()))
            .hint("name one that does not exist, or remove what is in it")),
    }
}
