//! Detection of a header in the first line of a table.

use super::cells::{Cell, is_attributes, is_number};

/// Whether the first line of a table is a header.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Header {
    /// The first line is an edge.
    None,
    /// It is a header because the caller says so, or requests columns by name.
    Requested(String),
    /// It looks like a header, so no edge may name a vertex that it names.
    Guessed(String),
    /// It does not look like a header, but a table of names could have such a header: it is an edge
    /// only if other lines name its vertices, too.
    Unlikely,
}

/// Names of the columns of the two ends of an edge.
const ENDS: &[[&str; 2]] = &[
    ["source", "target"],
    ["from", "to"],
    ["src", "dst"],
    ["src", "dest"],
    ["source", "destination"],
    ["origin", "destination"],
    ["start", "end"],
    ["u", "v"],
    ["node1", "node2"],
    ["node_1", "node_2"],
    ["fromnodeid", "tonodeid"],
    ["from_node", "to_node"],
];
const WEIGHTS: &[&str] = &["weight", "weights", "w", "cost", "distance", "length"];
/// Names of row numbers in headers of three or more columns.
const ROWS: &[&str] = &["", "id", "index", "row", "edge", "edge_id", "unnamed: 0"];
/// The maximum length of a header in messages.
const LONGEST: usize = 60;

impl Header {
    /// Whether the first line names columns.
    pub fn is_present(&self) -> bool {
        matches!(self, Self::Requested(_) | Self::Guessed(_))
    }

    pub fn describe(&self) -> String {
        match self {
            Self::None | Self::Unlikely => "no header".to_owned(),
            Self::Requested(text) | Self::Guessed(text) => {
                let shown: String = text.chars().take(LONGEST).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                format!("header \"{shown}{more}\"")
            }
        }
    }
}

/// Guesses whether a first row names columns: by known names, or by words above the numbers of the
/// next row. A row with a number is not a header.
pub(super) fn guess(line: &[u8], first: &[Cell], second: Option<&[Cell]>) -> Header {
    let is_edge = first.iter().any(|cell| is_number(cell) || is_attributes(cell));
    let is_over_number = |(below, cell): (&Cell, &Cell)| is_number(below) && !cell.text.is_empty();
    let over_numbers = || second.unwrap_or_default().iter().zip(first).any(is_over_number);
    if is_edge {
        Header::None
    } else if ends(first).is_some() || over_numbers() {
        Header::Guessed(text_of(line))
    } else if second.is_some() {
        Header::Unlikely
    } else {
        Header::None
    }
}

/// The text of a header for messages.
pub(super) fn text_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line.trim_ascii()).into_owned()
}

/// The columns of the two vertices: those with known names, or the only two next to a weight, which
/// may be the `third` column by position. `None` if ambiguous; a table without edges needs none.
pub(super) fn columns(names: &[Cell], third: Option<usize>, is_empty: bool) -> Option<[usize; 2]> {
    if let Some(ends) = ends(names) {
        return Some(ends);
    }
    let weight = weight(names).or(third.filter(|_| names.len() == 3));
    let others: Vec<usize> = (0..names.len()).filter(|&column| Some(column) != weight).collect();
    let is_row_number = |cell: &Cell| ROWS.iter().any(|name| is_called(cell, name));
    let is_numbered = names.len() > 2 && names.first().is_some_and(is_row_number);
    match others[..] {
        [source, target] if !is_numbered => Some([source, target]),
        _ => is_empty.then_some([0, 1]),
    }
}

pub(super) fn weight(names: &[Cell]) -> Option<usize> {
    WEIGHTS.iter().find_map(|weight| find(names, weight))
}

/// The columns with known names of the ends of an edge.
fn ends(names: &[Cell]) -> Option<[usize; 2]> {
    ENDS.iter().find_map(|[source, target]| Some([find(names, source)?, find(names, target)?]))
}

pub(super) fn find(names: &[Cell], name: &str) -> Option<usize> {
    names.iter().position(|cell| is_called(cell, name))
}

fn is_called(cell: &Cell, name: &str) -> bool {
    cell.text.eq_ignore_ascii_case(name.as_bytes())
}
