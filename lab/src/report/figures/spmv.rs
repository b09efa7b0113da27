//! Charts of sparse matrix times vector: all schedules, and the chosen one compared with other
//! libraries.

use std::collections::HashMap;

use super::grid::{Grid, strategy_of};
use crate::report::{
    chart::{Axis, Chart, Mark, Plot, Point, Scale, Section, Series, View},
    data::{Results, SpmvTime},
    papers::OSAMA,
    quantity::Quantity,
    table::{Direction, geometric_mean},
};

pub(super) fn section(results: &Results) -> Section {
    let spmv = Spmv::new(results);
    let charts = spmv.landscape().into_iter().chain(spmv.speedup());
    Section {
        id: "spmv",
        title: "SpMV by schedule",
        introduction: "Sparse matrix times vector over matrices of all sizes, by every schedule and \
            by other libraries on the same machine.",
        charts: charts.collect(),
    }
}

struct Spmv {
    /// Times by matrix and schedule, with its fastest settings.
    schedules: Grid,
    /// Times by matrix and library, for matrices that the schedules ran on.
    libraries: Grid,
    nonzeros: HashMap<String, f64>,
    /// The time of the chosen schedule for each matrix.
    chosen: HashMap<String, f64>,
}

impl Spmv {
    fn new(results: &Results) -> Self {
        let time = |time: &SpmvTime| (time.matrix.clone(), time.nonzeros as f64);
        let nonzeros: HashMap<String, f64> = results.spmv.iter().map(time).collect();
        let references = results.spmv_references.iter();
        let references = references.filter(|reference| nonzeros.contains_key(&reference.input));
        let chosen = results.spmv.iter().filter(|time| time.chosen);
        Self {
            schedules: Grid::new(fastest_settings(&results.spmv)),
            libraries: Grid::new(
                references.map(|time| (&*time.input, &*time.library, time.seconds)),
            ),
            chosen: chosen.map(|time| (time.matrix.clone(), time.seconds)).collect(),
            nonzeros,
        }
    }

    fn landscape(&self) -> Option<Chart> {
        let schedules = &self.schedules.columns;
        let view = |name: &str, schedules: &[String]| View {
            name: name.into(),
            plot: self.landscape_of(schedules),
        };
        let all = view("all schedules", schedules);
        let one_each = schedules.iter().map(|name| view(name, std::slice::from_ref(name)));
        (!schedules.is_empty()).then(|| Chart {
            id: "spmv-landscape".into(),
            title: "Time over the size of the matrix".into(),
            reading: "Each point is a matrix; the lower, the faster. Where a schedule's points lie \
                above the others, it does not suit those matrices; of its settings, the fastest are \
                shown. A single schedule can be picked, next to the other libraries."
                .into(),
            after: Some(OSAMA.figure("Figs. 2 and 3")),
            findings: self.findings(),
            views_are: "schedule",
            is_half: false,
            views: std::iter::once(all).chain(one_each).collect(),
        })
    }

    fn findings(&self) -> Vec<String> {
        let matrices = &self.schedules.rows;
        let over_fastest = |matrix: &String| {
            let chosen = *self.chosen.get(matrix)?;
            let fastest = self.schedules.smallest(matrix).filter(|&seconds| seconds > 0.0)?;
            Some(chosen / fastest)
        };
        let ratios: Vec<f64> = matrices.iter().filter_map(over_fastest).collect();
        let (judged, right) = (ratios.len(), ratios.iter().filter(|&&ratio| ratio <= 1.0).count());
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let mean = geometric_mean(ratios.into_iter());
        let chosen = (judged > 0).then(|| {
            format!(
                "The chosen schedule is the fastest on {right} of {judged} and takes {mean:.2}× the \
                 time of the fastest on average (geometric mean), {worst:.2}× at worst."
            )
        });
        std::iter::once(format!("Matrices: {}.", matrices.len())).chain(chosen).collect()
    }

