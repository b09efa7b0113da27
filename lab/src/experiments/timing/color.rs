//! The time of every candidate for coloring a graph.

use std::time::Duration;

use equipoise::{
    LoadedGraph, Result,
    color::{ColorCandidate, ColorDegrees, ColorOptions},
    device::OpenDevice,
    graph::Graph,
    traversal::graph_shape,
};

use super::median::{check_measuring, least, median_time, unless_too_large};

/// In each iteration a unit would go through all neighbours of a vertex; with more than this that
/// takes too long to be worth timing.
pub(super) const MOST_FOR_A_UNIT: u32 = 30_000;

/// What is measured of coloring.
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
    /// What is timed, one after the other: those that are likely to be fast come first.
    pub candidates: Vec<ColorCandidate>,
    /// How often each of them is timed, after one coloring that does not count.
    pub repeat: u32,
}

/// A graph colored by every candidate.
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
    /// The median time of each candidate, copying to and from the device left out; or why it was
    /// not run.
    pub times: Vec<Result<Duration, String>>,
    /// The colors that each candidate needs, if it was run.
    pub colors: Vec<Option<u32>>,
}

/// Colors a graph on a device by every candidate, and times that. Each first coloring is verified.
///
/// A candidate that takes more than 20 times as long as the fastest before it is timed once; those
/// with which a unit of a GPU goes through all neighbours of a vertex are not started where a
/// vertex has more than 30,000, and those for which there is no memory are not, either.
///
/// Fails where a coloring is wrong, and as [`LoadedGraph::color`] does.
pub fn measure_color(
    device: &OpenDevice,
    graph: &Graph,
    options: &ColorMeasureOptions,
) -> Result<MeasuredColor> {
    check_measuring(options.candidates.len(), options.repeat)?;
    let features = ColorCandidate::features(&graph_shape(graph)?);
    let (mut times, mut colors) = (Vec::new(), Vec::new());
    let there = LoadedGraph::new(device, graph)?;
    let degrees = there.neighbor_degrees()?;
    for &candidate in &options.candidates {
        if let Some(reason) = hopeless(candidate, device, &degrees) {
            times.push(Err(reason));
            colors.push(None);
            continue;
        }
        let wanted = candidate.options(&ColorOptions::default());
        let mut needed = None;
        let run = || {
            let coloring = there.color(&wanted)?;
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
        && candidate.has_a_unit_a_vertex()
        && degrees.max > MOST_FOR_A_UNIT;
    is_hopeless
        .then(|| format!("{candidate} not started: a vertex has over {MOST_FOR_A_UNIT} neighbours"))
}
