//! The graphs that are measured: a file with a line for each.

use std::{
    fs,
    path::{Path, PathBuf},
};

use equipoise::graph::{Graph, generate::Spec, io::ReadOptions, load};

use crate::{
    failure::{Failure, Result},
    sources,
};

/// A graph of a suite, not yet loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is called in results.
    pub name: String,
    /// What it is like: graphs of a family are alike.
    pub family: String,
    source: String,
}

/// A graph of a suite, and where its searches start.
pub struct Subject {
    pub name: String,
    pub graph: Graph,
    /// The vertex with the most edges.
    pub source: u32,
}

/// Reads a suite. Files are looked for in the folder `data`.
pub fn read(path: &Path, data: &Path) -> Result<Vec<Entry>> {
    let text = fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    parse(&text, data).map_err(|problem| Failure::new(format!("{}: {problem}", path.display())))
}

fn parse(text: &str, data: &Path) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let entry = Entry::parse(line, data).map_err(|why| format!("line {number}: {why}"))?;
        if entries.iter().any(|other| other.name == entry.name) {
            return Err(format!("line {number}: there is a graph `{}` already", entry.name));
        }
        entries.push(entry);
    }
    match entries.is_empty() {
        true => Err("there is no graph in it".into()),
        false => Ok(entries),
    }
}

impl Entry {
    fn parse(line: &str, data: &Path) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, family, source] = words[..] else {
            return Err(format!(
                "expected a name, a family, and a generator's spec or a file, but found `{line}`"
            ));
        };
        let file: PathBuf = data.join(source);
        let source = match file.is_file() {
            true => file.to_string_lossy().into_owned(),
            false => source
                .parse::<Spec>()
                .map(|_| source.to_owned())
                .map_err(|error| format!("there is no file {}, and {error}", file.display()))?,
        };
        Ok(Self { name: name.into(), family: family.into(), source })
    }

    /// Loads the graph.
    pub fn load(&self) -> Result<Subject> {
        let failed = |problem: String| Failure::new(format!("{}: {problem}", self.name));
        let graph = load(&self.source, &ReadOptions::default());
        let graph = graph.map_err(|error| failed(error.to_string()))?;
        graph.check().map_err(|error| failed(error.to_string()))?;
        if graph.vertices() == 0 {
            return Err(failed("the graph has no vertices, so there is none to start from".into()));
        }
        let source = sources::largest_degree(&graph);
        Ok(Subject { name: self.name.clone(), graph, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(text: &str) -> String {
        parse(text, Path::new("nowhere")).unwrap_err()
    }

    #[test]
    fn a_line_is_a_name_a_family_and_a_source() {
        let suite = "# all of them\n\nsmall\tpaths  path:n=3 # short\nstar stars star:n=9\n";
        let entries = parse(suite, Path::new("nowhere")).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!((&*entries[0].name, &*entries[0].family), ("small", "paths"));
        assert_eq!(entries[0].load().unwrap().graph.vertices(), 3);
        assert_eq!(entries[1].load().unwrap().source, 0);
    }

    #[test]
    fn files_are_found_in_the_folder_of_data() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("pair.el"), "0 1\n").unwrap();
        let entries = parse("pair files pair.el", folder.path()).unwrap();
        assert_eq!(entries[0].load().unwrap().graph.vertices(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        assert!(error_of("a paths path:n=3\nb path:n=3\n").starts_with("line 2: expected a name"));
        assert!(error_of("\na paths roads.mtx\n").starts_with("line 2: there is no file nowhere"));
        assert!(error_of("a p path:m=3").contains("there is no key of path `m`"));
        assert!(error_of("a p path:n=3\na p path:n=4").contains("line 2: there is a graph `a`"));
        assert_eq!(error_of("# nothing\n"), "there is no graph in it");
    }
}
