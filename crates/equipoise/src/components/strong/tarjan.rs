//! Whether labels are those of strongly connected components: by Tarjan's algorithm, one vertex after the other.

use equipoise_graph::{Graph, memory};

use crate::{NONE, Result, error::wrong};

/// Fails unless vertices have the same label where, and only where, they are in the same strongly connected component,
/// and it is the smallest vertex of that. There is a label for each vertex. How many components there are.
pub(in crate::components) fn check(graph: &Graph, labels: &[u32]) -> Result<u32> {
    let vertices = graph.vertices();
    // Numbers, the lowest that are reached, what is done, the stack and a component of it; and the path.
    let bytes = memory::bytes_of::<[u32; 5]>(vertices.into());
    let path = memory::bytes_of::<(u32, usize)>(vertices.into());
    memory::check("verifying strongly connected components", bytes.saturating_add(path))?;
    let mut tarjan = Tarjan {
        graph,
        labels,
        numbers: vec![NONE; vertices as usize],
        lowest: vec![0; vertices as usize],
        is_done: vec![false; vertices as usize],
        stack: Vec::with_capacity(vertices as usize),
        path: Vec::with_capacity(vertices as usize),
        next: 0,
        components: 0,
    };
    for vertex in 0..vertices {
        if tarjan.numbers[vertex as usize] == NONE {
            tarjan.search(vertex)?;
        }
    }
    Ok(tarjan.components)
}

struct Tarjan<'a> {
    graph: &'a Graph,
    labels: &'a [u32],
    /// When each vertex was found, `NONE` before.
    numbers: Vec<u32>,
    /// The lowest number of a vertex that is on the stack and known to be reached from each.
    lowest: Vec<u32>,
    is_done: Vec<bool>,
    /// The vertices whose components are not complete.
    stack: Vec<u32>,
    /// The way from the first vertex to the one that is looked at, and which edge of each is the next.
    path: Vec<(u32, usize)>,
    next: u32,
    components: u32,
}

impl Tarjan<'_> {
    /// Goes along edges from a vertex that was not found, depth first. Paths may be as long as the graph has vertices, so
    /// that it does not call itself.
    fn search(&mut self, first: u32) -> Result<()> {
        self.enter(first);
        while let Some((vertex, edge)) = self.path.last_mut() {
            let source = *vertex;
            let Some(&target) = self.graph.neighbors(source).get(*edge) else {
                self.path.pop();
                self.leave(source)?;
                continue;
            };
            *edge += 1;
            if self.numbers[target as usize] == NONE {
                self.enter(target);
            } else if !self.is_done[target as usize] {
                self.lower(source, self.numbers[target as usize]);
            }
        }
        Ok(())
    }

    fn enter(&mut self, vertex: u32) {
        self.numbers[vertex as usize] = self.next;
        self.lowest[vertex as usize] = self.next;
        self.next += 1;
        self.stack.push(vertex);
        self.path.push((vertex, 0));
    }

    fn lower(&mut self, vertex: u32, number: u32) {
        let lowest = &mut self.lowest[vertex as usize];
        *lowest = number.min(*lowest);
    }

    /// Goes back from a vertex; with what is above it on the stack, it may be a component.
    fn leave(&mut self, vertex: u32) -> Result<()> {
        let lowest = self.lowest[vertex as usize];
        if let Some(&(before, _)) = self.path.last() {
            self.lower(before, lowest);
        }
        if lowest != self.numbers[vertex as usize] {
            return Ok(());
        }
        let start = self.stack.iter().rposition(|&other| other == vertex).unwrap_or(0);
        let component = self.stack.split_off(start);
        self.components += 1;
        let smallest = component.iter().copied().min().unwrap_or(vertex);
        for member in component {
            self.is_done[member as usize] = true;
            if self.labels[member as usize] != smallest {
                return wrong(format!(
                    "vertex {} has the label {}; the smallest vertex of its component is {smallest}",
                    self.graph.ids().id(member),
                    self.labels[member as usize]
                ));
            }
        }
        Ok(())
    }
}
