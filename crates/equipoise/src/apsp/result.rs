//! What all pairs are found to be.

use std::io::{self, Write};

use equipoise_graph::Graph;

use super::{
    ApspOptions, ApspStrategy, choice::Choice, length::Length, numbers::Numbers, output::Tables,
    pairs::PairDistances,
};
use crate::{NONE, Result, Times, npy};

/// The distance of every pair of vertices, or from given sources to all vertices.
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
/// result.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Apsp {
    /// The number of vertices, n.
    pub vertices: u32,
    /// The source of each row, where they were given; else rows are those of all vertices.
    pub sources: Option<Vec<u32>>,
    /// The strategy used; never `auto`.
    pub strategy: ApspStrategy,
    /// Why it was used, in a sentence.
    pub reason: String,
    /// How many panels of rows the matrix was worked on in, one after the other: more than 1 where
    /// it did not fit the memory of the device.
    pub panels: u32,
    /// The distances, rows of n: that from the source of row `r` to `t` is at `r * n + t`.
    pub distances: PairDistances,
    /// The vertex after `s` on a shortest path to `t`, at `s * n + t`, where next hops were wanted;
    /// [`NONE`] where there is no path, and where `s` is `t`.
    pub next_hops: Option<Numbers<u32>>,
    /// Where the time went.
    pub times: Times,
}

impl Apsp {
    pub(super) fn of<T: Length>(
        graph: &Graph,
        options: &ApspOptions,
        choice: Choice,
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

    /// How many rows there are: one for each source.
    pub fn rows(&self) -> usize {
        self.sources.as_ref().map_or(self.vertices as usize, Vec::len)
    }

    /// The source of a row.
    pub fn source(&self, row: usize) -> u32 {
        self.sources.as_ref().map_or(row as u32, |sources| sources[row])
    }

    /// The distance from `source` to `target`, if there is a path and the source has a row.
    pub fn distance(&self, source: u32, target: u32) -> Option<f64> {
        let row = match &self.sources {
            None => source as usize,
            Some(sources) => sources.iter().position(|&of_row| of_row == source)?,
        };
        if target >= self.vertices {
            return None;
        }
        self.distances.get(row * self.vertices as usize + target as usize)
    }

    /// A shortest path from `source` to `target`, both included, if there is one and next hops were
    /// wanted.
    ///
    /// ```
    /// use equipoise::apsp::{ApspOptions, apsp};
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let result = apsp(&graph, &ApspOptions { next_hops: true, ..ApspOptions::default() })?;
    /// assert_eq!(result.path(0, 2), Some(vec![0, 1, 2]));
    /// assert_eq!(result.path(1, 1), Some(vec![1]));
    /// assert_eq!(result.path(2, 0), None);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
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
            // Only hops that their owner has changed can hold a circle.
            if last == NONE || path.len() == vertices {
                return None;
            }
            path.push(last);
        }
        Some(path)
    }

    /// Writes the distances as a NumPy array, a row for each source and a column for each vertex, of
    /// type `<u4`, `<u8` or `<f4`.
    ///
    /// Where there is no path it has the largest number of its type, or infinity.
    ///
    /// ```
    /// use equipoise::apsp::{ApspOptions, apsp};
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let mut file = Vec::new();
    /// apsp(&graph, &ApspOptions::default())?.write_npy(&mut file).unwrap();
    /// assert!(file.starts_with(b"\x93NUMPY"));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn write_npy(&self, out: &mut dyn Write) -> io::Result<()> {
        self.distances.write_npy(out, &self.shape())
    }

    /// Writes the next hops as a NumPy array of n by n, of type `<u4`; nothing where they were not
    /// wanted.
    ///
    /// ```
    /// use equipoise::apsp::{ApspOptions, apsp};
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let options = ApspOptions { next_hops: true, ..ApspOptions::default() };
    /// let mut file = Vec::new();
    /// apsp(&graph, &options)?.write_next_hops_npy(&mut file).unwrap();
    /// assert!(file.starts_with(b"\x93NUMPY"));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn write_next_hops_npy(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.next_hops {
            Some(hops) => npy::write(out, &self.shape(), hops),
            None => Ok(()),
        }
    }

    /// Lets the files that results were to go to take their places; see
    /// [`ApspOutput`](crate::apsp::ApspOutput). Until then, what was there before still is.
    pub fn save(&mut self) -> Result<()> {
        self.distances.save()?;
        self.next_hops.as_mut().map_or(Ok(()), Numbers::save)
    }

    fn shape(&self) -> [u64; 2] {
        [self.rows() as u64, self.vertices.into()]
    }
}
