//! The result of a search for shortest paths on a device.

use equipoise_graph::{Graph, Weights, parallel::*};
use equipoise_schedule::device::{Buffer, Gpu};

use super::{Sssp, SsspOptions, gpu_distances::wide_distances, weight::TOO_LARGE};
use crate::{
    Distances, Error, NONE, Result,
    algorithm::{GpuArray, SearchTree, Verdict},
    digest,
    error::distance,
    rows::Rows,
    traversal::{
        DeviceResult, Location, OnDevice, SearchKind, SearchOnDevice, SearchParts, real_distance,
        real_label,
    },
};

/// The result of a search for shortest paths in a [`LoadedGraph`](crate::LoadedGraph). On a GPU it stays there: distances are
/// copied, and predecessors are found, by the first method that needs them.
///
/// ```
/// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspOptions};
///
/// let edges = Edges::from(vec![(0, 1, 1u32), (1, 2, 1), (0, 2, 5), (3, 0, 1)]);
/// let graph = GraphBuilder::new().build(edges)?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let paths = loaded.sssp(0, &SsspOptions::default())?;
/// assert_eq!(paths.reached(), 3);
/// assert_eq!(paths.distance(2)?, Some(2.0));
/// assert_eq!(paths.distance(3)?, None);
/// assert_eq!(paths.path_to(2)?, Some(vec![0, 1, 2]));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub type SsspSearch<'g> = SearchOnDevice<'g, Sssp>;

impl SsspSearch<'_> {
    /// The width of the buckets or steps, if it has any.
    pub fn delta(&self) -> Option<f64> {
        match &self.0 {
            Location::Host(_, search) => search.delta,
            Location::Device(device) => device.result.delta,
        }
    }

    /// The length of a shortest path to each vertex.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn distances(&self) -> Result<&Distances> {
        match &self.0 {
            Location::Host(_, search) => Ok(&search.distances),
            Location::Device(device) => device.labels(),
        }
    }

    /// The length of a shortest path to a vertex; `None` if it was not reached, or is not a vertex.
    ///
    /// Fails as [`distances`](Self::distances) does.
    pub fn distance(&self, vertex: u32) -> Result<Option<f64>> {
        Ok(self.distances()?.get(vertex as usize))
    }

    /// The vertex before each one on a shortest path, as in [`Sssp::predecessors`].
    ///
    /// Fails where the device has no memory for them, or they cannot be copied from it.
    pub fn predecessors(&self) -> Result<&[u32]> {
        self.parents_on_host()
    }

    /// The distances in the memory of the GPU, `None` on the cpu: whole numbers, or the bits of floating-point ones;
    /// [`NONE`](crate::NONE) without a path.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspOptions};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 7u32)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let paths = loaded.sssp(0, &SsspOptions::default())?;
    /// if let Some(distances) = paths.distances_on_device() {
    ///     assert_eq!(distances.len(), 2);
    /// }
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn distances_on_device(&self) -> Option<&Buffer<u32>> {
        self.labels_in_place()
    }

    /// The predecessors in the memory of the GPU, found on first use; `None` on the cpu.
    ///
    /// Fails where the device has no memory for them.
    pub fn predecessors_on_device(&self) -> Result<Option<&Buffer<u32>>> {
        self.parents_in_place()
    }
}

impl SearchKind for Sssp {
    type Labels = Distances;
    const IS_WEIGHTED: bool = true;
    const ARRAYS: [&'static str; 2] = ["distances", "predecessors"];

    fn edges(&self) -> u64 {
        self.edges
    }

    fn paths(&self) -> SearchTree<'_> {
        SearchTree {
            source: self.source,
            parents: &self.predecessors,
            reached: self.reached,
            edges: self.edges,
            is_complete: self.complete,
            levels: None,
        }
    }

    fn labels_of(graph: &Graph, labels: Vec<u32>) -> Distances {
        if is_real(graph) {
            Distances::F32(labels.into_par_iter().map(real_distance).collect())
        } else {
            Distances::U32(labels)
        }
    }

    fn labels_on_gpu(gpu: &Gpu, graph: &Graph, labels: &Buffer<u32>) -> Result<GpuArray> {
        wide_distances(gpu, labels, is_real(graph)).map(GpuArray::F64)
    }

    fn digest(distances: &Distances) -> u32 {
        match distances {
            Distances::U32(all) => digest::of_numbers(all.par_iter().copied()),
            Distances::U64(all) => digest::of_numbers(all.par_iter().map(|&all| all as u32)),
            Distances::F32(all) => digest::of_numbers(all.par_iter().copied().map(real_label)),
            // Not the result of a GPU.
            Distances::F64(all) => {
                digest::of_numbers(all.par_iter().map(|&all| real_label(all as f32)))
            }
        }
    }

    fn limit(options: &SsspOptions, at_target: u32) -> u32 {
        options.target.map_or(NONE, |_| at_target)
    }

    fn from_parts(parts: SearchParts<Distances>) -> Self {
        let SearchParts { source, labels: distances, parents: predecessors, reached, .. } = parts;
        let SearchParts { edges, complete, delta, trace, times, .. } = parts;
        Self { source, distances, predecessors, reached, edges, complete, delta, trace, times }
    }

    fn verdict() -> Verdict {
        Verdict::proved("distances and predecessors keep every rule of shortest paths")
    }
}

/// The result of a search on a GPU. Copies the distances only if the search may have stopped early.
///
/// Fails where a distance up to the target overflows its label.
pub(super) fn on_device<'g>(
    result: DeviceResult<'g>,
    options: &SsspOptions,
) -> Result<SsspSearch<'g>> {
    SsspSearch::on_device(result, |device| {
        check_sums(device, options.target)?;
        let (graph, reached) = (device.result.graph.graph, device.result.totals.reached);
        if options.target.is_none() || reached == graph.vertices() {
            return Ok(true);
        }
        let distances = device.labels()?;
        Ok(!Rows::new(graph).leads_out(|vertex| distances.get(vertex as usize).is_some()))
    })
}

/// Fails where a distance up to the target overflows its label.
fn check_sums(device: &OnDevice<'_, Sssp>, target: Option<u32>) -> Result<()> {
    let result = &device.result;
    let (graph, source) = (result.graph.graph, result.source);
    // Labels beyond a reached target were reset.
    let has_target = target.is_some() && result.totals.at_target != NONE;
    let is_right = if is_real(graph) {
        has_target || result.graph.sums_are_finite()
    } else {
        result.totals.largest < TOO_LARGE
    };
    if is_right {
        return Ok(());
    }
    let distances = device.labels()?;
    if let Distances::U32(sums) = distances {
        let too_far = sums.par_iter().position_first(|&sum| sum == TOO_LARGE);
        let target = too_far.unwrap_or_default() as u32;
        return Err(Error::too_far_for_gpu(distance(graph.ids(), source, target)));
    }
    match Rows::new(graph).first_missed(|vertex| distances.get(vertex as usize).is_some()) {
        None => Ok(()),
        Some(target) => Err(Error::too_far(graph, source, target)),
    }
}

/// Whether a GPU's labels are the bits of floating-point distances.
fn is_real(graph: &Graph) -> bool {
    matches!(graph.weights(), Some(Weights::F32(_)))
}
