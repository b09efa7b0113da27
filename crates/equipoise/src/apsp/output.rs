//! The destinations of results, and of the progress of a run.

use std::{fmt, path::Path};

use equipoise_graph::{Graph, io::Progress};

use super::{length::Length, numbers::Numbers};
use crate::{NONE, Result};

/// The destinations of the results of all pairs: memory, unless a file is named.
///
/// A file is a memory-mapped NumPy array, so that nothing is held twice.
/// [`Apsp::save`](crate::apsp::Apsp::save) renames it into place.
///
/// ```
/// use equipoise::{LoadedGraph, apsp::{ApspOptions, ApspOutput}, device::OpenDevice};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// # let path = std::env::temp_dir().join(format!("equipoise-{}.npy", std::process::id()));
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
/// let output = ApspOutput { distances: Some(&path), ..ApspOutput::default() };
/// let loaded = LoadedGraph::new(&OpenDevice::Cpu, &graph)?;
/// let mut result = loaded.apsp_to(&ApspOptions::default(), &output)?;
/// result.verify(&graph)?;
/// result.save()?;
/// assert!(std::fs::read(&path).unwrap().starts_with(b"\x93NUMPY"));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct ApspOutput<'a> {
    /// The file for the distances.
    pub distances: Option<&'a Path>,
    /// The file for the next hops, if the options request them.
    pub next_hops: Option<&'a Path>,
    /// The listener for the progress of long runs: those with a matrix larger than the memory of the
    /// device, and those in batches.
    pub progress: Option<&'a dyn Progress>,
}

impl fmt::Debug for ApspOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApspOutput")
            .field("distances", &self.distances)
            .field("next_hops", &self.next_hops)
            .finish_non_exhaustive()
    }
}

/// The numbers of a result in the making.
pub(super) struct Tables<T> {
    pub lengths: Numbers<T>,
    pub hops: Option<Numbers<u32>>,
}

/// The shape of a result, and of the memory it is computed in.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub rows: u64,
    pub columns: u64,
    /// The numbers that the computation of distances needs: those of the result, or more.
    pub room: u64,
}

impl Shape {
    /// One row of distances to all vertices per source.
    pub fn new(graph: &Graph, sources: usize) -> Self {
        let (rows, columns) = (sources as u64, u64::from(graph.vertices()));
        Self { rows, columns, room: rows * columns }
    }

    /// The bytes of main memory of the tables, without files.
    pub fn bytes<T: Length>(self, with_hops: bool, output: &ApspOutput) -> u64 {
        let lengths = match output.distances {
            None => self.room.saturating_mul(size_of::<T>() as u64),
            Some(_) => 0,
        };
        let hops = match (with_hops, output.next_hops) {
            (true, None) => (self.rows * self.columns).saturating_mul(4),
            _ => 0,
        };
        lengths.saturating_add(hops)
    }

    /// Tables of lengths filled with `FAR` and of hops filled with `NONE`. Fails with `too_big` where
    /// memory is short.
    pub fn tables<T: Length>(
        self,
        with_hops: bool,
        output: &ApspOutput,
        too_big: impl Fn() -> equipoise_graph::Error,
    ) -> Result<Tables<T>> {
        let room = usize::try_from(self.room).map_err(|_| too_big())?;
        let shape = [self.rows, self.columns];
        let lengths = match output.distances {
            Some(path) => Numbers::in_file(path, &shape, room, T::FAR)?,
            None => Numbers::in_memory(room, T::FAR).map_err(|_| too_big())?,
        };
        let pairs = (self.rows * self.columns) as usize;
        let hops = match (with_hops, output.next_hops) {
            (false, _) => None,
            (true, Some(path)) => Some(Numbers::in_file(path, &shape, pairs, NONE)?),
            (true, None) => Some(Numbers::in_memory(pairs, NONE).map_err(|_| too_big())?),
        };
        Ok(Tables { lengths, hops })
    }
}
