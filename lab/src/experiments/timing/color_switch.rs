//! Times hybrid coloring with every switch from degrees to random numbers.

use std::time::Duration;

use equipoise::{
    Error, LoadedGraph, Result,
    color::{ColorDegrees, ColorOptions, ColorProgress, ColorStrategy, ColorSwitch, Coloring},
    device::OpenDevice,
    graph::Graph,
};

use super::{
    color::MOST_FOR_A_UNIT,
    median::{check_measuring, median_time},
};

/// The maximum number of switch points per graph.
const MOST_POINTS: u32 = 12;
/// The minimum, however slow the coloring.
const FEWEST_POINTS: u32 = 3;
/// The time budget per graph, which limits the points between these.
const BUDGET: Duration = Duration::from_secs(10);
/// Longer runs are not repeated.
const LONG: Duration = Duration::from_millis(250);

/// A point at which hybrid may switch from degrees to random numbers.
///
/// ```
/// use equipoise::{device::Device, graph::{io::ReadOptions, load}};
/// use equipoise_lab::experiments::measure_color_switch;
///
/// let graph = load("rmat:scale=8", &ReadOptions::default())?;
/// let points = measure_color_switch(&Device::Cpu.open()?, &graph, 1)?;
/// assert_eq!(points[0].after, 0);
/// // To stay is to switch at one of the points behind.
/// assert!(points[0].stay <= points[1].switch);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorSwitchPoint {
    /// The number of iterations before it.
    pub after: u32,
    /// The state of the coloring, in the order of [`ColorProgress::feature_names`].
    pub features: [f32; 9],
    /// The time of the whole coloring with a switch here.
    pub switch: Duration,
    /// The minimum time with a later switch.
    pub stay: Duration,
}

/// Times hybrid colorings of a graph on a device, with a switch at up to 12 points from before the
/// first iteration to an iteration that colors no vertex, denser at the start. The first coloring
/// of each is verified.
///
/// Fails if a vertex has more than 30,000 neighbours and the device is a GPU, if a coloring is
/// wrong or the graph has no vertices, and as [`LoadedGraph::color`] does.
pub fn measure_color_switch(
    device: &OpenDevice,
    graph: &Graph,
    repeat: u32,
) -> Result<Vec<ColorSwitchPoint>> {
    check_measuring(1, repeat)?;
    if graph.vertices() == 0 {
        return Err(Error::Option("a graph without vertices has nothing to color".into()));
    }
    let device_graph = LoadedGraph::new(device, graph)?;
    let degrees = device_graph.neighbor_degrees()?;
    let most = degrees.max;
    if matches!(device, OpenDevice::Gpu(_)) && most > MOST_FOR_A_UNIT {
        return Err(Error::Option(format!(
            "hybrid is not started: a vertex has {most} neighbours, and a unit would go through \
                 all"
        )));
    }
    Sweep { graph, device_graph: &device_graph, degrees }.points(repeat)
}

/// Runs hybrid with each switch point.
struct Sweep<'a> {
    graph: &'a Graph,
    device_graph: &'a LoadedGraph<'a>,
    degrees: ColorDegrees,
}

impl Sweep<'_> {
    fn points(&self, repeat: u32) -> Result<Vec<ColorSwitchPoint>> {
        let longest = self.colored(ColorSwitch::Stall)?;
        longest.verify(self.graph)?;
        let repeat = if longest.times.run() > LONG { 0 } else { repeat };
        let first_phase = longest.trace.steps.iter().filter(|step| step.strategy == "degree");
        let last = first_phase.count() as u32;
        let afters = spread(last, affordable(longest.times.run(), repeat));
        let mut times = Vec::new();
        for &after in &afters {
            times.push(self.time(ColorSwitch::After(after), repeat)?);
        }
        let mut points = Vec::new();
        // The last point has no later switch to compare with.
        for (number, &after) in afters.iter().enumerate().take(afters.len() - 1) {
            let stay = times[number + 1..].iter().min().copied().unwrap_or(times[number]);
            let features = self.progress(&longest, after).features();
            points.push(ColorSwitchPoint { after, features, switch: times[number], stay });
        }
        Ok(points)
    }

    fn colored(&self, switch: ColorSwitch) -> Result<Coloring> {
        let strategy = ColorStrategy::Hybrid;
        self.device_graph.color(&ColorOptions { strategy, switch, ..ColorOptions::default() })
    }

    fn time(&self, switch: ColorSwitch, repeat: u32) -> Result<Duration> {
        let mut is_verified = false;
        let run = || {
            let coloring = self.colored(switch.clone())?;
            if !is_verified {
                coloring.verify(self.graph)?;
                is_verified = true;
            }
            Ok(coloring.times.run())
        };
        median_time(run, repeat, None)
    }

    /// The state of a coloring after `iterations` iterations; any coloring of the sweep will do.
    fn progress(&self, coloring: &Coloring, iterations: u32) -> ColorProgress {
        let steps = &coloring.trace.steps[..iterations as usize];
        ColorProgress {
            iterations,
            newly: steps.last().map_or(0, |step| step.found),
            colored: steps.iter().map(|step| step.found).sum(),
            vertices: self.graph.vertices().into(),
            units: 0,
            degrees: self.degrees,
        }
    }
}

/// The number of points that fit in the budget, if a run takes `run`.
fn affordable(run: Duration, repeat: u32) -> u32 {
    let point = run.as_secs_f64().max(1e-9) * f64::from(repeat + 1);
    ((BUDGET.as_secs_f64() / point) as u32).clamp(FEWEST_POINTS, MOST_POINTS)
}

/// At most `most` numbers from 0 to `last`: denser at the start, where iterations color the most
/// vertices.
fn spread(last: u32, most: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..most)
        .map(|index| {
            let share = f64::from(index) / f64::from(most - 1);
            ((f64::from(last) + 1.0).powf(share) - 1.0).round() as u32
        })
        .collect();
    if last < most {
        numbers = (0..=last).collect();
    }
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_closer_at_the_start() {
        assert_eq!(spread(3, 12), [0, 1, 2, 3]);
        let many = spread(1000, 12);
        assert_eq!((many[0], many.last()), (0, Some(&1000)));
        assert!(many.len() >= 10 && many.is_sorted() && many[1] < 3 && many[9] < 600);
        assert_eq!(spread(1000, 3), [0, 31, 1000]);
    }

    #[test]
    fn where_a_run_takes_long_there_are_few_points() {
        assert_eq!(affordable(Duration::from_millis(1), 3), MOST_POINTS);
        assert_eq!(affordable(Duration::from_millis(500), 3), 5);
        assert_eq!(affordable(Duration::from_secs(9), 3), FEWEST_POINTS);
    }
}
