//! Vertices by their ids in the input.

use equipoise_graph::{Graph, VertexIds, numbers};

use crate::{Error, Result};

/// The vertices with these ids. A string that is not itself an id may list several, separated by commas.
///
/// The error for an unknown id says which ids exist.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise::named_vertices;
///
/// let graph = load("path:n=5", &ReadOptions::default())?;
/// assert_eq!(named_vertices(&graph, &["3".into(), "0, 1".into()])?, [3, 0, 1]);
/// assert!(named_vertices(&graph, &["7".into()]).is_err());
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn named_vertices(graph: &Graph, ids: &[String]) -> Result<Vec<u32>> {
    let mut vertices = Vec::new();
    for id in ids {
        match graph.vertex(id.as_str()) {
            Some(vertex) => vertices.push(vertex),
            None if !id.contains(',') => vertices.push(named_vertex(graph, id)?),
            None => {
                for id in id.split(',') {
                    vertices.push(named_vertex(graph, id.trim())?);
                }
            }
        }
    }
    Ok(vertices)
}

/// The vertex with this id.
///
/// The error for an unknown id says which ids exist.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise::named_vertex;
///
/// let graph = load("path:n=5", &ReadOptions::default())?;
/// assert_eq!(named_vertex(&graph, "3")?, 3);
/// let error = named_vertex(&graph, "5").unwrap_err().to_string();
/// assert!(error.ends_with("vertex 5 does not exist: the ids go from 0 to 4"), "{error}");
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn named_vertex(graph: &Graph, id: &str) -> Result<u32> {
    graph.vertex(id).ok_or_else(|| {
        let count = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        let known = match (graph.vertices(), graph.ids()) {
            (0, _) => "the graph has no vertices".into(),
            (_, VertexIds::Names(names)) => match names.nearest(id) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the graph has {count}, such as `{}`", names.get(0)),
            },
            (vertices, ids @ VertexIds::Dense { .. }) => {
                format!("the ids go from {} to {}", ids.id(0), ids.id(vertices - 1))
            }
            (vertices, ids) => format!(
                "the graph has {count}, with ids from {} to {}, not all of which are used",
                ids.id(0),
                ids.id(vertices - 1)
            ),
        };
        Error::Option(format!("vertex {id} does not exist: {known}"))
    })
}
