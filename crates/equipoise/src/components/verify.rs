//! Whether components are those of a graph.

use equipoise_graph::{Graph, memory};
use rayon::prelude::*;

use super::{Components, strong};
use crate::{Result, error::wrong};

impl Components {
    /// Checks the components against the graph they were found in.
    ///
    /// 1. Each vertex has a label: a vertex that is not larger, and that has itself as its label.
    /// 2. Both ends of an edge have the same label, so that each label stands for whole components.
    /// 3. There are as many labels as components: those of a union-find that takes one edge after the other.
    ///
    /// In place of 2 and 3, strongly connected components are those of Tarjan's algorithm: the smallest vertex of each is
    /// the label of all in it, and of no other.
    ///
    /// Takes time almost linear in the edges, and 4 bytes a vertex, or 36 for strongly connected components.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        self.check_labels(graph)?;
        if self.strong {
            return self.check_counts(strong::check(graph, &self.labels)?);
        }
        self.check_edges(graph)?;
        self.check_counts(count_by_union_find(graph)?)
    }

    fn check_labels(&self, graph: &Graph) -> Result<()> {
        let (labels, vertices) = (&self.labels, graph.vertices());
        if labels.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} labels for {vertices} vertices", labels.len()));
        }
        let is_root = |label: u32| labels.get(label as usize) == Some(&label);
        let odd = (0..vertices).into_par_iter().find_first(|&vertex| {
            let label = labels[vertex as usize];
            label > vertex || !is_root(label)
        });
        match odd {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} has the label {}, which is not the first of a component",
                graph.ids().id(vertex),
                labels[vertex as usize]
            )),
        }
    }

    fn check_edges(&self, graph: &Graph) -> Result<()> {
        let label = |vertex: u32| self.labels[vertex as usize];
        let torn = (0..graph.vertices()).into_par_iter().find_map_first(|vertex| {
            let other = |&&target: &&u32| label(target) != label(vertex);
            graph.neighbors(vertex).iter().find(other).map(|&target| (vertex, target))
        });
        match torn {
            None => Ok(()),
            Some((vertex, target)) => wrong(format!(
                "an edge joins the vertices {} and {}, which are in two components",
                graph.ids().id(vertex),
                graph.ids().id(target)
            )),
        }
    }

    /// Compares what is said to be there with so many components.
    fn check_counts(&self, counted: u32) -> Result<()> {
        let roots = (0..).zip(&self.labels).filter(|(vertex, label)| vertex == *label).count();
        if roots as u64 != u64::from(counted) {
            return wrong(format!("{roots} components, of {counted}"));
        }
        if self.count != counted {
            return wrong(format!("{} are said to be there, of {counted}", self.count));
        }
        let mut sizes = vec![0u32; self.labels.len()];
        self.labels.iter().for_each(|&label| sizes[label as usize] += 1);
        match sizes.into_iter().max().unwrap_or(0) {
            largest if largest == self.largest => Ok(()),
            largest => wrong(format!("the largest has {largest} vertices, not {}", self.largest)),
        }
    }
}

/// How many components there are, by joining the ends of one edge after the other.
fn count_by_union_find(graph: &Graph) -> Result<u32> {
    let vertices = graph.vertices();
    memory::check("verifying components", memory::bytes_of::<u32>(vertices.into()))?;
    let mut parents: Vec<u32> = (0..vertices).collect();
    let mut count = vertices;
    // An undirected edge is there twice, and one of the two is enough.
    let least = |vertex: u32| if graph.is_undirected() { vertex } else { 0 };
    for vertex in 0..vertices {
        for &target in graph.neighbors(vertex).iter().filter(|&&target| target >= least(vertex)) {
            let (a, b) = (root(&mut parents, vertex), root(&mut parents, target));
            if a != b {
                parents[a as usize] = b;
                count -= 1;
            }
        }
    }
    Ok(count)
}

/// The root of a vertex; those on the way skip one.
fn root(parents: &mut [u32], mut vertex: u32) -> u32 {
    while parents[vertex as usize] != vertex {
        let parent = parents[vertex as usize];
        parents[vertex as usize] = parents[parent as usize];
        vertex = parents[vertex as usize];
    }
    vertex
}
