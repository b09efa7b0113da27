//! Whether communities are connected.

use equipoise_graph::{Graph, memory, parallel::*};

use super::super::Communities;
use crate::{NONE, Result, certificate::Sets, error::wrong};

impl Communities {
    /// Fails if a vertex is not connected with the first vertex of its community by edges within the community.
    pub(super) fn check_connected(&self, graph: &Graph) -> Result<()> {
        let vertices = graph.vertices();
        let bytes = memory::bytes_of::<[u32; 2]>(vertices.into());
        memory::check("verifying that communities are connected", bytes)?;
        let community = |vertex: u32| self.communities[vertex as usize];
        let sets = Sets::new(vertices);
        (0..vertices).into_par_iter().for_each(|vertex| {
            // From either end, directed edges too: both ends are joined.
            for &other in graph.neighbors(vertex) {
                if community(other) == community(vertex) {
                    sets.join(vertex, other);
                }
            }
        });
        let mut firsts = vec![NONE; self.count as usize];
        for vertex in (0..vertices).rev() {
            firsts[community(vertex) as usize] = vertex;
        }
        // The root of a set is its smallest vertex.
        let is_apart = |&vertex: &u32| sets.root(vertex) != firsts[community(vertex) as usize];
        match (0..vertices).into_par_iter().find_first(is_apart) {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "community {} is not connected: no path within it leads from vertex {} to vertex {}",
                community(vertex),
                graph.ids().id(firsts[community(vertex) as usize]),
                graph.ids().id(vertex)
            )),
        }
    }
}
