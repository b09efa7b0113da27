//! A bar chart of the times of several programs, for the first page of a document.

use std::fmt::Write;

use super::{
    columns::{cells, wrong},
    svg::{STYLE, escaped, rounded, text},
};
use crate::report::Result;

/// The width of the picture, of a panel, and of its longest bar.
const WIDTH: f64 = 880.0;
const PANEL: f64 = 430.0;
const LONGEST: f64 = 302.0;
/// The left edge of the bars in a panel.
const LEFT: f64 = 76.0;
/// The distance between bars, and the gap between two graphs.
const PITCH: f64 = 13.0;
const GAP: f64 = 10.0;
/// Times with a larger ratio are drawn on a logarithmic scale.
const LINEAR: f64 = 20.0;

/// Draws the times in a CSV file as an SVG: one panel per `panel`, in it one group of bars per
/// `graph`, and in that one bar per `program`, all in the order of the file. `seconds` is the time.
/// Other columns, such as the machine and the date, are for readers of the file.
///
/// If a program has several times on a graph, the bar ends at the slowest for our programs, whose
/// names start with `Equipoise`, and at the fastest for others; a line leads to the other extreme.
///
/// ```
/// let csv = "panel,program,graph,seconds\nBFS,Equipoise,rmat20,0.0002\nBFS,GAP,rmat20,0.0036\n";
/// assert!(equipoise_lab::report::bars(csv)?.contains("3.6 ms"));
/// # Ok::<(), equipoise_lab::report::Error>(())
/// ```
pub fn bars(csv: &str) -> Result<String> {
    let chart = Chart::read(csv)?;
    let mut svg = String::new();
    let rows: Vec<&[Panel]> = chart.panels.chunks(2).collect();
    let height = 66.0 + rows.iter().map(|row| height_of(row)).sum::<f64>();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\">\n<title>Times of {}</title>\n<style>{STYLE}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" class=\"card\"/>",
        escaped(&chart.programs.join(", ")),
        WIDTH - 1.0,
        height - 1.0
    );
    legend(&mut svg, &chart.programs);
    let mut top = 54.0;
    for row in rows {
        for (column, panel) in row.iter().enumerate() {
            panel.draw(&mut svg, column as f64 * PANEL, top, &chart.programs);
        }
        top += height_of(row);
    }
    let note = "Less is better. Where runs differ, a bar is the slower time of Equipoise and the faster \
                time of others; the line goes to the other end.";
    text(&mut svg, 20.0, height - 14.0, "a", "start", note);
    svg.push_str("</svg>\n");
    Ok(svg)
}

struct Chart {
    programs: Vec<String>,
    panels: Vec<Panel>,
}

struct Panel {
    title: String,
    groups: Vec<Group>,
}

struct Group {
    graph: String,
    bars: Vec<Bar>,
}

struct Bar {
    program: usize,
    fastest: f64,
    slowest: f64,
}

impl Chart {
    fn read(csv: &str) -> Result<Self> {
        let mut chart = Self { programs: Vec::new(), panels: Vec::new() };
        for (line, [panel, program, graph, time]) in
            cells(csv, ["panel", "program", "graph", "seconds"])?
        {
            let seconds = time.parse().ok().filter(|time: &f64| *time > 0.0 && time.is_finite());
            let seconds = seconds.ok_or_else(|| wrong(line, format!("`{time}` is no time")))?;
            chart.add(&panel, &program, &graph, seconds);
        }
        if chart.panels.is_empty() { Err(wrong(1, "no times follow".into())) } else { Ok(chart) }
    }

    fn add(&mut self, panel: &str, program: &str, graph: &str, seconds: f64) {
        let program =
            index_or_insert(&mut self.programs, |it| it == program, || program.to_owned());
        let new = || Panel { title: panel.to_owned(), groups: Vec::new() };
        let panel = index_or_insert(&mut self.panels, |it| it.title == panel, new);
        let groups = &mut self.panels[panel].groups;
        let new = || Group { graph: graph.to_owned(), bars: Vec::new() };
        let group = index_or_insert(groups, |it| it.graph == graph, new);
        let bars = &mut groups[group].bars;
        let new = || Bar { program, fastest: seconds, slowest: seconds };
        let bar = index_or_insert(bars, |it| it.program == program, new);
        bars[bar].fastest = bars[bar].fastest.min(seconds);
        bars[bar].slowest = bars[bar].slowest.max(seconds);
    }
}

/// The index of a list's element, which is appended if missing.
fn index_or_insert<T>(
    list: &mut Vec<T>,
    is_it: impl Fn(&T) -> bool,
    new: impl FnOnce() -> T,
) -> usize {
    list.iter().position(is_it).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    })
}

impl Panel {
    fn height(&self) -> f64 {
        let bars: usize = self.groups.iter().map(|group| group.bars.len()).sum();
        bars as f64 * PITCH + self.groups.len() as f64 * GAP + 49.0
    }

