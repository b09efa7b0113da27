//! Trees of searches: the predecessor of each vertex on a path from the source.

use equipoise_graph::Graph;

use crate::{Error, NONE, Result};

/// The path from `source` to `vertex` in the tree `parents`, both ends included, or `None` where
/// `vertex` was not reached.
pub(crate) fn path(parents: &[u32], source: u32, vertex: u32) -> Option<Vec<u32>> {
    let mut path = vec![vertex];
    let mut last = vertex;
    while last != source {
        last = *parents.get(last as usize).filter(|&&parent| parent != NONE)?;
        // Only a tree that the caller has modified contains a cycle.
        if path.len() == parents.len() {
            return None;
        }
        path.push(last);
    }
    path.reverse();
    Some(path)
}

/// Fails unless the graph has this vertex.
pub(crate) fn check_vertex(graph: &Graph, vertex: u32) -> Result<()> {
    let vertices = graph.vertices();
    if vertex < vertices {
        Ok(())
    } else {
        Err(Error::NoSuchVertex { vertex: vertex.into(), vertices })
    }
}
