//! A picture of how times grow with the graph, for a document.

use std::fmt::Write;

use super::{
    columns::{cells, wrong},
    svg::{STYLE, escaped, rounded, text},
};
use crate::report::Result;

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 440.0;
/// The area of the lines.
const LEFT: f64 = 76.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 370.0;
/// The least distance between the names of two lines.
const BETWEEN: f64 = 16.0;
/// What the cases of a table begin with that the picture shows, and its graphs.
const CASE: &str = "growth ";
const GRAPH: &str = "rmat";

/// Draws the times of a table that `measurements/peers.py` made as an SVG: for each case that begins with `growth`, a line
/// over the scale of the RMAT graph. Both axes are logarithmic, so that the slope of a line is the power of its growth; the
/// name of a line says by which factor its time grows where the graph doubles.
///
/// ```
/// let csv = "case,graph,milliseconds\ngrowth bfs,rmat20,0.5\ngrowth bfs,rmat21,1\n";
/// assert!(equipoise_lab::report::growth(csv)?.contains("bfs: × 2 per doubling"));
/// # Ok::<(), equipoise_lab::report::Error>(())
/// ```
pub fn growth(csv: &str) -> Result<String> {
    let lines = read(csv)?;
    let axes = Axes::of(&lines);
    let mut svg = String::new();
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\">\n<title>How the times of {} grow with the graph</title>\n\
         <style>{STYLE}polyline{{fill:none;stroke-width:2}}\
         .s0{{stroke:#0b7a75}}.s1{{stroke:#6cc2bd}}.s2{{stroke:#c9772c}}.s3{{stroke:#8250df}}.s4{{stroke:#57606a}}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" class=\"card\"/>",
        escaped(&names.join(", ")),
        WIDTH - 1.0,
        HEIGHT - 1.0
    );
    text(&mut svg, 20.0, 28.0, "h", "start", "Time on one GPU, ms");
    axes.draw(&mut svg);
    let mut names: Vec<(f64, usize)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        draw(&mut svg, line, &axes, index);
        names.push((line.points.last().map_or(BOTTOM, |&(_, time)| axes.y(time)), index));
    }
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest = f64::NEG_INFINITY;
    for (y, index) in names {
        lowest = (lowest + BETWEEN).max(y);
        let label =
            format!("{}: × {} per doubling", lines[index].name, rounded(lines[index].factor()));
        text(&mut svg, RIGHT + 12.0, lowest + 4.0, "t", "start", &label);
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// The times of an algorithm: scales and milliseconds, in ascending order of scales.
struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Line {
    /// The factor by which the time grows per scale: the slope of the line through all points with the least squares.
    fn factor(&self) -> f64 {
        let count = self.points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| self.points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1.log2()));
        let (mut covariance, mut variance) = (0.0, 0.0);
        for (scale, time) in &self.points {
            covariance += (scale - x) * (time.log2() - y);
            variance += (scale - x) * (scale - x);
        }
        if variance > 0.0 { (covariance / variance).exp2() } else { 1.0 }
    }
}

