//! The result of all-pairs shortest paths.

use std::io::{self, Write};

use equipoise_graph::{Graph, parallel::*};

use super::{
    choice::StrategyChoice,
    length::Length,
    numbers::{Numbers, PairDistances},
    options::{ApspOptions, ApspStrategy},
    output::Tables,
};
use crate::{Error, NONE, Result, Times, npy, overflow, rows::Rows};

/// The distances between all pairs of vertices, or from given sources to all vertices.
///
/// ```
/// use equipoise::apsp::{ApspOptions, apsp};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (1, 2, 2)]))?;
/// let options = ApspOptions { next_hops: true, ..ApspOptions::default() };
/// let result = apsp(&graph, &options)?;
/// assert_eq!(result.distance(0, 2), Some(7.0));
/// assert_eq!(result.distance(2, 0), None);
/// assert_eq!(result.path(0, 2), Some(vec![0, 1, 2]));
/// assert_eq!((result.path(1, 1), result.path(2, 0)), (Some(vec![1]), None));
/// result.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Apsp {
    /// The number of vertices, n.
    pub vertices: u32,
    /// The source of each row, if sources were given; otherwise every vertex has a row.
    pub sources: Option<Vec<u32>>,
    /// The strategy used; never `auto`.
    pub strategy: ApspStrategy,
    /// The reason for the strategy, in a sentence.
    pub reason: String,
    /// The number of panels of rows: more than 1 where the matrix did not fit the memory of the
    /// device.
    pub panels: u32,
    /// The distances, in rows of n: the one from the source of row `r` to `t` is at `r * n + t`.
    pub distances: PairDistances,
    /// The next hops, if requested: the vertex after `s` on a shortest path to `t` is at `s * n + t`.
    /// [`NONE`] without a path, and where `s` is `t`.
    pub next_hops: Option<Numbers<u32>>,
    /// The times of the run.
    pub times: Times,
}

impl Apsp {
    pub(super) fn new<T: Length>(
        graph: &Graph,
        options: &ApspOptions,
        choice: StrategyChoice,
        tables: Tables<T>,
        times: Times,
    ) -> Self {
        Self {
            vertices: graph.vertices(),
            sources: options.sources.clone(),
            strategy: choice.strategy,
            reason: choice.reason,
            panels: 1,
            distances: T::into_distances(tables.lengths),
            next_hops: tables.hops,
            times,
        }
    }

    /// The number of rows: one per source.
    pub fn rows(&self) -> usize {
        self.sources.as_ref().map_or(self.vertices as usize, Vec::len)
    }

    /// The source of a row.
    pub fn source(&self, row: usize) -> u32 {
        self.sources.as_ref().map_or(row as u32, |sources| sources[row])
    }

    /// The distance from `source` to `target`, if a path exists and the source has a row.
    pub fn distance(&self, source: u32, target: u32) -> Option<f64> {
        let row = match &self.sources {
            None => source as usize,
            Some(sources) => sources.iter().position(|&row_source| row_source == source)?,
        };
        if target >= self.vertices {
            return None;
        }
        self.distances.get(row * self.vertices as usize + target as usize)
    }

    /// A shortest path from `source` to `target`, both included, if one exists and the result has
    /// next hops.
    pub fn path(&self, source: u32, target: u32) -> Option<Vec<u32>> {
        let hops = self.next_hops.as_ref()?;
        let vertices = self.vertices as usize;
        if source.max(target) as usize >= vertices {
            return None;
        }
        let mut path = vec![source];
        let mut last = source;
        while last != target {
            last = hops[last as usize * vertices + target as usize];
            // Only hops that the caller has modified contain a cycle.
            if last == NONE || path.len() == vertices {
                return None;
            }
            path.push(last);
        }
        Some(path)
    }

    /// Writes the distances as a NumPy array, one row per source and one column per vertex, of type
    /// `<u4`, `<u8`, `<f4` or `<f8`. Pairs without a path have the largest number of the type, or
    /// infinity.
    pub fn write_npy(&self, out: &mut dyn Write) -> io::Result<()> {
        self.distances.write_npy(out, &self.shape())
    }

    /// Writes the next hops, if the result has any, as a NumPy array of n by n, of type `<u4`.
    ///
    /// ```
    /// use equipoise::apsp::{ApspOptions, apsp};
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let options = ApspOptions { next_hops: true, ..ApspOptions::default() };
    /// let (mut distances, mut hops) = (Vec::new(), Vec::new());
    /// let result = apsp(&graph, &options)?;
    /// result.write_npy(&mut distances).unwrap();
    /// result.write_next_hops_npy(&mut hops).unwrap();
    /// assert!(distances.starts_with(b"\x93NUMPY") && hops.starts_with(b"\x93NUMPY"));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn write_next_hops_npy(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.next_hops {
            Some(hops) => npy::write(out, &self.shape(), hops),
            None => Ok(()),
        }
    }

    /// Renames the files of [`ApspOutput`](crate::apsp::ApspOutput) into place. Until then, former
    /// files of these names remain.
    pub fn save(&mut self) -> Result<()> {
        self.distances.save()?;
        self.next_hops.as_mut().map_or(Ok(()), Numbers::save)
    }

    /// Fails where the length of a path overflows the type of the result.
    pub(super) fn without_overflow(self, graph: &Graph) -> Result<Self> {
        if overflow::is_impossible(graph) {
            return Ok(self);
        }
        let vertices = graph.vertices() as usize;
        let first_missed = |row: usize| {
            let is_reached =
                |vertex: u32| self.distances.get(row * vertices + vertex as usize).is_some();
            Some((row, Rows::new(graph).first_missed(is_reached)?))
        };
        match (0..self.rows()).into_par_iter().find_map_first(first_missed) {
            None => Ok(self),
            Some((row, target)) => Err(Error::too_far(graph, self.source(row), target)),
        }
    }

    fn shape(&self) -> [u64; 2] {
        [self.rows() as u64, self.vertices.into()]
    }
}
