//! `equipoise color --switch-sweep`: hybrid with every switch point, as the paper's Figure 8.

use equipoise::{
    LoadedGraph,
    color::{ColorOptions, ColorStrategy, ColorSwitch},
};
use serde::Serialize;

use crate::{
    failure::Result,
    measure::Plan,
    numbers,
    screen::Screen,
    table::{Column, draw},
};

/// What is swept.
pub struct Sweep<'a> {
    pub options: &'a ColorOptions,
    /// The last switch point.
    pub last: u32,
    pub there: &'a LoadedGraph<'a>,
}

/// What came of a switch point.
#[derive(Serialize)]
struct Point {
    switch_after: u32,
    colors: u32,
    iterations: usize,
    seconds: f64,
}

impl Sweep<'_> {
    /// Runs hybrid with every switch point from 0 to the last.
    pub fn run(&self, plan: &Plan, screen: &mut Screen) -> Result<()> {
        let points = (0..=self.last).map(|after| self.point(plan, after));
        let points = points.collect::<Result<Vec<Point>>>()?;
        let columns = [
            Column::Right("switch after"),
            Column::Right("colors"),
            Column::Right("iterations"),
            Column::Right("time"),
        ];
        let table = draw(
            &columns,
            points.iter().map(|point| {
                vec![
                    point.switch_after.to_string(),
                    point.colors.to_string(),
                    point.iterations.to_string(),
                    numbers::time(std::time::Duration::from_secs_f64(point.seconds)),
                ]
            }),
        );
        screen.line(format_args!("\n{table}\n"))?;
        if let Some(best) = points.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)) {
            screen.fact("fastest", format_args!("after {} iterations", best.switch_after))?;
        }
        screen.json(&points)
    }

    fn point(&self, plan: &Plan, after: u32) -> Result<Point> {
        let options = ColorOptions {
            strategy: ColorStrategy::Hybrid,
            switch: ColorSwitch::After(after),
            ..self.options.clone()
        };
        let measured = plan.measure(
            || self.there.color(&options),
            |coloring| (coloring.times, coloring.trace.clone()),
            |coloring| coloring.verify(self.there.graph()),
        )?;
        Ok(Point {
            switch_after: after,
            colors: measured.result.count,
            iterations: measured.trace.steps.len(),
            seconds: measured.runs.time().as_secs_f64(),
        })
    }
}
