//! Coloring on whichever device: the caller names no runtime.

use equipoise_graph::Graph;
use equipoise_schedule::device::{Gpu, OpenDevice};

use super::{ColorDegrees, ColorOptions, Coloring, color, color_neighbors, neighbors::neighbors};
use crate::{Result, times::timed};

/// Colors the vertices so that no edge joins two of one color on a device, as
/// [`color`](crate::color()) does on the cpu, and with the same colors.
///
/// A GPU has all strategies but `largest-degree-first` and `greedy`; `auto` is `speculative` there,
/// unless time is preferred or a model chooses.
///
/// Fails as that does; on a GPU also where the graph does not fit its memory.
///
/// ```
/// use equipoise::{ColorOptions, color_on, device::Device, graph::{Edges, GraphBuilder}};
///
/// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
/// let coloring = color_on(&Device::Auto.open()?, &triangle, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 3);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn color_on(device: &OpenDevice, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    match device {
        OpenDevice::Cpu => color(graph, options),
        OpenDevice::Gpu(gpu) => on_gpu(gpu, graph, options),
    }
}

fn on_gpu(gpu: &Gpu, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    super::gpu::color(gpu, graph, options)
}

/// Colors a graph that is on a device already, with these options.
pub(super) type Color<'a> = dyn Fn(&ColorOptions) -> Result<Coloring> + 'a;

/// A graph on a device, to be colored there; made by [`color_often`].
pub struct ColorOn<'a> {
    color: &'a Color<'a>,
    degrees: &'a ColorDegrees,
}

impl ColorOn<'_> {
    /// Colors the graph. No model chooses how: where the strategy is `auto`, a rule does.
    ///
    /// Fails as [`color_on`] does.
    pub fn color(&self, options: &ColorOptions) -> Result<Coloring> {
        (self.color)(options)
    }

    /// How many neighbours vertices have.
    pub fn degrees(&self) -> &ColorDegrees {
        self.degrees
    }
}

/// Copies a graph to a device once, and has it colored there as often as wanted.
///
/// Fails where the graph is not sound or does not fit the device, and where the work does.
///
/// ```
/// use equipoise::{ColorOptions, ColorStrategy, color_often};
/// use equipoise::{device::Device, graph::{Edges, GraphBuilder}};
///
/// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
/// let counts: Vec<u32> = color_often(&Device::Cpu.open()?, &triangle, |there| {
///     assert_eq!(there.degrees().max, 2);
///     let both = [ColorStrategy::Greedy, ColorStrategy::Speculative];
///     let options = |strategy| ColorOptions { strategy, ..ColorOptions::default() };
///     both.map(|strategy| Ok(there.color(&options(strategy))?.count)).into_iter().collect()
/// })?;
/// assert_eq!(counts, [3, 3]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn color_often<T>(
    device: &OpenDevice,
    graph: &Graph,
    work: impl FnOnce(&ColorOn) -> Result<T>,
) -> Result<T> {
    graph.check()?;
    let (simple, prepare) = timed(|| neighbors(graph));
    let simple = simple?;
    let degrees = &ColorDegrees::of(&simple);
    match device {
        OpenDevice::Cpu => {
            let color = |options: &ColorOptions| color_neighbors(&simple, options, prepare);
            work(&ColorOn { color: &color, degrees })
        }
        OpenDevice::Gpu(gpu) => {
            let neighbors = (&simple, *degrees, prepare);
            super::gpu::color_often(gpu, neighbors, |color| work(&ColorOn { color, degrees }))
        }
    }
}
