//! What the tests of GraphML and of GML share.

use equipoise_graph::{
    Graph, Result,
    io::{Format, IdKind, ReadOptions, TableOptions, parse_graph},
};

/// Reads a text with options for its ids and columns.
pub fn read_as(format: Format, text: &str, ids: IdKind, columns: Option<&[&str]>) -> Result<Graph> {
    let columns: Option<Vec<String>> =
        columns.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    let table = TableOptions { ids, columns: columns.as_deref(), ..Default::default() };
    parse_graph(text.as_bytes(), format, &ReadOptions { table, ..Default::default() })
}

/// Reads a text that is right.
pub fn read(format: Format, text: &str) -> Graph {
    let read = read_as(format, text, IdKind::Auto, None);
    read.unwrap_or_else(|error| panic!("{format} should read {text:?}: {error}"))
}

/// Each edge as a word, in order: `from>to` with the weight, if there is one, behind it.
pub fn edges(graph: &Graph) -> Vec<String> {
    let coo = graph.coo().unwrap();
    let edge = |edge: usize| {
        let [from, to] = [coo.sources[edge], coo.targets[edge]].map(|end| graph.ids().id(end));
        let weight = graph.weights().map(|weights| format!(" {}", weights.get(edge)));
        format!("{from}>{to}{}", weight.unwrap_or_default())
    };
    (0..coo.targets.len()).map(edge).collect()
}

/// Checks that a text is refused, in a line if there is one, with a message that has `part`.
pub fn assert_refused(format: Format, text: &str, line: Option<u64>, part: &str) {
    let message = match read_as(format, text, IdKind::Auto, None) {
        Ok(graph) => panic!("{format} should refuse {text:?}, but read {:?}", edges(&graph)),
        Err(error) => error.to_string(),
    };
    let start = line.map_or("input: ".to_owned(), |line| format!("input:{line}: "));
    assert!(message.starts_with(&start), "{text:?} should fail at {start:?}: {message}");
    assert!(message.contains(part), "{text:?} should say {part:?}: {message}");
}
