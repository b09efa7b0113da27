//! Input of graphs larger than one machine: each rank generates or reads its part of the edges.

mod eqp;
mod generated;
mod numbered;
mod text;

use equipoise_graph::{
    Duplicates, SelfLoops, Source, Weights,
    io::{Format, ReadOptions},
};

use crate::{Comm, Error, ReadSlice, Reduction, Result, SliceOptions, agree, parts};

/// Reads this rank's part of the graph `source`, by the rules of [`equipoise_graph::load`]: the slices of all ranks together
/// equal the graph on one machine. All ranks call it with the same source and options.
///
/// - A generator's spec: each rank generates its own blocks of edges.
/// - A text file (edge lists with numbers, DIMACS, Matrix Market): each rank reads a range of its bytes, cut at line ends.
///   Ids with gaps are renumbered by all ranks together. Compressed files, names of vertices and other formats are refused:
///   they must be converted on one machine first.
/// - An `.eqp` file, with or without names: each rank reads some rows. All ranks compute its checksum together from those of
///   blocks; for that, one rank reads each byte a second time.
/// - A folder that [`write_parts`](crate::write_parts) wrote: each rank reads some rows, of any parts.
///
/// If it fails on one rank, it fails on all, with that rank's message.
///
/// ```
/// use equipoise_cluster::{SliceOptions, read_slice, run_threads};
///
/// let edges = run_threads(3, 64, |comm| {
///     let read = read_slice(comm, "er:n=5000,m=80000", &SliceOptions::default());
///     read.unwrap().edges.len()
/// });
/// assert_eq!(edges.iter().sum::<usize>(), 80_000);
/// assert!(edges.iter().all(|&edges| edges > 16_000));
/// ```
pub fn read_slice(comm: &dyn Comm, source: &str, options: &SliceOptions) -> Result<ReadSlice> {
    let named = agree(comm, Source::detect(source).map_err(Into::into))?;
    check_kind(comm, source, &named)?;
    check_layout(source, &named, &options.read)?;
    let mut read = match named {
        Source::Spec(spec) => generated::read(comm, &spec, options)?,
        Source::File(path) if path.is_dir() => parts::read(comm, path, options)?,
        Source::File(path) => match options.read.format.or_else(|| Format::of_path(path)) {
            Some(Format::Eqp) => eqp::read(comm, path, options)?,
            _ => text::read(comm, path, options)?,
        },
    };
    let edges = &mut read.edges;
    let wanted = |weights: Weights| weights.converted(options.read.weights).map_err(Into::into);
    edges.weights = agree(comm, edges.weights.take().map(wanted).transpose())?;
    edges.undirected |= options.read.undirected;
    if options.read.duplicates == Duplicates::Drop {
        edges.duplicates = Duplicates::Drop;
    }
    if options.read.self_loops == SelfLoops::Drop {
        edges.self_loops = SelfLoops::Drop;
    }
    Ok(read)
}

/// Fails on all ranks if the options have a layout and the source is no text file.
fn check_layout(source: &str, named: &Source, options: &ReadOptions) -> Result<()> {
    let (what, has_format) = match named {
        Source::Spec(_) => ("is generated", false),
        Source::File(path) if path.is_dir() => ("is a folder of parts", false),
        Source::File(path) => match options.format.or_else(|| Format::of_path(path)) {
            Some(Format::Eqp) => ("is of the format eqp", true),
            _ => return Ok(()),
        },
    };
    if options.table.is_unspecified() && (has_format || options.format.is_none()) {
        Ok(())
    } else {
        Err(Error::Option(format!(
            "{source} {what}: it has no columns, no header and no other ids to choose, nor another format"
        )))
    }
}

/// Requires that all ranks see the same kind of source. If a file exists on some machines only, ranks would take different
/// paths and wait for each other for ever.
fn check_kind(comm: &dyn Comm, source: &str, named: &Source) -> Result<()> {
    const KINDS: [&str; 4] = ["missing", "a file", "a folder", "a generator"];
    let kind = match named {
        Source::Spec(_) => 3,
        Source::File(path) if path.is_dir() => 2,
        Source::File(path) => u64::from(path.exists()),
    };
    let (mut least, mut most) = ([kind], [kind]);
    comm.all_reduce(&mut least, Reduction::Min);
    comm.all_reduce(&mut most, Reduction::Max);
    let name = |kind: [u64; 1]| KINDS[kind[0].min(3) as usize];
    if least == most {
        Ok(())
    } else {
        Err(Error::Disagree(format!(
            "{source} is {} for one and {} for another: all machines need the same files",
            name(least),
            name(most)
        )))
    }
}
