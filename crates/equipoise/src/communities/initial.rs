//! The communities to start from.

use std::{collections::HashMap, hash::Hash, path::Path};

use equipoise_graph::{Error as GraphError, Graph, io::parse_file, memory};

use crate::{Error, Result};

/// Reads the community of each vertex from a file: lines of a vertex, as the input calls it, and its community, separated by a
/// tab, a comma or spaces. A first line `vertex` `community` is a header.
pub(super) fn read(path: &Path, graph: &Graph) -> Result<Vec<u32>> {
    let path = if path == "-" { Path::new("/dev/stdin") } else { path };
    let bytes = memory::bytes_of::<[u32; 12]>(graph.vertices().into());
    memory::check("the initial communities", bytes)?;
    parse_file(path, |text| parse(text, path, graph))
}

fn parse(text: &str, path: &Path, graph: &Graph) -> Result<Vec<u32>> {
    let mut communities = vec![None; graph.vertices() as usize];
    let mut labels = Labels::default();
    for (number, line) in (1..).zip(text.lines()) {
        let invalid =
            |message| GraphError::Parse { path: path.into(), line: Some(number), message };
        let Some((id, label)) = cells(line) else {
            if line.trim().is_empty() {
                continue;
            }
            return Err(invalid("a vertex and its community are expected".into()).into());
        };
        match graph.vertex(id.as_str()) {
            None if number == 1 && (id.as_str(), label) == ("vertex", "community") => {}
            None => return Err(invalid(format!("vertex {id} does not exist")).into()),
            Some(vertex) => {
                let community = labels.number(label.to_owned());
                if communities[vertex as usize].replace(community).is_some() {
                    return Err(invalid(format!("vertex {id} has a community already")).into());
                }
            }
        }
    }
    let without = (0..).zip(&communities).find(|(_, community)| community.is_none());
    if let Some((vertex, _)) = without {
        let (id, path) = (graph.ids().id(vertex), path.display());
        return Err(Error::Option(format!("{path}: vertex {id} has no community")));
    }
    Ok(communities.into_iter().flatten().collect())
}

/// The first two cells of a line. A name may be in quotes.
fn cells(line: &str) -> Option<(String, &str)> {
    let (id, rest) = match line.split_once('\t') {
        Some((id, rest)) => (id.to_owned(), rest),
        None => quoted(line).or_else(|| {
            let separated = line.split_once(',');
            let (id, rest) = separated.or_else(|| line.trim().split_once(char::is_whitespace))?;
            Some((id.trim().to_owned(), rest))
        })?,
    };
    let mut cells = rest.trim().split(|c: char| c == ',' || c.is_whitespace());
    let label = cells.next()?;
    (!id.is_empty() && !label.is_empty()).then_some((id, label))
}

/// A name in quotes, of which two stand for one, and what follows its comma.
fn quoted(line: &str) -> Option<(String, &str)> {
    let text = line.strip_prefix('"')?;
    let end = text.match_indices("\",").find(|(at, _)| {
        // An even number of quotes before: none of them is half of a pair with the closing one.
        text[..*at].bytes().rev().take_while(|&byte| byte == b'"').count() % 2 == 0
    });
    let (at, separator) = end?;
    Some((text[..at].replace("\"\"", "\""), &text[at + separator.len()..]))
}

/// Numbers for labels of any kind.
pub(super) struct Labels<T>(HashMap<T, u32>);

impl<T> Default for Labels<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Hash + Eq> Labels<T> {
    /// The number of a label, in the order of their first use.
    pub fn number(&mut self, label: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(label).or_insert(next)
    }
}

/// The communities labelled with vertices. Fails if one has more vertices than `most`, unless that is 0.
pub(super) fn labelled(initial: &[u32], most: u32) -> Result<Vec<u32>> {
    let bytes = memory::bytes_of::<[u32; 8]>(initial.len() as u64);
    memory::check("the initial communities", bytes)?;
    let mut numbers = Labels::default();
    let labels: Vec<u32> = initial.iter().map(|&label| numbers.number(label)).collect();
    let mut sizes = vec![0; labels.len()];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    match sizes.into_iter().max() {
        Some(largest) if most != 0 && largest > most => Err(Error::Option(format!(
            "an initial community has {largest} vertices: `max-community-size` is {most}"
        ))),
        _ => Ok(labels),
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{io::ReadOptions, load};

    use super::*;

    #[test]
    fn files_have_a_community_for_each_vertex() {
        let graph = load("path:n=3", &ReadOptions::default()).unwrap();
        let parsed = |text| parse(text, Path::new("x.tsv"), &graph).map_err(|e| e.to_string());
        for text in ["vertex\tcommunity\n0\t7\n2\t5\n1\t7\n", "0,a\n1,a\n2,b", "0 1\n\n1 1\n 2 0\n"]
        {
            assert_eq!(parsed(text), Ok(vec![0, 0, 1]), "{text}");
        }
        for (text, problem) in [
            ("0\t1\n1\n", "x.tsv:2: a vertex and its community are expected"),
            ("0,1\n3,1\n", "x.tsv:2: vertex 3 does not exist"),
            ("0,1\n0,1\n", "x.tsv:2: vertex 0 has a community already"),
            ("0,1\n2,1\n", "x.tsv: vertex 1 has no community"),
        ] {
            assert_eq!(parsed(text), Err(problem.into()));
        }
        assert_eq!(cells("\"a \"\"b\"\", c\",4"), Some(("a \"b\", c".into(), "4")));
        assert_eq!(cells("Ann Lee\t4\t7"), Some(("Ann Lee".into(), "4")));
    }

    #[test]
    fn labels_are_numbered_and_sizes_limited() {
        assert_eq!(labelled(&[9, 9, u32::MAX], 2).unwrap(), [0, 0, 1]);
        assert!(labelled(&[9, 9, 9], 2).is_err());
    }
}
