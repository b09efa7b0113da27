//! What the edges of one rank connect.

use equipoise_graph::Graph;

/// Trees over local vertices, each with its smallest as the root.
pub(super) struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// The trees that the edges of a graph make.
    pub fn of(graph: &Graph) -> Self {
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
        // A parent is never larger than its child, so that its own is final when the child's turn comes.
        for vertex in 0..self.parents.len() {
            self.parents[vertex] = self.parents[self.parents[vertex] as usize];
        }
        self.parents
    }

    /// The root of a vertex; those on the way skip one.
    #[inline]
    fn root(&mut self, mut vertex: u32) -> u32 {
        while self.parents[vertex as usize] != vertex {
            let parent = self.parents[vertex as usize];
            self.parents[vertex as usize] = self.parents[parent as usize];
            vertex = self.parents[vertex as usize];
        }
        vertex
    }

    /// Joins the tree of a root with that of a vertex, and gives the root of both.
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
