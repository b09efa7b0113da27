//! Whether components are those of a graph.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Graph, memory, parallel::*};

use super::Components;
use crate::{
    Result,
    certificate::{Sets, class_sizes, waves},
    error::wrong,
};

impl Components {
    /// Checks the components against the graph they were found in, on all cores.
    ///
    /// 1. Each vertex has a label: a vertex that is not larger, and that has itself as its label.
    /// 2. Both ends of an edge have the same label, so that each label stands for whole components.
    /// 3. Edges join each vertex to its label, so that each label stands for one component. Trees grown along edges of
    ///    the graph prove that.
    ///
    /// In place of 2 and 3, for strongly connected components of a directed graph:
    ///
    /// 4. Along edges between vertices of its label, each vertex reaches its label and is reached from it.
    /// 5. The components have an order that all edges between them follow, so that no two are one.
    ///
    /// The count and the size of the largest are those of the labels. Takes time almost linear in the edges, and 8 bytes
    /// per vertex, or 17 for strongly connected components.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        let vertices = u64::from(graph.vertices());
        let are_strong = self.are_strong_of(graph);
        let bytes = if are_strong {
            memory::bytes_of::<(u64, [u32; 2])>(vertices).saturating_add(vertices)
        } else {
            memory::bytes_of::<[u32; 2]>(vertices)
        };
        memory::check("verifying components", bytes)?;
        self.check_labels(graph)?;
        if are_strong {
            self.check_backward(graph)?;
            self.check_order(graph)?;
        } else {
            self.check_edges(graph)?;
            self.check_trees(graph)?;
        }
        self.check_counts()
    }

    /// Whether these are strong components of a graph in which they may differ from the weak ones.
    pub(super) fn are_strong_of(&self, graph: &Graph) -> bool {
        self.strong && !graph.is_undirected()
    }

    fn label(&self, vertex: u32) -> u32 {
        self.labels[vertex as usize]
    }

    /// Rule 1.
    pub(super) fn check_labels(&self, graph: &Graph) -> Result<()> {
        let (labels, vertices) = (&self.labels, graph.vertices());
        if labels.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} labels for {vertices} vertices", labels.len()));
        }
        let is_root = |label: u32| labels.get(label as usize) == Some(&label);
        let mislabelled = (0..vertices).into_par_iter().find_first(|&vertex| {
            let label = self.label(vertex);
            label > vertex || !is_root(label)
        });
        match mislabelled {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} has the label {}, which is not the first of a component",
                graph.ids().id(vertex),
                self.label(vertex)
            )),
        }
    }

    /// Rule 2.
    fn check_edges(&self, graph: &Graph) -> Result<()> {
        let torn = (0..graph.vertices()).into_par_iter().find_map_first(|vertex| {
            let other = |&&target: &&u32| self.label(target) != self.label(vertex);
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

    /// Rule 3. The first edges of each vertex join most of a large component. After that, a vertex that is joined to its
    /// label needs no further edge, provided that each edge is stored at both ends.
    fn check_trees(&self, graph: &Graph) -> Result<()> {
        /// Edges of each vertex that are looked at first.
        const FIRST: usize = 2;
        let sets = Sets::new(graph.vertices());
        let vertices = || (0..graph.vertices()).into_par_iter();
        let join = |vertex: u32, targets: &[u32]| {
            targets.iter().for_each(|&target| _ = sets.join(vertex, target));
        };
        let is_joined = |vertex: u32| sets.root(vertex) == self.label(vertex);
        vertices().for_each(|vertex| {
            let row = graph.neighbors(vertex);
            join(vertex, &row[..row.len().min(FIRST)]);
        });
        vertices().for_each(|vertex| {
            let row = graph.neighbors(vertex);
            if row.len() > FIRST && !(graph.is_undirected() && is_joined(vertex)) {
                join(vertex, &row[FIRST..]);
            }
        });
        self.refuse(graph, vertices().find_first(|&vertex| !is_joined(vertex)), "no path joins")
    }

    /// Half of rule 4: walks back from the labels, each within its own component.
    fn check_backward(&self, graph: &Graph) -> Result<()> {
        let backward = graph.transpose()?;
        let visited = Visited::new(graph.vertices());
        let roots = self.roots();
        roots.iter().for_each(|&root| _ = visited.claim(root));
        waves(roots, |vertex, next| {
            for &source in backward.neighbors(vertex) {
                if self.label(source) == self.label(vertex) && visited.claim(source) {
                    next.push(source);
                }
            }
        });
        self.refuse(graph, visited.first_left(), "no path leads to the label from")
    }

    /// The other half of rule 4, and rule 5: a component is entered at its label, once all components with an edge to it
    /// have been walked through. Those on a circle of components are never entered.
    fn check_order(&self, graph: &Graph) -> Result<()> {
        let vertices = graph.vertices();
        let entering: Vec<AtomicU64> =
            (0..vertices).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        (0..vertices).into_par_iter().for_each(|vertex| {
            let others = graph.neighbors(vertex).iter().map(|&target| self.label(target));
            for label in others.filter(|&label| label != self.label(vertex)) {
                entering[label as usize].fetch_add(1, Relaxed);
            }
        });
        let visited = Visited::new(vertices);
        let mut first = self.roots();
        first.retain(|&root| entering[root as usize].load(Relaxed) == 0);
        first.iter().for_each(|&root| _ = visited.claim(root));
        waves(first, |vertex, next| {
            for &target in graph.neighbors(vertex) {
                let label = self.label(target);
                if label == self.label(vertex) {
                    if visited.claim(target) {
                        next.push(target);
                    }
                } else if entering[label as usize].fetch_sub(1, Relaxed) == 1 {
                    visited.claim(label);
                    next.push(label);
                }
            }
        });
        let problem = "its component is part of another, or no path leads from the label to";
        self.refuse(graph, visited.first_left(), problem)
    }

    /// The vertices that are their own label.
    fn roots(&self) -> Vec<u32> {
        let vertices = (0..self.labels.len() as u32).into_par_iter();
        vertices.filter(|&vertex| self.label(vertex) == vertex).collect()
    }

    fn refuse(&self, graph: &Graph, vertex: Option<u32>, problem: &str) -> Result<()> {
        let Some(vertex) = vertex else { return Ok(()) };
        let [id, label] = [vertex, self.label(vertex)].map(|vertex| graph.ids().id(vertex));
        wrong(format!("{problem} vertex {id}, whose label is {label}"))
    }

    pub(super) fn check_counts(&self) -> Result<()> {
        let roots = self.roots().len();
        if roots as u64 != u64::from(self.count) {
            return wrong(format!(
                "the count is {}, but labels are those of {roots} components",
                self.count
            ));
        }
        let sizes = class_sizes(&self.labels, self.labels.len() as u32);
        match sizes.into_par_iter().max().unwrap_or(0) {
            largest if largest == self.largest => Ok(()),
            largest => wrong(format!("the largest has {largest} vertices, not {}", self.largest)),
        }
    }
}

/// The vertices that a walk has visited.
struct Visited(Vec<AtomicU8>);

impl Visited {
    fn new(vertices: u32) -> Self {
        Self((0..vertices).into_par_iter().map(|_| AtomicU8::new(0)).collect())
    }

    fn has(&self, vertex: u32) -> bool {
        self.0[vertex as usize].load(Relaxed) != 0
    }

    fn first_left(&self) -> Option<u32> {
        (0..self.0.len() as u32).into_par_iter().find_first(|&vertex| !self.has(vertex))
    }

    /// Marks a vertex. Whether it was unmarked.
    fn claim(&self, vertex: u32) -> bool {
        !self.has(vertex) && self.0[vertex as usize].swap(1, Relaxed) == 0
    }
}
