//! A core as a graph of its own.

use equipoise_graph::{Csr, Graph, VertexIds, VertexNames, Weights, memory};

use super::KCore;
use crate::{Error, NONE, Result};

impl KCore {
    /// The k-core: the vertices with a core number of at least `k`, under the names that they have, and the edges of the
    /// graph between them with their weights, loops and parallel edges too.
    ///
    /// Fails where the cores are not those of a graph with as many vertices, or there is not enough memory.
    ///
    /// ```
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::kcore::kcore;
    ///
    /// let edges = Edges::from(vec![(0, 1, 5u32), (1, 2, 6), (2, 3, 7), (3, 1, 8)]);
    /// let graph = GraphBuilder::new().build(edges)?;
    /// let core = kcore(&graph)?.subgraph(&graph, 2)?;
    /// assert_eq!((core.vertices(), core.edges()), (3, 3));
    /// assert_eq!(core.ids().id(0), 1);
    /// assert_eq!(core.weights().map(|weights| weights.get(0)), Some(6.0));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn subgraph(&self, graph: &Graph, k: u32) -> Result<Graph> {
        graph.check()?;
        let (vertices, cores) = (graph.vertices(), self.cores.len());
        if cores as u64 != u64::from(vertices) {
            let problem = format!("{cores} core numbers for a graph of {vertices} vertices");
            return Err(Error::Option(problem));
        }
        let is_in = |vertex: &u32| self.cores[*vertex as usize] >= k;
        // Places of vertices before and after, offsets and ids; targets and weights of edges.
        let of_vertices = memory::bytes_of::<[u64; 3]>(u64::from(vertices) + 1);
        let of_edges = memory::bytes_of::<[u32; 2]>(graph.edges());
        memory::check(format_args!("the {k}-core"), of_vertices.saturating_add(of_edges))?;
        let kept: Vec<u32> = (0..vertices).filter(is_in).collect();
        let mut places = vec![NONE; vertices as usize];
        (0..).zip(&kept).for_each(|(place, &vertex)| places[vertex as usize] = place);
        let (mut offsets, mut targets, mut entries) = (vec![0], Vec::new(), Vec::new());
        for &vertex in &kept {
            let row = graph.csr().range(vertex).zip(graph.neighbors(vertex));
            for (entry, &target) in row.filter(|(_, target)| is_in(target)) {
                targets.push(places[target as usize]);
                entries.push(entry);
            }
            offsets.push(targets.len() as u64);
        }
        let weights = graph.weights().map(|weights| match weights {
            Weights::U32(all) => Weights::from(picked(all, &entries)),
            Weights::F32(all) => Weights::from(picked(all, &entries)),
            Weights::F64(all) => Weights::from(picked(all, &entries)),
        });
        let csr = Csr::new(kept.len() as u32, offsets, targets)?;
        let core = Graph::from_csr(csr, weights, graph.is_undirected())?;
        let ids = match kept.len() == cores {
            true => graph.ids().clone(),
            false => ids(graph.ids(), &kept)?,
        };
        Ok(core.with_ids(ids)?)
    }
}

fn picked<T: Copy>(all: &[T], entries: &[usize]) -> Vec<T> {
    entries.iter().map(|&entry| all[entry]).collect()
}

/// What the vertices are called that were kept.
fn ids(all: &VertexIds, kept: &[u32]) -> Result<VertexIds> {
    Ok(match all {
        VertexIds::Dense { first } => {
            let number = |&vertex: &u32| first + u64::from(vertex);
            VertexIds::Table(kept.iter().map(number).collect::<Vec<_>>().into())
        }
        VertexIds::Table(table) => {
            let number = |&vertex: &u32| table[vertex as usize];
            VertexIds::Table(kept.iter().map(number).collect::<Vec<_>>().into())
        }
        VertexIds::Names(names) => {
            VertexIds::Names(VertexNames::new(kept.iter().map(|&vertex| names.get(vertex)))?)
        }
    })
}
