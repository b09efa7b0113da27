//! `equipoise-mpi convert`: a graph as a folder of parts.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use equipoise_graph::numbers;
use serde::Serialize;

use super::{
    arguments::{GraphArguments, OutputArguments},
    device::{Device, Opened},
    failure::Result,
    job::Job,
    load::{GraphFacts, Loaded},
    screen::Screen,
};
use crate::write_parts;

pub const EXAMPLE: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi convert rmat:scale=26 -o rmat26
  mpirun -n 64 equipoise-mpi convert web.txt --undirected -o web";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    /// Write it into the folder DIR: a part per rank, and then a manifest
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    output: PathBuf,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    graph: GraphFacts<'a>,
    output: String,
    parts: usize,
    bytes: u64,
    write_seconds: f64,
}

impl Arguments {
    /// The graph to work on.
    pub fn graph(&self) -> &GraphArguments {
        &self.graph
    }

    /// The destination of results: none but the folder.
    pub fn outputs(&self) -> Option<&OutputArguments> {
        None
    }

    /// Runs the command.
    pub fn run(&self, job: &Job, mut screen: Screen) -> Result<()> {
        let comm = job.comm;
        let loaded = Loaded::of(job, &self.graph)?;
        loaded.print(&mut screen);
        Opened::of(job, Device::Cpu)?.print(job, &mut screen);
        comm.enter("writing");
        let start = Instant::now();
        write_parts(comm, &loaded.graph, loaded.ids.clone(), &self.output)?;
        let writing = start.elapsed();
        let (folder, parts) = (self.output.display(), comm.size());
        let bytes = size_of_folder(&self.output).unwrap_or(0);
        let (count, size) =
            (numbers::counted(parts as u64, "part", "parts"), numbers::bytes(bytes));
        let time = numbers::time(writing);
        screen.fact("written", format_args!("{folder}: {count}, {size}, in {time}"));
        screen.json(&Document {
            command: "convert",
            graph: loaded.facts(),
            output: self.output.to_string_lossy().into_owned(),
            parts,
            bytes,
            write_seconds: writing.as_secs_f64(),
        });
        screen.finish()
    }
}

/// The bytes of all files in a folder that this rank sees.
fn size_of_folder(folder: &Path) -> io::Result<u64> {
    fs::read_dir(folder)?.map(|file| Ok(file?.metadata()?.len())).sum()
}
