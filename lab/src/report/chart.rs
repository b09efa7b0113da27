//! Charts for the page's script: tables, and the mapping of their columns to marks.

use serde::Serialize;
use serde_json::{Value, json};

use crate::report::{
    quantity::{Quantity, titled},
    table::{Cell, Column, Direction, Kind, Table},
};

/// The charts of one subject.
pub(crate) struct Section {
    pub id: &'static str,
    pub title: &'static str,
    pub introduction: &'static str,
    pub charts: Vec<Chart>,
}

/// A chart with its explanation.
pub(crate) struct Chart {
    /// Its anchor on the page and its file name.
    pub id: String,
    pub title: String,
    /// How to read it.
    pub reading: String,
    /// The figure of a paper that it redraws, if any.
    pub after: Option<crate::report::papers::Figure>,
    /// Statements derived from the numbers.
    pub findings: Vec<String>,
    /// The kind of its views: mostly one per graph.
    pub views_are: &'static str,
    /// Whether two such charts are placed side by side if they fit.
    pub is_half: bool,
    pub views: Vec<View>,
}

/// One of several plots that a reader can select in a chart.
pub(crate) struct View {
    pub name: String,
    pub plot: Plot,
}

/// Marks along axes.
pub(crate) struct Plot {
    layout: Layout,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    lines: Vec<Line>,
    pub table: Table,
}

/// The meaning of the rows of a plot's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Layout {
    /// Rows of the chart, with a number per series.
    Rows,
    /// Columns of the chart, with a number per series.
    Columns,
    /// Points of a series.
    Points,
}

/// An axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub title: String,
    pub quantity: Quantity,
    pub scale: Scale,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scale {
    Linear,
    Log,
    /// Whole numbers, 1 at the top.
    Rank,
}

impl Axis {
    pub fn new(title: impl Into<String>, quantity: Quantity, scale: Scale) -> Self {
        Self { title: title.into(), quantity, scale }
    }
}

/// Marks of the same kind.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Series {
    pub name: String,
    pub mark: Mark,
    pub tone: Tone,
}

/// The kind of marks of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    Bar,
    /// Stacked bars.
    Stack,
    Line,
    /// Lines labelled at their right ends.
    Named,
    Point,
}

/// The color of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tone {
    /// A distinct color, the same in all charts of a section.
    Own,
    /// The highlighted color.
    Strong,
    /// A muted color for the background.
    Muted,
}

impl Series {
    pub fn new(name: impl Into<String>, mark: Mark) -> Self {
        Self { name: name.into(), mark, tone: Tone::Own }
    }

    pub fn toned(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }
}

/// A line across the plot.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub across: Direction,
    pub at: f64,
    pub label: String,
}

/// A point of a series.
pub(crate) struct Point {
    pub series: String,
    /// Its label, if the plot's points have labels.
    pub name: Option<String>,
    pub x: f64,
    pub y: f64,
}

impl Plot {
    /// A plot of names (a graph, a strategy) with a number per series.
    pub fn of_names(layout: Layout, names_are: &str, names: &[String], value: Axis) -> Self {
        let names_axis = Axis::new(names_are, Quantity::Count, Scale::Linear);
        let table = Table {
            columns: vec![Column::text(names_are)],
            rows: names.iter().map(|name| vec![Cell::Text(name.clone())]).collect(),
        };
        let (x, y) = match layout {
            Layout::Rows => (value, names_axis),
            _ => (names_axis, value),
        };
        Self { layout, x, y, series: Vec::new(), lines: Vec::new(), table }
    }

    /// A plot of points; `names_are` is the kind of their labels, if they have any.
    pub fn of_points(names_are: Option<&str>, x: Axis, y: Axis) -> Self {
        let mut columns = vec![Column::text("series")];
        columns.extend(names_are.map(Column::text));
        columns.push(Column { name: x.title.clone(), kind: Kind::Along(Direction::X, x.quantity) });
        columns.push(Column { name: y.title.clone(), kind: Kind::Along(Direction::Y, y.quantity) });
        let table = Table { columns, rows: Vec::new() };
        Self { layout: Layout::Points, x, y, series: Vec::new(), lines: Vec::new(), table }
    }

    /// Adds a series to a plot of names, with a number per name.
    pub fn with_numbers(mut self, series: Series, numbers: Vec<Option<f64>>) -> Self {
        let (direction, quantity) = match self.layout {
            Layout::Rows => (Direction::X, self.x.quantity),
            _ => (Direction::Y, self.y.quantity),
        };
        self.add_column(&series.name, Kind::Along(direction, quantity), numbers);
        self.series.push(series);
        self
    }

    /// Adds numbers that only the table and the tooltip show to a plot of names.
    pub fn with_table_numbers(
        mut self,
        name: &str,
        quantity: Quantity,
        numbers: Vec<Option<f64>>,
    ) -> Self {
        self.add_column(name, Kind::TableOnly(quantity), numbers);
        self
    }

    fn add_column(&mut self, name: &str, kind: Kind, numbers: Vec<Option<f64>>) {
        self.table.columns.push(Column { name: name.into(), kind });
        for (row, number) in self.table.rows.iter_mut().zip(numbers) {
            row.push(number.into());
        }
    }

    /// Adds a series to a plot of points.
    pub fn with_points(mut self, series: Series, points: impl IntoIterator<Item = Point>) -> Self {
        self.series.push(series);
        self.table.rows.extend(points.into_iter().map(|point| {
            let name = point.name.map(Cell::Text);
            let numbers = [Some(point.x).into(), Some(point.y).into()];
            [Cell::Text(point.series)].into_iter().chain(name).chain(numbers).collect()
        }));
        self
    }

    /// Adds a line across the plot.
    pub fn with_line(mut self, across: Direction, at: f64, label: impl Into<String>) -> Self {
        self.lines.push(Line { across, at, label: label.into() });
        self
    }

    /// The plot for the page's script, in units for people.
    pub fn to_page(&self) -> Value {
        let is_log = |direction| self.axis(direction).scale == Scale::Log;
        let units = self.table.units(is_log);
        let unit = |direction| {
            let along = |kind: &Kind| matches!(kind, Kind::Along(d, _) if *d == direction);
            let column = self.table.columns.iter().position(|column| along(&column.kind));
            column.map_or(Quantity::Count.base(), |column| units[column])
        };
        let axis = |direction| {
            let axis = self.axis(direction);
            json!({ "title": titled(&axis.title, unit(direction)), "unit": unit(direction).name,
                    "scale": axis.scale })
        };
        let lines = self.lines.iter().map(|line| {
            let across = match line.across {
                Direction::X => "x",
                Direction::Y => "y",
            };
            json!({ "across": across, "at": line.at * unit(line.across).factor, "label": line.label })
        });
        json!({
            "layout": self.layout,
            "x": axis(Direction::X),
            "y": axis(Direction::Y),
            "series": self.series,
            "lines": lines.collect::<Value>(),
            "table": self.table.to_page(&units),
        })
    }

    fn axis(&self, direction: Direction) -> &Axis {
        match direction {
            Direction::X => &self.x,
            Direction::Y => &self.y,
        }
    }
}