    fn draw(&self, svg: &mut String, left: f64, top: f64, programs: &[String]) {
        let scale = Scale::for_panel(self);
        let title =
            if scale.is_log { format!("{} (log scale)", self.title) } else { self.title.clone() };
        text(svg, left + 20.0, top, "h", "start", &title);
        let (first, last) = (top + 12.0, top + self.height() - 37.0);
        for mark in scale.marks() {
            let x = left + LEFT + scale.length(mark);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{first:.1}\" y2=\"{last:.1}\" class=\"g\"/>"
            );
            text(svg, x, last + 13.0, "a", "middle", &scale.time(mark));
        }
        let mut y = first;
        for Group { graph, bars } in &self.groups {
            let middle = y + (bars.len() as f64 * PITCH) / 2.0 + 3.0;
            text(svg, left + LEFT - 6.0, middle, "t", "end", graph);
            for bar in bars {
                bar.draw(svg, left + LEFT, y, &scale, &programs[bar.program]);
                y += PITCH;
            }
            y += GAP;
        }
    }
}

impl Bar {
    fn draw(&self, svg: &mut String, x: f64, y: f64, scale: &Scale, program: &str) {
        let is_ours = program.starts_with("Equipoise");
        let shown = if is_ours { self.slowest } else { self.fastest };
        let (width, class) = (scale.length(shown), self.program.min(4));
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"11\" rx=\"1.5\" class=\"c{class}\"/>"
        );
        let mut end = width;
        if !is_ours && self.slowest > self.fastest {
            end = scale.length(self.slowest);
            let (from, to, middle) = (x + width, x + end, y + 5.5);
            let _ = writeln!(
                svg,
                "<line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\" class=\"w\"/>"
            );
        }
        text(svg, x + end + 4.0, y + 9.0, "v", "start", &scale.time(shown));
    }
}

/// A scale from times to lengths of bars.
struct Scale {
    is_log: bool,
    least: f64,
    most: f64,
}

impl Scale {
    fn for_panel(panel: &Panel) -> Self {
        let bars = || panel.groups.iter().flat_map(|group| &group.bars);
        let least = bars().map(|bar| bar.fastest).fold(f64::INFINITY, f64::min);
        let most = bars().map(|bar| bar.slowest).fold(0.0, f64::max);
        if most > LINEAR * least {
            let (least, most) =
                (10f64.powf(least.log10().floor()), 10f64.powf(most.log10().ceil()));
            Self { is_log: true, least, most }
        } else {
            // The shortest step for which four marks suffice.
            let decade = 10f64.powf((most / 4.0).log10().floor());
            let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * decade);
            let step = steps.into_iter().find(|step| 4.0 * step >= most).unwrap_or(most);
            Self { is_log: false, least: 0.0, most: 4.0 * step }
        }
    }

    fn length(&self, seconds: f64) -> f64 {
        if self.is_log {
            LONGEST * (seconds / self.least).ln() / (self.most / self.least).ln()
        } else {
            LONGEST * seconds / self.most
        }
    }

    /// A time for people: in milliseconds below a second on a logarithmic scale, and below a tenth
    /// of one on a linear scale.
    fn time(&self, seconds: f64) -> String {
        let in_milliseconds = if self.is_log { seconds < 0.9995 } else { self.most <= 0.1 };
        if in_milliseconds {
            format!("{} ms", rounded(seconds * 1e3))
        } else {
            format!("{} s", rounded(seconds))
        }
    }

    /// The marked times on the axis.
    fn marks(&self) -> Vec<f64> {
        if self.is_log {
            let decades = (self.most / self.least).log10().round() as i32;
            (0..=decades).map(|decade| self.least * 10f64.powi(decade)).collect()
        } else {
            (0..=4).map(|quarter| self.most * f64::from(quarter) / 4.0).collect()
        }
    }
}

fn height_of(row: &[Panel]) -> f64 {
    row.iter().map(Panel::height).fold(0.0, f64::max)
}

fn legend(svg: &mut String, programs: &[String]) {
    let mut x = 20.0;
    for (at, program) in programs.iter().enumerate() {
        let class = at.min(4);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"14\" width=\"11\" height=\"11\" rx=\"2\" class=\"c{class}\"/>"
        );
        text(svg, x + 16.0, 24.0, "t", "start", program);
        x += 40.0 + 7.0 * program.chars().count() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: &str = "panel,program,graph,seconds,machine\n\
                         BFS,Equipoise,a,0.001,x\nBFS,Equipoise,a,0.002,x\nBFS,GAP & more,a,0.1,x\n\
                         BFS,GAP & more,a,0.2,x\nSSSP,Equipoise,a,0.4,x\n";

    #[test]
    fn a_bar_is_never_kinder_to_us() {
        let svg = bars(TIMES).unwrap();
        assert!(svg.contains("class=\"v\" text-anchor=\"start\">2 ms<"), "{svg}");
        assert!(svg.contains("class=\"v\" text-anchor=\"start\">100 ms<"), "{svg}");
        assert_eq!(svg.matches("class=\"w\"").count(), 1);
        assert_eq!(svg.matches("(log scale)").count(), 1);
        assert!(svg.contains("GAP &amp; more"));
    }

    #[test]
    fn a_file_without_times_is_refused() {
        for (csv, message) in [
            ("panel,program,graph\n", "no column `seconds`"),
            ("panel,program,graph,seconds\n", "no times follow"),
            (
                "panel,program,graph,seconds\na,b,c,-1\n",
                "line 2 of the reference file: `-1` is no time",
            ),
        ] {
            let error = bars(csv).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
