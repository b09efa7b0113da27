//! What the first lines of an edge list say about the rest.
//!
//! Equipoise writes a first line such as
//!
//! ```text
//! # equipoise vertices=5 first-id=0 undirected weights=u32
//! ```
//!
//! Other programs skip it as a comment. It tells the number of vertices, that their ids are the
//! numbers from `first-id` on, that each edge stands for both directions, and the type of the
//! weights. Without `first-id`, ids are in a table, and lines such as `# vertex 17` follow at
//! once, one for each vertex without an edge. With `names`, vertices have names, in quotes where
//! they have blanks, as in `# vertex "New York"`.

use super::cells::{Cells, Delimiter};
use crate::io::{error::ParseError, limits::check_count, scan::Scanner, weights::WeightType};

/// How a file opens.
pub(super) enum Opening {
    /// With nothing that matters.
    Plain,
    /// As KONECT's undirected networks do.
    Undirected,
    /// As Equipoise wrote it.
    Ours(Claims),
}

/// What a file written by Equipoise claims.
pub(super) struct Claims {
    pub vertices: u32,
    pub naming: Naming,
    pub undirected: bool,
    pub weights: Option<WeightType>,
    /// Where the edges start.
    pub edges_at: usize,
}

/// How vertices are named.
pub(super) enum Naming {
    /// By the numbers from this one on.
    From(u64),
    /// By any numbers, ascending.
    Table { without_edges: Vec<u64> },
    /// By names, ascending.
    Names { without_edges: Vec<Vec<u8>> },
}

impl Opening {
    /// Reads the first lines.
    pub fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut scanner = Scanner::new(bytes, 0);
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
            Some(first) => Naming::From(first),
            None if has_names => {
                Naming::Names { without_edges: listed_vertices(&mut scanner, name)? }
            }
            None => Naming::Table { without_edges: listed_vertices(&mut scanner, number)? },
        };
        Ok(Self { vertices, naming, undirected, weights, edges_at: scanner.position() })
    }

    /// The error that the file names another number of vertices.
    pub fn wrong_count(&self, found: usize) -> ParseError {
        let message =
            format!("expected {} vertices, as this line says, found {found}", self.vertices);
        ParseError::At { byte: 0, message }
    }
}

/// Takes lines such as `# vertex 17`, each of which `vertex` reads.
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
        let message = "expected one name, in quotes if it has blanks".into();
        return Err(ParseError::At { byte: start, message });
    }
    cell.map(|cell| cell.text.into_owned()).ok_or_else(|| line.expected("the name of a vertex"))
}
