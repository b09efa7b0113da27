//! Times every candidate for coloring a graph.

use std::time::Duration;

use equipoise::{
    LoadedGraph, Result,
    color::{ColorCandidate, ColorDegrees, ColorOptions},
    device::OpenDevice,
    graph::Graph,
    traversal::graph_shape,
};

use super::median::{check_measuring, least, median_time, unless_too_large};

/// Beyond this degree, strategies with one thread per vertex are not timed: in each iteration, one
/// thread would scan all neighbours of a vertex.
pub(super) const MOST_FOR_A_UNIT: u32 = 30_000;

/// The parameters of a measurement of coloring.
///
/// ```
/// use equipoise::color::ColorCandidate;
/// use equipoise_lab::experiments::ColorMeasureOptions;
///
/// let candidates = ColorCandidate::of_gpu().to_vec();
/// let options = ColorMeasureOptions { candidates, repeat: 5 };
/// assert_eq!(options.candidates[0].name(), "speculative");
/// ```
#[derive(Clone, Debug)]
pub struct ColorMeasureOptions {
    /// The candidates in the order of timing: those that are likely to be fast come first.
    pub candidates: Vec<ColorCandidate>,
    /// The number of timed runs per candidate, after an untimed coloring.
    pub repeat: u32,
}

/// The times and colors of every candidate on a graph.
///
/// ```
/// use equipoise::{color::ColorCandidate, device::Device, graph::{Edges, GraphBuilder}};
/// use equipoise_lab::experiments::{ColorMeasureOptions, measure_color};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let options = ColorMeasureOptions { candidates: ColorCandidate::of_cpu().to_vec(), repeat: 1 };
/// let measured = measure_color(&Device::Cpu.open()?, &graph, &options)?;
/// assert_eq!(measured.colors[0], Some(2));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeasuredColor {
    /// The features of the graph, in the order of [`ColorCandidate::feature_names`].
    pub features: Vec<f32>,
    /// The median time of each candidate, without copying to and from the device; or the reason why
    /// it was not run.
    pub times: Vec<Result<Duration, String>>,
    /// The number of colors of each candidate, if it was run.
    pub colors: Vec<Option<u32>>,
}

/// Colors a graph on a device by every candidate, with times. The first coloring of each is
/// verified.
///
/// A candidate that takes more than 20 times as long as the fastest before it is timed once.
/// Candidates that scan all neighbours of a vertex in one thread of a GPU are skipped if a vertex
/// has more than 30,000, and so are those that do not fit in memory.
///
/// Fails if a coloring is wrong, and as [`LoadedGraph::color`] does.
pub fn measure_color(
    device: &OpenDevice,
    graph: &Graph,
    options: &ColorMeasureOptions,
) -> Result<MeasuredColor> {
    check_measuring(options.candidates.len(), options.repeat)?;
    let features = ColorCandidate::features(&graph_shape(graph)?);
    let (mut times, mut colors) = (Vec::new(), Vec::new());
    let device_graph = LoadedGraph::new(device, graph)?;
    let degrees = device_graph.neighbor_degrees()?;
    for &candidate in &options.candidates {
        if let Some(reason) = hopeless(candidate, device, &degrees) {
            times.push(Err(reason));
            colors.push(None);
            continue;
        }
        let color_options = candidate.options(&ColorOptions::default());
        let mut needed = None;
        let run = || {
            let coloring = device_graph.color(&color_options)?;
            if needed.is_none() {
                coloring.verify(graph)?;
                needed = Some(coloring.count);
            }
            Ok(coloring.times.run())
        };
        let time = median_time(run, options.repeat, least(&times));
        times.push(unless_too_large(time)?);
        colors.push(needed);
    }
    Ok(MeasuredColor { features, times, colors })
}

fn hopeless(
    candidate: ColorCandidate,
    device: &OpenDevice,
    degrees: &ColorDegrees,
) -> Option<String> {
    let is_hopeless = matches!(device, OpenDevice::Gpu(_))
        && candidate.has_one_unit_per_vertex()
        && degrees.max > MOST_FOR_A_UNIT;
    is_hopeless
        .then(|| format!("{candidate} not started: a vertex has over {MOST_FOR_A_UNIT} neighbours"))
}
