//! The first lines of an edge list, which may describe the rest.
//!
//! Equipoise writes a first line such as
//!
//! ```text
//! # equipoise vertices=5 first-id=0 undirected weights=u32
//! ```
//!
//! Other programs skip it as a comment. It states the number of vertices, that their ids are the
//! numbers from `first-id` on, that each edge stands for both directions, and the type of the
//! weights. Without `first-id`, ids are in a table, and lines such as `# vertex 17` follow
//! immediately, one for each vertex without an edge. With `names`, vertices have names, in quotes
//! if they contain blanks, as in `# vertex "New York"`.

use super::{
    cells::{Cells, Delimiter},
    head::{Digits, Ends},
};
use crate::{
    WeightType,
    io::{
        error::ParseError,
        format::Format,
        limits::check_count,
        options::{IdKind, TableOptions},
        scan::Scanner,
    },
};

pub(super) enum Opening {
    /// Without relevant statements.
    Plain,
    /// KONECT's mark of an undirected network.
    Undirected,
    /// The header that Equipoise writes.
    Ours(Claims),
}

/// The statements of the header that Equipoise writes.
pub(super) struct Claims {
    pub vertices: u32,
    pub naming: Naming,
    pub undirected: bool,
    pub weights: Option<WeightType>,
    pub edges_at: usize,
}

pub(super) enum Naming {
    Numbers(Ends),
    /// Names, ascending.
    Names {
        without_edges: Vec<Vec<u8>>,
    },
}

impl Opening {
    /// Reads the first lines of a text; formats without comments have no statements. Fails if the
    /// options contradict them.
    pub fn read(bytes: &[u8], format: Format, options: &TableOptions) -> Result<Self, ParseError> {
        let opening = match format {
            Format::EdgeList => Self::read_comments(bytes)?,
            _ => Self::Plain,
        };
        if let Self::Ours(claims) = &opening {
            claims.check(options)?;
        }
        Ok(opening)
    }

    fn read_comments(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut scanner = Scanner::new(bytes, 0);
        scanner.next_line(b"");
        let konect = scanner.take(b'%');
        if !konect && !scanner.take(b'#') {
            return Ok(Self::Plain);
        }
        scanner.skip_blanks();
        let start = scanner;
        Ok(match (konect, scanner.word().as_str()) {
            (true, "sym") => Self::Undirected,
            (true, "bip") => {
                let what = "\"sym\" or \"asym\", as the two sides of a bipartite network share ids";
                return Err(start.expected(what));
            }
            (false, "equipoise") => Self::Ours(Claims::read(bytes, scanner)?),
            _ => Self::Plain,
        })
    }
}

impl Claims {
    /// Reads the rest of the first line, and the vertices listed after it.
    fn read(bytes: &[u8], mut scanner: Scanner) -> Result<Self, ParseError> {
        let (mut vertices, mut first, mut weights) = (None, None, None);
        let (mut undirected, mut has_names) = (false, false);
        while !scanner.at_line_end() {
            let start = scanner;
            let word = scanner.word();
            let value = |name: &str| word.strip_prefix(name)?.parse::<u64>().ok();
            if let Some(count) = value("vertices=") {
                vertices = Some(check_count("vertices", count, bytes.len(), start.position())?);
            } else if let Some(id) = value("first-id=") {
                first = Some(id);
            } else {
                match word.as_str() {
                    "undirected" => undirected = true,
                    "names" => has_names = true,
                    "weights=u32" => weights = Some(WeightType::U32),
                    "weights=f32" => weights = Some(WeightType::F32),
                    "weights=f64" => weights = Some(WeightType::F64),
                    _ => {
                        let known = "vertices=N, first-id=N, names, undirected, weights=u32, weights=f32 or weights=f64";
                        return Err(start.expected(known));
                    }
                }
            }
        }
        let vertices = vertices.ok_or_else(|| scanner.expected("vertices=N"))?;
        if first.is_some_and(|first| first.checked_add(vertices.into()).is_none()) {
            return Err(scanner.expected("a first-id whose vertices all have ids of 64 bits"));
        }
        scanner.end_line()?;
        let naming = match first {
            Some(first) => Naming::Numbers(Ends::From(first..first + u64::from(vertices))),
            None if has_names => {
                Naming::Names { without_edges: listed_vertices(&mut scanner, name)? }
            }
            None => Naming::Numbers(Ends::Any {
                without_edges: listed_vertices(&mut scanner, number)?,
                stated_count: Some(vertices.into()),
                digits: Digits::Any,
            }),
        };
        Ok(Self { vertices, naming, undirected, weights, edges_at: scanner.position() })
    }

    /// The type in which to read weights, given the requested one; `None` if the file has no
    /// weights.
    pub fn weights_as(&self, kind: WeightType) -> Option<WeightType> {
        self.weights.map(|claimed| kind.or(claimed))
    }

    /// Fails if the options request another layout than the file states.
    fn check(&self, options: &TableOptions) -> Result<(), ParseError> {
        let refused = match (&self.naming, options.ids) {
            _ if options.columns.is_some() => "columns",
            _ if options.header.is_some() => "a header",
            (Naming::Names { .. }, IdKind::Numbers) => "numbers as ids",
            (Naming::Numbers(_), IdKind::Names) => "names as ids",
            _ => return Ok(()),
        };
        let message =
            format!("this line says how the file is laid out: {refused} cannot be asked for");
        Err(ParseError::at_byte(0, message))
    }
}

/// Reads lines such as `# vertex 17`, each with `vertex`.
fn listed_vertices<'a, V>(
    scanner: &mut Scanner<'a>,
    vertex: impl Fn(&mut Scanner<'a>) -> Result<V, ParseError>,
) -> Result<Vec<V>, ParseError> {
    let mut vertices = Vec::new();
    loop {
        let mut line = *scanner;
        line.take(b'#');
        line.skip_blanks();
        if line.word() != "vertex" {
            return Ok(vertices);
        }
        line.skip_blanks();
        vertices.push(vertex(&mut line)?);
        line.end_line()?;
        *scanner = line;
    }
}

fn number(line: &mut Scanner) -> Result<u64, ParseError> {
    line.unsigned().ok_or_else(|| line.expected("a vertex id"))
}

fn name(line: &mut Scanner) -> Result<Vec<u8>, ParseError> {
    let start = line.position();
    let mut cells = Cells::new(line.take_line(), Delimiter::Blanks);
    let cell = cells.next().transpose().map_err(|error| error.behind(start))?;
    if cells.next().is_some() {
        return Err(ParseError::at_byte(start, "expected one name, in quotes if it has blanks"));
    }
    let name = cell.map(|cell| cell.text.into_owned()).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| line.expected("the name of a vertex"))?;
    match std::str::from_utf8(&name) {
        Ok(_) => Ok(name),
        Err(_) => Err(ParseError::at_byte(start, "expected a name in UTF-8, found other bytes")),
    }
}
