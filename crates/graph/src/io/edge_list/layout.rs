//! The layout of a table of edges: its delimiter, its header, and the columns of the two vertices
//! and the weight.

use super::{
    cells::{
        BEFORE_ATTRIBUTES, Cell, Cells, Delimiter, Rows, is_attributes, is_comment, is_number,
        skip_comments,
    },
    header::{self, Header},
};
use crate::{
    Remedy,
    io::{
        commas,
        error::ParseError,
        format::Format,
        numeric_ids::has_zeros,
        options::{IdKind, TableOptions},
        pairs::Separator,
        scan::Scanner,
    },
};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub delimiter: Delimiter,
    pub source: usize,
    pub target: usize,
    pub weight: Option<WeightAt>,
    /// The number of cells per line, with attributes in braces counted as one.
    pub width: usize,
    /// The start of the first edge's line, after the header.
    pub edges_at: usize,
    /// The further columns, if the first edge is two numbers and perhaps a weight.
    pub plain: Option<PlainColumns>,
    pub header: Header,
    /// The start of the header, if any, and its names for source and target.
    pub header_at: usize,
    pub header_ends: Vec<Vec<u8>>,
    /// The number of comment lines before it.
    pub comments: u64,
}

/// The columns after the two numbers of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlainColumns {
    pub weights: bool,
    /// Whether a column follows the weight, which is ignored.
    pub times: bool,
    pub separator: Separator,
}

/// The location of an edge's weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WeightAt {
    Column(usize),
    /// The key `weight` among the attributes in braces that NetworkX writes from this column on.
    Attributes(usize),
}

impl WeightAt {
    pub fn column(self) -> usize {
        match self {
            Self::Column(column) | Self::Attributes(column) => column,
        }
    }
}

impl Layout {
    /// Detects the layout of a text, except for what the options specify.
    pub fn detect(
        bytes: &[u8],
        format: Format,
        options: &TableOptions,
    ) -> Result<Self, ParseError> {
        let (start, comments) = match format {
            Format::EdgeList => skip_comments(bytes),
            _ => (0, 0),
        };
        let mut rows = Rows::new(bytes, start);
        let first_row = rows.next();
        let after_first = rows.position();
        let Some((first_at, first)) = first_row else {
            return Ok(Self { comments, ..Self::empty(bytes.len()) });
        };
        let delimiter = match format {
            Format::Tsv if first.contains(&b'\t') => Delimiter::Byte(b'\t'),
            Format::EdgeList if commas::ends_with_decimal_comma(first) => Delimiter::Blanks,
            _ => delimiter_of(first),
        };
        let cells = cells_of(first, delimiter, first_at)?;
        let second = rows.next();
        let below = second.map(|(at, line)| cells_of(line, delimiter, at)).transpose()?;
        check_no_comment(first, format, cells.len(), below.as_ref().map(Vec::len))
            .map_err(|error| error.behind(first_at))?;
        let header = match options.header {
            Some(false) => Header::None,
            None if !options.names_columns() => header::guess(first, &cells, below.as_deref()),
            _ => Header::Requested(header::text_of(first)),
        };
        let (names, edge, line, edges_at) = match (header.is_present(), second) {
            (true, Some((at, line))) => (Some(cells), below.unwrap_or_default(), line, at),
            (true, None) => (Some(cells), Vec::new(), &bytes[..0], after_first),
            (false, _) => (None, cells, first, first_at),
        };
        let [source, target, weight] =
            columns(options, names.as_deref(), &edge, [first_at, edges_at])?;
        let (source, target) = (source.unwrap_or(0), target.unwrap_or(1));
        let weight = weight.map(|column| match edge.get(column) {
            Some(cell) if cell.text.starts_with(b"{") => WeightAt::Attributes(column),
            _ => WeightAt::Column(column),
        });
        let width = names.as_ref().map_or(edge.len(), Vec::len);
        let has_known_columns = names.is_none() || width == 2 + usize::from(weight.is_some());
        let is_plain = options.columns.is_none()
            && (source, target) == (0, 1)
            && has_known_columns
            && is_plain(line, &edge, delimiter)
            && (options.ids == IdKind::Numbers
                || !edge.iter().take(2).any(|cell| has_zeros(&cell.text)));
        let header_ends = names.iter().flat_map(|names| [names.get(source), names.get(target)]);
        let header_ends = header_ends.flatten().map(|cell| cell.text.to_vec()).collect();
        let layout = Self {
            delimiter,
            source,
            target,
            weight,
            width,
            edges_at,
            plain: None,
            header,
            header_at: first_at,
            header_ends,
            comments,
        };
        // Empty cells occur only in tables.
        let has_tabs = format != Format::EdgeList && delimiter == Delimiter::Byte(b'\t');
        Ok(if is_plain { layout.with_plain(PlainColumns::of_line(line, has_tabs)) } else { layout })
    }

