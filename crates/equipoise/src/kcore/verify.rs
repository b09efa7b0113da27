//! Whether core numbers are those of a graph.

use equipoise_graph::{Csr, Graph, memory};
use rayon::prelude::*;

use super::KCore;
use crate::{Result, error::wrong, neighbors::neighbors};

impl KCore {
    /// Checks the core numbers against the graph they were found in.
    ///
    /// 1. Each vertex has a number, and the largest is the degeneracy.
    /// 2. Each vertex has at least as many neighbours as its number with numbers that are not smaller: it is in that
    ///    core.
    /// 3. No number is too small: each is what peeling one vertex after the other gives, that with the fewest
    ///    neighbours left first (Batagelj and Zaveršnik).
    ///
    /// Takes time linear in the edges, and 16 bytes a vertex.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        let (cores, vertices) = (&self.cores, graph.vertices());
        if cores.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} core numbers for {vertices} vertices", cores.len()));
        }
        let largest = cores.iter().copied().max().unwrap_or(0);
        if largest != self.degeneracy {
            return wrong(format!("the largest core number is {largest}, not {}", self.degeneracy));
        }
        let neighbors = neighbors(graph)?;
        self.check_cores(graph, &neighbors)?;
        let expected = by_one_after_the_other(&neighbors)?;
        match (0..vertices).find(|&vertex| cores[vertex as usize] != expected[vertex as usize]) {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} has core number {}, not {}",
                graph.ids().id(vertex),
                expected[vertex as usize],
                cores[vertex as usize]
            )),
        }
    }

    /// Whether each vertex is in the core of its number.
    fn check_cores(&self, graph: &Graph, neighbors: &Csr) -> Result<()> {
        let core = |vertex: u32| self.cores[vertex as usize];
        let in_core = |vertex: u32| {
            let row = neighbors.row(vertex).iter();
            row.filter(|&&other| core(other) >= core(vertex)).count()
        };
        let odd = (0..graph.vertices())
            .into_par_iter()
            .find_first(|&vertex| in_core(vertex) < core(vertex) as usize);
        match odd {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} has {} neighbours in the {}-core, too few to be in it",
                graph.ids().id(vertex),
                in_core(vertex),
                core(vertex)
            )),
        }
    }
}

/// Core numbers by peeling one vertex after the other. Vertices are kept in the order of how many neighbours they have
/// left; one that loses a neighbour changes places with the first that has as many.
fn by_one_after_the_other(neighbors: &Csr) -> Result<Vec<u32>> {
    let vertices = neighbors.rows();
    memory::check("verifying cores", memory::bytes_of::<[u32; 4]>(vertices.into()))?;
    let mut left: Vec<u32> = (0..vertices).map(|vertex| neighbors.row_len(vertex) as u32).collect();
    // Where those start that have so many left.
    let most = left.iter().copied().max().unwrap_or(0) as usize;
    let mut starts = vec![0u32; most + 2];
    left.iter().for_each(|&degree| starts[degree as usize + 1] += 1);
    (1..starts.len()).for_each(|degree| starts[degree] += starts[degree - 1]);
    let mut next = starts.clone();
    let (mut order, mut places) = (vec![0; vertices as usize], vec![0; vertices as usize]);
    for vertex in 0..vertices {
        let place = &mut next[left[vertex as usize] as usize];
        order[*place as usize] = vertex;
        places[vertex as usize] = *place;
        *place += 1;
    }
    for index in 0..vertices as usize {
        let level = left[order[index] as usize];
        for &other in neighbors.row(order[index]) {
            let now = left[other as usize];
            if now > level {
                let first = starts[now as usize];
                let (place, displaced) = (places[other as usize], order[first as usize]);
                order.swap(place as usize, first as usize);
                places[displaced as usize] = place;
                places[other as usize] = first;
                starts[now as usize] = first + 1;
                left[other as usize] = now - 1;
            }
        }
    }
    Ok(left)
}