fn read(csv: &str) -> Result<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    for (at, [case, graph, time]) in cells(csv, ["case", "graph", "milliseconds"])? {
        let Some(name) = case.strip_prefix(CASE) else { continue };
        let scale = graph.strip_prefix(GRAPH).and_then(|scale| scale.parse().ok());
        let scale: f64 =
            scale.ok_or_else(|| wrong(at, format!("`{graph}` is no graph such as rmat20")))?;
        let time = time.parse().ok().filter(|time: &f64| *time > 0.0 && time.is_finite());
        let time = time.ok_or_else(|| wrong(at, "no time above zero".into()))?;
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push((scale, time)),
            None => lines.push(Line { name: name.into(), points: vec![(scale, time)] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    if lines.is_empty() {
        Err(wrong(1, format!("no case begins with `{CASE}`")))
    } else {
        Ok(lines)
    }
}

/// The scales of the two axes.
struct Axes {
    first: f64,
    last: f64,
    /// Powers of ten around all times.
    least: f64,
    most: f64,
}

impl Axes {
    fn of(lines: &[Line]) -> Self {
        let points = || lines.iter().flat_map(|line| &line.points);
        let times = || points().map(|point| point.1);
        let decade = |time: f64, round: fn(f64) -> f64| 10f64.powf(round(time.log10()));
        Self {
            first: points().map(|point| point.0).fold(f64::INFINITY, f64::min),
            last: points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max),
            least: decade(times().fold(f64::INFINITY, f64::min), f64::floor),
            most: decade(times().fold(0.0, f64::max), f64::ceil),
        }
    }

    fn x(&self, scale: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * (scale - self.first) / (self.last - self.first).max(1.0)
    }

    fn y(&self, time: f64) -> f64 {
        let share = (time / self.least).ln() / (self.most / self.least).ln().max(1.0);
        BOTTOM - (BOTTOM - TOP) * share
    }

    fn draw(&self, svg: &mut String) {
        let decades = (self.most / self.least).log10().round() as i32;
        for time in (0..=decades).map(|decade| self.least * 10f64.powi(decade)) {
            let y = self.y(time);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\" class=\"g\"/>"
            );
            text(svg, LEFT - 8.0, y + 4.0, "a", "end", &rounded(time));
        }
        let mut scale = self.first;
        while scale <= self.last {
            text(svg, self.x(scale), BOTTOM + 20.0, "a", "middle", &format!("rmat{scale}"));
            scale += 1.0;
        }
        let note = "rmat20 has 1 M vertices and 31 M directed edges; each further one has twice as many. Both axes are logarithmic.";
        text(svg, 20.0, HEIGHT - 16.0, "a", "start", note);
    }
}

fn draw(svg: &mut String, line: &Line, axes: &Axes, index: usize) {
    let class = index % 5;
    let points: Vec<String> = line
        .points
        .iter()
        .map(|&(scale, time)| format!("{:.1},{:.1}", axes.x(scale), axes.y(time)))
        .collect();
    let _ = writeln!(svg, "<polyline points=\"{}\" class=\"s{class}\"/>", points.join(" "));
    let last = line.points.len() - 1;
    for (number, &(scale, time)) in line.points.iter().enumerate() {
        let (x, y) = (axes.x(scale), axes.y(time));
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"c{class}\"/>");
        // Numbers at all points would overlap.
        if number == 0 || number == last {
            let above = if index.is_multiple_of(2) { -8.0 } else { 16.0 };
            text(svg, x, y + above, "v", "middle", &rounded(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_a_doubling() {
        let line = Line { name: "x".into(), points: vec![(20.0, 1.0), (22.0, 9.0), (24.0, 81.0)] };
        assert!((line.factor() - 3.0).abs() < 1e-9);
    }

    #[test]
    fn other_cases_are_left_out_and_names_do_not_overlap() {
        let csv = "case,graph,program,milliseconds\nbfs,rmat20,x,1\n\
                   growth a,rmat20,x,1\ngrowth b,rmat20,x,1\ngrowth a,rmat21,x,2\ngrowth b,rmat21,x,2\n";
        let svg = growth(csv).unwrap();
        assert_eq!(svg.matches("<polyline").count(), 2);
        let heights: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains("per doubling"))
            .filter_map(|line| line.split("y=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert!(heights[1] - heights[0] >= BETWEEN, "{heights:?}");
    }

    #[test]
    fn a_table_without_growth_is_refused() {
        for (csv, message) in [
            ("case,graph\n", "no column `milliseconds`"),
            ("case,graph,milliseconds\nbfs,rmat20,1\n", "no case begins with `growth `"),
            ("case,graph,milliseconds\ngrowth bfs,grid,1\n", "`grid` is no graph"),
            ("case,graph,milliseconds\ngrowth bfs,rmat20,-1\n", "no time above zero"),
        ] {
            let error = growth(csv).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