    fn landscape_of(&self, schedules: &[String]) -> Plot {
        let seconds = Axis::new("time", Quantity::Seconds, Scale::Log);
        let plot = Plot::of_points(Some("matrix"), nonzeros_axis(), seconds);
        let plot = schedules.iter().fold(plot, |plot, name| {
            plot.with_points(Series::new(name, Mark::Point), self.points(&self.schedules, name))
        });
        self.libraries.columns.iter().fold(plot, |plot, name| {
            plot.with_points(Series::new(name, Mark::Point), self.points(&self.libraries, name))
        })
    }

    fn points(&self, times: &Grid, name: &str) -> Vec<Point> {
        let point = |matrix: &String| self.point(name, matrix, times.get(matrix, name)?);
        times.rows.iter().filter_map(point).collect()
    }

    fn point(&self, series: &str, matrix: &str, y: f64) -> Option<Point> {
        let x = *self.nonzeros.get(matrix)?;
        Some(Point { series: series.into(), name: Some(matrix.into()), x, y })
    }

    /// The speedup of the chosen schedule over each library; `None` without both.
    fn speedup(&self) -> Option<Chart> {
        let speedups = self.libraries.columns.iter().map(|name| (name, self.speedups_over(name)));
        let speedups: Vec<(&String, Vec<Point>)> =
            speedups.filter(|(_, points)| !points.is_empty()).collect();
        let axis = Axis::new("speed-up", Quantity::Ratio, Scale::Log);
        let findings = speedups.iter().map(|(name, points)| finding(name, points)).collect();
        let plot = Plot::of_points(Some("matrix"), nonzeros_axis(), axis);
        let plot = plot.with_line(Direction::Y, 1.0, "");
        let is_empty = speedups.is_empty();
        let plot = speedups.into_iter().fold(plot, |plot, (name, points)| {
            plot.with_points(Series::new(format!("over {name}"), Mark::Point), points)
        });
        (!is_empty).then(|| Chart {
            id: "spmv-speedup".into(),
            title: "Speed-up of the chosen schedule".into(),
            reading:
                "Each point is a matrix: the library's time over that of the schedule that the \
                policy chose. Above 1, Equipoise is faster."
                    .into(),
            after: Some(OSAMA.figure("Fig. 4")),
            findings,
            views_are: "",
            is_half: false,
            views: vec![View { name: "all matrices".into(), plot }],
        })
    }

    fn speedups_over(&self, library: &str) -> Vec<Point> {
        let point = |matrix: &String| {
            let chosen = self.chosen.get(matrix).filter(|&&seconds| seconds > 0.0)?;
            let speedup = self.libraries.get(matrix, library)? / chosen;
            self.point(&format!("over {library}"), matrix, speedup)
        };
        self.libraries.rows.iter().filter_map(point).collect()
    }
}

/// The least time of each schedule on each matrix, in order of occurrence.
fn fastest_settings(times: &[SpmvTime]) -> Vec<(&str, &str, f64)> {
    let mut fastest: Vec<(&str, &str, f64)> = Vec::new();
    let mut indices: HashMap<(&str, &str), usize> = HashMap::new();
    for time in times {
        let names = (&*time.matrix, strategy_of(&time.schedule));
        let index = *indices.entry(names).or_insert(fastest.len());
        match fastest.get_mut(index) {
            Some((_, _, seconds)) => *seconds = seconds.min(time.seconds),
            None => fastest.push((names.0, names.1, time.seconds)),
        }
    }
    fastest
}

fn nonzeros_axis() -> Axis {
    Axis::new("nonzeros", Quantity::Count, Scale::Log)
}

fn finding(library: &str, points: &[Point]) -> String {
    let speedups = || points.iter().map(|point| point.y);
    let (mean, peak) = (geometric_mean(speedups()), speedups().fold(0.0, f64::max));
    let faster = speedups().filter(|speedup| *speedup > 1.0).count();
    let all = points.len();
    format!(
        "Over {library}: {mean:.2}× on average (geometric mean), {peak:.1}× at most, faster on {faster} of {all} matrices."
    )
}