    /// The layout of lines of two numbers, whose further columns are defined by the header, or else
    /// by the first line.
    fn with_plain(self, first: PlainColumns) -> Self {
        if self.header.is_present() {
            let weights = self.weight.is_some();
            return Self { plain: Some(PlainColumns { weights, times: false, ..first }), ..self };
        }
        let weight = first.weights.then_some(WeightAt::Column(2));
        let width = 2 + usize::from(first.weights) + usize::from(first.times);
        Self { weight, width, plain: Some(first), ..self }
    }

    /// The layout of a table with names that Equipoise wrote.
    pub fn written(weight: Option<WeightAt>, edges_at: usize) -> Self {
        let width = 2 + usize::from(weight.is_some());
        Self { weight, width, plain: None, ..Self::empty(edges_at) }
    }

    /// The layout of a text without edges.
    fn empty(edges_at: usize) -> Self {
        Self {
            delimiter: Delimiter::Blanks,
            source: 0,
            target: 1,
            weight: None,
            width: 2,
            edges_at,
            plain: Some(PlainColumns::default()),
            header: Header::None,
            header_at: 0,
            header_ends: Vec::new(),
            comments: 0,
        }
    }

    /// Whether lines have a source, a target, perhaps a weight, and nothing else.
    pub fn has_only_edges(&self) -> bool {
        let is_in_third = matches!(self.weight, None | Some(WeightAt::Column(2)));
        let width = 2 + usize::from(self.weight.is_some());
        is_in_third && (self.source, self.target, self.width) == (0, 1, width)
    }

    /// The number of cells that a line must have, and the reason, for messages.
    pub fn expected_cells(&self) -> String {
        let row = if self.header.is_present() { "the header" } else { "the first row" };
        format!("{} cells, as in {row}", self.width)
    }

    /// Whether the layout was detected from the text.
    pub fn is_guess(&self, text: &[u8]) -> bool {
        self.edges_at < text.len() || self.comments > 0 || self.header.is_present()
    }

    pub fn describe(&self) -> String {
        let (source, target) = (self.source + 1, self.target + 1);
        let mut words = match self.comments {
            0 => String::new(),
            1 => "skipped 1 comment line; ".to_owned(),
            count => format!("skipped {count} comment lines; "),
        };
        words += &format!("{}; columns {source}, {target}", self.header.describe());
        match self.weight {
            None => {}
            Some(WeightAt::Column(column)) => words += &format!("; weights from {}", column + 1),
            Some(WeightAt::Attributes(column)) => {
                words += &format!("; weights from the attributes in {}", column + 1);
            }
        }
        let weight = self.weight.map(WeightAt::column);
        let is_read = |column: &usize| {
            *column == self.source || *column == self.target || Some(*column) == weight
        };
        let unread = (0..self.width).filter(|column| !is_read(column));
        let unread: Vec<usize> = unread.map(|column| column + 1).collect();
        match unread.len() {
            0 => {}
            1 => words += &format!("; column {} not read", unread[0]),
            _ => words += &format!("; columns {} not read", some_of(&unread)),
        }
        words
    }
}

/// Fails if the first line of a table without comments looks like a comment: its number of cells
/// differs from the next line's, or nothing follows the comment mark.
fn check_no_comment(
    first: &[u8],
    format: Format,
    cells: usize,
    below: Option<usize>,
) -> Result<(), ParseError> {
    let marked = first.trim_ascii_start();
    let has_word =
        marked.get(1).is_some_and(|&byte| !byte.is_ascii_whitespace() && !b"#%".contains(&byte));
    let is_row = has_word && cells > 1 && below.is_none_or(|below| below == cells);
    if format == Format::EdgeList || !is_comment(first) || is_row {
        return Ok(());
    }
    let message =
        format!("expected a row of the table, found what looks like a comment: {format} has none");
    Err(ParseError::at_byte(0, message).with_remedy(Remedy::Format(Format::EdgeList)))
}

/// The delimiter of a line: the candidate that occurs most often outside of quotes.
fn delimiter_of(line: &[u8]) -> Delimiter {
    let mut counts = [(0u32, b'\t'), (0, b','), (0, b';'), (0, b'|')];
    let (mut is_quoted, mut before, mut separators) = (false, b' ', 0);
    for &byte in line.trim_ascii() {
        // A quote within a word belongs to it, as in 5" or O"Neill.
        is_quoted = match byte {
            b'"' => !is_quoted && b" \t,;|\"".contains(&before),
            _ => is_quoted,
        };
        if byte == b'{' && separators >= BEFORE_ATTRIBUTES {
            break;
        }
        separators += usize::from(!is_quoted && b" \t,;|".contains(&byte));
        for (count, delimiter) in &mut counts {
            *count += u32::from(!is_quoted && byte == *delimiter);
        }
        before = byte;
    }
    // The first of several that are equally frequent.
    match counts.into_iter().rev().max_by_key(|&(count, _)| count) {
        Some((count, delimiter)) if count > 0 => Delimiter::Byte(delimiter),
        _ => Delimiter::Blanks,
    }
}

