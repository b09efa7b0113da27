//! A core as a graph.

use equipoise_graph::{Csr, Graph, VertexIds, VertexNames, memory};

use super::KCore;
use crate::{Error, NONE, Result, weights::selected_weights};

impl KCore {
    /// The k-core: the vertices with a core number of at least `k`, with their ids, and the edges of the graph between
    /// them with their weights, including loops and parallel edges.
    ///
    /// Fails if the number of core numbers is not that of the vertices, or memory is insufficient.
    ///
    /// ```
    /// use equipoise::{kcore::kcore, prelude::*};
    ///
    /// let edges = Edges::from(vec![(0, 1, 5u32), (1, 2, 6), (2, 3, 7), (3, 1, 8)]);
    /// let graph = GraphBuilder::new().build(edges)?;
    /// let core = kcore(&graph)?.subgraph(&graph, 2)?;
    /// assert_eq!((core.vertices(), core.edges()), (3, 3));
    /// assert_eq!(core.ids().id(0), 1);
    /// assert_eq!(core.weights().map(|weights| weights.get(0)), Some(6.0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn subgraph(&self, graph: &Graph, k: u32) -> Result<Graph> {
        graph.check()?;
        let (vertices, cores) = (graph.vertices(), self.cores.len());
        if cores as u64 != u64::from(vertices) {
            let problem = format!("{cores} core numbers for a graph of {vertices} vertices");
            return Err(Error::Option(problem));
        }
        let is_in = |vertex: &u32| self.cores[*vertex as usize] >= k;
        // Both numberings of vertices, offsets and ids; targets and weights of edges.
        let of_vertices = memory::bytes_of::<[u64; 3]>(u64::from(vertices) + 1);
        let of_edges = memory::bytes_of::<[u32; 2]>(graph.edges());
        memory::check(format_args!("the {k}-core"), of_vertices.saturating_add(of_edges))?;
        let members: Vec<u32> = (0..vertices).filter(is_in).collect();
        let mut new_numbers = vec![NONE; vertices as usize];
        (0..).zip(&members).for_each(|(number, &vertex)| new_numbers[vertex as usize] = number);
        let (mut offsets, mut targets, mut entries) = (vec![0], Vec::new(), Vec::new());
        for &vertex in &members {
            let row = graph.csr().range(vertex).zip(graph.neighbors(vertex));
            for (entry, &target) in row.filter(|(_, target)| is_in(target)) {
                targets.push(new_numbers[target as usize]);
                entries.push(entry);
            }
            offsets.push(targets.len() as u64);
        }
        let weights = graph.weights().map(|weights| selected_weights(weights, entries));
        let csr = Csr::new(members.len() as u32, offsets, targets)?;
        let core = Graph::from_csr(csr, weights, graph.is_undirected())?;
        let is_whole = members.len() == cores;
        let ids = if is_whole { graph.ids().clone() } else { selected_ids(graph.ids(), &members)? };
        Ok(core.with_ids(ids)?)
    }
}

fn selected_ids(ids: &VertexIds, members: &[u32]) -> Result<VertexIds> {
    let numbers: Vec<u64> = match ids {
        VertexIds::Dense { first } => members.iter().map(|&it| first + u64::from(it)).collect(),
        VertexIds::Table(table) => members.iter().map(|&it| table[it as usize]).collect(),
        VertexIds::Names(names) => {
            let names = members.iter().map(|&it| names.get(it));
            return Ok(VertexIds::Names(VertexNames::new(names)?));
        }
    };
    Ok(VertexIds::Table(numbers.into()))
}
