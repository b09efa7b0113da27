//! How a table of edges is laid out: what stands between cells, whether there is a header, and which
//! columns are the two vertices and the weight.

use super::cells::{Cell, Cells, Delimiter, Rows};
use crate::io::{error::ParseError, options::TableOptions, scan::Scanner};

/// The layout of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub delimiter: Delimiter,
    pub source: usize,
    pub target: usize,
    pub weight: Option<WeightAt>,
    /// Where the first edge's line starts, behind the header.
    pub edges_at: usize,
    /// Whether the first edge has two numbers and perhaps a weight, and nothing else.
    pub is_plain: bool,
}

/// Where the weight of an edge stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WeightAt {
    /// In a column.
    Column(usize),
    /// Under `weight` among the attributes in braces that NetworkX writes from this column on.
    Attributes(usize),
}

/// Names that headers have for the two ends of an edge.
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
    ["fromnodeid", "tonodeid"],
    ["from_node", "to_node"],
];
/// What stands before a weight among attributes.
pub(super) const WEIGHT_KEYS: [&str; 2] = ["'weight':", "\"weight\":"];
/// Names that headers have for weights.
const WEIGHTS: &[&str] = &["weight", "weights", "w", "cost", "distance", "length"];

impl Layout {
    /// Finds the layout of a text out, as far as the options do not tell it.
    pub fn of(bytes: &[u8], options: &TableOptions) -> Result<Self, ParseError> {
        let mut rows = Rows::new(bytes, 0);
        let first_row = rows.next();
        let after_first = rows.position();
        let Some((first_at, first)) = first_row else {
            return Ok(Self::plain(bytes.len()));
        };
        let delimiter = delimiter_of(first);
        let cells = cells_of(first, delimiter, first_at)?;
        let second = rows.next();
        let below = second.map(|(at, line)| cells_of(line, delimiter, at)).transpose()?;
        let has_header = match options.header {
            Some(has_header) => has_header,
            None => options.names_columns() || is_header(&cells, below.as_deref()),
        };
        let (header, edge, line, edges_at) = match (has_header, second) {
            (true, Some((at, line))) => (Some(cells), below.unwrap_or_default(), line, at),
            (true, None) => (Some(cells), Vec::new(), &bytes[..0], after_first),
            (false, _) => (None, cells, first, first_at),
        };
        let [source, target, weight] =
            columns(options, header.as_deref(), &edge, [first_at, edges_at])?;
        let (source, target) = (source.unwrap_or(0), target.unwrap_or(1));
        let weight = weight.map(|column| match edge.get(column) {
            Some(cell) if cell.text.starts_with(b"{") => WeightAt::Attributes(column),
            _ => WeightAt::Column(column),
        });
        let has_known_columns = match &header {
            Some(header) => header.len() == 2 + usize::from(weight.is_some()),
            None => true,
        };
        let is_plain = options.columns.is_none()
            && (source, target) == (0, 1)
            && has_known_columns
            && is_plain(line, &edge, delimiter);
        Ok(Self { delimiter, source, target, weight, edges_at, is_plain })
    }

    /// That of a table with names that Equipoise wrote.
    pub fn written(weight: Option<WeightAt>, edges_at: usize) -> Self {
        Self { weight, is_plain: false, ..Self::plain(edges_at) }
    }

    /// That of a text without edges.
    fn plain(edges_at: usize) -> Self {
        let delimiter = Delimiter::Blanks;
        Self { delimiter, source: 0, target: 1, weight: None, edges_at, is_plain: true }
    }
}

/// The delimiter of a line: that of the bytes which stands most often outside of quotes.
fn delimiter_of(line: &[u8]) -> Delimiter {
    let mut counts = [(0u32, b'\t'), (0, b','), (0, b';'), (0, b'|')];
    let mut is_quoted = false;
    for &byte in line.trim_ascii() {
        is_quoted ^= byte == b'"';
        if byte == b'{' {
            break;
        }
        for (count, delimiter) in &mut counts {
            *count += u32::from(!is_quoted && byte == *delimiter);
        }
    }
    // The first of several that stand as often.
    match counts.into_iter().rev().max_by_key(|&(count, _)| count) {
        Some((count, delimiter)) if count > 0 => Delimiter::Byte(delimiter),
        _ => Delimiter::Blanks,
    }
}

fn cells_of(line: &[u8], delimiter: Delimiter, at: usize) -> Result<Vec<Cell<'_>>, ParseError> {
    Cells::new(line, delimiter).map(|cell| cell.map_err(|error| error.behind(at))).collect()
}

