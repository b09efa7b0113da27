//! Graphs larger than a machine: each rank makes or reads its part of the edges, and no rank the whole.

mod eqp;
mod generated;
mod numbered;
mod text;

use equipoise_graph::{
    Duplicates, SelfLoops, Source,
    io::{Format, ReadOptions},
};

use crate::{Comm, EdgeSlice, Error, Reduction, Result, SliceIds, agree, parts};

/// How a graph is read by several ranks.
///
/// ```
/// let options = equipoise_cluster::SliceOptions::default();
/// assert_eq!(options.ranks_on_node, 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SliceOptions<'a> {
    /// How it is read, as on one machine.
    pub read: ReadOptions<'a>,
    /// How many ranks share the memory of this rank's machine.
    pub ranks_on_node: usize,
}

impl Default for SliceOptions<'_> {
    fn default() -> Self {
        Self { read: ReadOptions::default(), ranks_on_node: 1 }
    }
}

/// A rank's part of a graph's edges, and of what the input calls the vertices.
///
/// ```
/// use equipoise_cluster::{Alone, SliceIds, SliceOptions, read_slice};
///
/// let read = read_slice(&Alone, "path:n=3", &SliceOptions::default())?;
/// assert_eq!(read.edges.targets, [1, 2]);
/// assert_eq!(read.ids, SliceIds::Dense { first: 0 });
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReadSlice {
    /// The edges.
    pub edges: EdgeSlice,
    /// What the input calls the vertices.
    pub ids: SliceIds,
}

/// Reads this rank's part of the graph that `source` names, by the rules of [`equipoise_graph::load`]: the slices of all
/// ranks are the graph that one machine would read. To be called by all ranks with the same source and options.
///
/// - A generator's spec: each rank makes its own blocks of the edges, from the spec alone.
/// - A text file (edge lists with numbers, DIMACS, Matrix Market): each rank reads a range of its bytes, cut at line ends.
///   Where vertices are called by numbers with gaps, the ranks number them together. Files that are compressed, call
///   vertices by names or are of other formats are refused: they have to be converted on one machine before.
/// - An `.eqp` file: each rank reads some rows. Its checksum is made of those of blocks, so that all ranks compute it
///   together; each byte is read by one rank for that, and again by the one that needs it. A file whose vertices have names
///   is read, too.
/// - A folder that [`write_parts`](crate::write_parts) wrote: each rank reads some rows, of any parts.
///
/// Fails on all ranks where it fails on one, with that rank's message.
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
    let named = agree(comm, Source::of(source).map_err(Into::into))?;
    check_kind(comm, source, &named)?;
    let mut read = match named {
        Source::Spec(spec) => generated::read(comm, &spec, options)?,
        Source::File(path) if path.is_dir() => parts::read(comm, path, options)?,
        Source::File(path) => match options.read.format.or_else(|| Format::of_path(path)) {
            Some(Format::Eqp) => eqp::read(comm, path, options)?,
            _ => text::read(comm, path, options)?,
        },
    };
    let edges = &mut read.edges;
    edges.undirected |= options.read.undirected;
    if options.read.duplicates == Duplicates::Drop {
        edges.duplicates = Duplicates::Drop;
    }
    if options.read.self_loops == SelfLoops::Drop {
        edges.self_loops = SelfLoops::Drop;
    }
    Ok(read)
}

/// Whether `source` is the same kind of thing for all ranks: where a file is on some machines only, ranks would go different
/// ways, and wait for each other for ever.
fn check_kind(comm: &dyn Comm, source: &str, named: &Source) -> Result<()> {
    const KINDS: [&str; 4] = ["not there", "a file", "a folder", "a generator"];
    let kind = match named {
        Source::Spec(_) => 3,
        Source::File(path) if path.is_dir() => 2,
        Source::File(path) => u64::from(path.exists()),
    };
    let (mut least, mut most) = ([kind], [kind]);
    comm.all_reduce(&mut least, Reduction::Min);
    comm.all_reduce(&mut most, Reduction::Max);
    let name = |kind: [u64; 1]| KINDS[kind[0].min(3) as usize];
    match least == most {
        true => Ok(()),
        false => Err(Error::Disagree(format!(
            "{source} is {} for one and {} for another: all machines need the same files",
            name(least),
            name(most)
        ))),
    }
}
