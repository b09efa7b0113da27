//! The connections by the edges of one rank.

use equipoise_graph::Graph;

/// Trees over local vertices; the root is the smallest vertex.
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// The trees of connected vertices.
    pub fn new(graph: &Graph) -> Self {
        let mut forest = Self { parents: (0..graph.vertices()).collect() };
        for vertex in 0..graph.vertices() {
            let mut root = forest.root(vertex);
            for &target in graph.neighbors(vertex) {
                root = forest.join(root, target);
            }
        }
        forest
    }

    /// The root of each vertex.
    pub fn into_roots(mut self) -> Vec<u32> {
        // A parent is smaller than its child: its root is known when the child follows.
        for vertex in 0..self.parents.len() {
            self.parents[vertex] = self.parents[self.parents[vertex] as usize];
        }
        self.parents
    }

    /// The root of a vertex, with path halving.
    #[inline]
    fn root(&mut self, mut vertex: u32) -> u32 {
        while self.parents[vertex as usize] != vertex {
            let parent = self.parents[vertex as usize];
            self.parents[vertex as usize] = self.parents[parent as usize];
            vertex = self.parents[vertex as usize];
        }
        vertex
    }

    /// Joins the tree of a root with that of a vertex. Returns the common root.
    #[inline]
    fn join(&mut self, root: u32, vertex: u32) -> u32 {
        if self.parents[vertex as usize] == root {
            return root;
        }
        let other = self.root(vertex);
        let (smaller, larger) = (root.min(other), root.max(other));
        self.parents[larger as usize] = smaller;
        smaller
    }
}
