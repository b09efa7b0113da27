//! The time of hybrid with every switch from degrees to random numbers.

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

/// The most switch points of a graph, and the fewest.
const MOST_POINTS: u32 = 12;
const FEWEST_POINTS: u32 = 3;
/// About how long a graph is colored, so that there are fewer points where one takes long.
const BUDGET: Duration = Duration::from_secs(10);
/// Runs that take longer are not repeated.
const LONG: Duration = Duration::from_millis(250);

/// A point at which hybrid may go over from degrees to random numbers.
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
    /// The iterations so far.
    pub after: u32,
    /// Where the coloring stands, in the order of [`ColorProgress::feature_names`].
    pub features: [f32; 9],
    /// The time of the whole coloring if it goes over here.
    pub switch: Duration,
    /// The least time of those that go over at a later point.
    pub stay: Duration,
}

/// Colors a graph on a device by hybrid, with a switch at up to 12 points from before the first
/// iteration to where one colors no vertex, closer to each other at the start, and times that. Each
/// first coloring is verified.
///
/// Fails where a vertex has more than 30,000 neighbours and the device is a GPU, where a coloring
/// is wrong or the graph has no vertices, and as [`LoadedGraph::color`] does.
pub fn measure_color_switch(
    device: &OpenDevice,
    graph: &Graph,
    repeat: u32,
) -> Result<Vec<ColorSwitchPoint>> {
    check_measuring(1, repeat)?;
    if graph.vertices() == 0 {
        return Err(Error::Option("a graph without vertices has nothing to color".into()));
    }
    let there = LoadedGraph::new(device, graph)?;
    let degrees = there.neighbor_degrees()?;
    let most = degrees.max;
    if matches!(device, OpenDevice::Gpu(_)) && most > MOST_FOR_A_UNIT {
        return Err(Error::Option(format!(
            "hybrid is not started: a vertex has {most} neighbours, and a unit would go through \
                 all"
        )));
    }
    Sweep { graph, there: &there, degrees }.points(repeat)
}

/// Hybrid with one switch after the other.
struct Sweep<'a> {
    graph: &'a Graph,
    there: &'a LoadedGraph<'a>,
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
        // Behind the last point there is nothing to stay for.
        for (number, &after) in afters.iter().enumerate().take(afters.len() - 1) {
            let stay = times[number + 1..].iter().min().copied().unwrap_or(times[number]);
            let features = self.progress(&longest, after).features();
            points.push(ColorSwitchPoint { after, features, switch: times[number], stay });
        }
        Ok(points)
    }

    fn colored(&self, switch: ColorSwitch) -> Result<Coloring> {
        let strategy = ColorStrategy::Hybrid;
        self.there.color(&ColorOptions { strategy, switch, ..ColorOptions::default() })
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

    /// Where a coloring stood after so many iterations, wherever it was made.
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

/// How many points there is time for, where one run takes so long.
fn affordable(run: Duration, repeat: u32) -> u32 {
    let point = run.as_secs_f64().max(1e-9) * f64::from(repeat + 1);
    ((BUDGET.as_secs_f64() / point) as u32).clamp(FEWEST_POINTS, MOST_POINTS)
}

/// So many numbers from 0 to the last, or all: closer to each other at the start, where each
/// iteration colors the most.
fn spread(last: u32, most: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..most)
        .map(|place| {
            let share = f64::from(place) / f64::from(most - 1);
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