/// Whether a first row names columns: as headers do, or by words over what is a number in the next.
fn is_header(first: &[Cell], second: Option<&[Cell]>) -> bool {
    let over_numbers = second.unwrap_or_default().iter().zip(first).any(|(below, cell)| {
        is_number(below)
            && !is_number(cell)
            && !cell.text.is_empty()
            && !cell.text.starts_with(b"{")
    });
    let has_numbers = first.iter().any(is_number);
    over_numbers && !has_numbers || find_ends(first).is_some()
}

/// The columns that a header calls as ends of an edge are called.
fn find_ends(header: &[Cell]) -> Option<[usize; 2]> {
    ENDS.iter().find_map(|[source, target]| {
        Some([find(header, source.as_bytes())?, find(header, target.as_bytes())?])
    })
}

fn find(header: &[Cell], name: &[u8]) -> Option<usize> {
    header.iter().position(|cell| cell.text.eq_ignore_ascii_case(name))
}

/// The columns of source, target and weight.
fn columns(
    options: &TableOptions,
    header: Option<&[Cell]>,
    edge: &[Cell],
    [header_at, edge_at]: [usize; 2],
) -> Result<[Option<usize>; 3], ParseError> {
    if let Some(asked) = options.columns {
        let mut found = asked.iter().map(|name| column(name, header, header_at));
        return Ok([found.next(), found.next(), found.next()].map(Option::transpose))
            .and_then(|[source, target, weight]| Ok([source?, target?, weight?]));
    }
    let [source, target] = header.and_then(find_ends).unwrap_or([0, 1]);
    let by_name =
        header.and_then(|header| WEIGHTS.iter().find_map(|weight| find(header, weight.as_bytes())));
    if by_name.is_some() || [source, target] != [0, 1] {
        return Ok([Some(source), Some(target), by_name]);
    }
    let third = edge.get(2);
    let is_weight = third.is_some_and(|cell| is_number(cell) || has_weight_attribute(cell));
    let is_left = third.is_some_and(|cell| !is_weight && !cell.text.starts_with(b"{"));
    let is_plain = edge.iter().take(2).all(looks_like_number);
    match header {
        Some(header) => Ok([Some(0), Some(1), (is_weight && header.len() == 3).then_some(2)]),
        // Without a header nothing tells what other columns are. Of numbers, the reader says so.
        None if !is_plain && (is_left || edge.len() > 3) => {
            let message = "expected two vertices and perhaps a weight, found other columns: say \
                           which ones to read, by numbers from 1 on";
            Err(ParseError::At { byte: edge_at, message: message.into() })
        }
        None => Ok([Some(0), Some(1), is_weight.then_some(2)]),
    }
}

/// The column that is asked for by its number from 1 on, or by its name in the header.
fn column(name: &str, header: Option<&[Cell]>, at: usize) -> Result<usize, ParseError> {
    if let Some(place) = header.and_then(|header| find(header, name.as_bytes())) {
        return Ok(place);
    }
    if let Some(place) = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
        return Ok(place);
    }
    let known = header
        .unwrap_or_default()
        .iter()
        .map(|cell| format!("`{}`", String::from_utf8_lossy(&cell.text)));
    let known: Vec<String> = known.collect();
    let message = match known.is_empty() {
        true => format!("there is no header, so `{name}` is no column: ask by numbers from 1 on"),
        false => format!("there is no column `{name}`; this header has {}", known.join(", ")),
    };
    Err(ParseError::At { byte: at, message })
}

/// Whether a cell is attributes with a weight among them.
fn has_weight_attribute(cell: &Cell) -> bool {
    let has = |key: &str| cell.text.windows(key.len()).any(|part| part == key.as_bytes());
    cell.text.starts_with(b"{") && WEIGHT_KEYS.iter().any(|key| has(key))
}

/// Whether a line has two numbers and perhaps a weight, as most edge lists have.
fn is_plain(line: &[u8], cells: &[Cell], delimiter: Delimiter) -> bool {
    let mut scanner = Scanner::new(line, 0);
    scanner.skip_blanks();
    if scanner.unsigned().is_some() {
        scanner.skip_separator();
        if scanner.unsigned().is_some() {
            scanner.skip_separator();
            return !scanner.take(b'{');
        }
    }
    let is_usual = !matches!(delimiter, Delimiter::Byte(b';' | b'|'));
    is_usual && !line.contains(&b'"') && cells.iter().take(2).all(looks_like_number)
}

/// Whether a cell is a number, or a mistyped one.
fn looks_like_number(cell: &Cell) -> bool {
    let numeric = |&byte: &u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    cell.text.iter().all(numeric)
}

fn is_number(cell: &Cell) -> bool {
    let mut scanner = Scanner::new(&cell.text, 0);
    cell.text.iter().any(u8::is_ascii_digit)
        && scanner.real::<f64>().is_some()
        && scanner.remaining() == 0
}