fn cells_of(line: &[u8], delimiter: Delimiter, at: usize) -> Result<Vec<Cell<'_>>, ParseError> {
    Cells::new(line, delimiter).map(|cell| cell.map_err(|error| error.behind(at))).collect()
}

fn columns(
    options: &TableOptions,
    names: Option<&[Cell]>,
    edge: &[Cell],
    [header_at, edge_at]: [usize; 2],
) -> Result<[Option<usize>; 3], ParseError> {
    if let Some(requested) = options.columns {
        let mut columns = requested.iter().map(|name| column(name, names, header_at));
        return Ok([columns.next(), columns.next(), columns.next()].map(Option::transpose))
            .and_then(|[source, target, weight]| Ok([source?, target?, weight?]));
    }
    let third = edge.get(2).filter(|cell| is_weight(cell)).map(|_| 2);
    // A named column whose first value is empty may have others: the reader reports the missing
    // one.
    let is_missing = edge.get(2).is_some_and(|cell| cell.text.is_empty())
        && names.and_then(|names| names.get(2)).is_some_and(|name| !name.text.is_empty());
    let third = third.or(is_missing.then_some(2));
    match names {
        Some(names) => match header::columns(names, third, edge.is_empty()) {
            Some([source, target]) => {
                let weight = header::weight(names);
                let by_place = third.filter(|_| names.len() == 3 && [source, target] == [0, 1]);
                Ok([Some(source), Some(target), weight.or(by_place)])
            }
            None => {
                let message = format!(
                    "expected columns that are called as the vertices of an edge are, or only two with a weight, found {}",
                    listed(names)
                );
                Err(ParseError::at_byte(header_at, message).with_remedy(Remedy::Columns))
            }
        },
        // Without a header, further columns have no meaning. If they are numbers, the reader
        // reports them.
        None if !edge.iter().take(2).all(looks_like_number)
            && (edge.len() > 3 || edge.get(2).is_some_and(|cell| !is_weight(cell))) =>
        {
            let message = "expected two vertices and perhaps a weight, found other columns: say \
                           which ones to read, by numbers from 1 on";
            Err(ParseError::at_byte(edge_at, message).with_remedy(Remedy::Columns))
        }
        None => Ok([Some(0), Some(1), third]),
    }
}

/// The column requested by its number, counted from 1, or by its name in the header.
fn column(name: &str, header: Option<&[Cell]>, at: usize) -> Result<usize, ParseError> {
    if let Some(index) = header.and_then(|header| header::find(header, name)) {
        return Ok(index);
    }
    if let Some(index) = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
        return Ok(index);
    }
    let message = match header {
        None => format!("the file has no header, so columns are numbers from 1 on, not `{name}`"),
        Some(header) => format!("unknown column `{name}`; this header has {}", listed(header)),
    };
    Err(ParseError::at_byte(at, message))
}

/// The names of columns, for messages.
fn listed(header: &[Cell]) -> String {
    let shown = |cell: &Cell| format!("`{}`", String::from_utf8_lossy(&cell.text));
    some_of(&header.iter().map(shown).collect::<Vec<String>>())
}

/// All of a few, or the first of many: a table may have thousands of columns.
fn some_of(all: &[impl ToString]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = all.iter().take(MOST).map(ToString::to_string).collect();
    match all.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Whether the third cell of an edge is its weight; if it is malformed, the reader reports it.
fn is_weight(cell: &Cell) -> bool {
    is_number(cell) || commas::has_commas(&cell.text) || is_attributes(cell)
}

impl PlainColumns {
    /// The columns of a line of two numbers, perhaps in a table with tabs.
    fn of_line(line: &[u8], has_tabs: bool) -> Self {
        let mut scanner = Scanner::new(line, 0);
        scanner.skip_blanks();
        scanner.unsigned();
        let commas = scanner.skip_separator();
        let has_ends = scanner.unsigned().is_some();
        let has_more = |scanner: &mut Scanner| scanner.skip_separator() || !scanner.at_line_end();
        let weights = has_ends && has_more(&mut scanner);
        let times = weights && scanner.real::<f64>().is_some() && has_more(&mut scanner);
        let separator = match (commas, has_tabs) {
            (true, _) => Separator::Comma,
            (false, true) => Separator::Tab,
            (false, false) => Separator::Blanks,
        };
        Self { weights, times, separator }
    }
}

/// Whether a line has two numbers and perhaps a weight, as in most edge lists.
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

fn looks_like_number(cell: &Cell) -> bool {
    let numeric = |&byte: &u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    cell.text.iter().all(numeric)
}
