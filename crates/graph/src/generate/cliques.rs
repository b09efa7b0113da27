//! Chains of cliques: dense, and with a large diameter.

use rayon::prelude::*;

use super::{
    description::{Description, Family, Generator, Size},
    keys::Key,
    random::Ends,
};

/// `count` cliques of `size` vertices each, the last vertex of each joined to the first of the next.
///
/// ```
/// use equipoise_graph::generate::{Cliques, Generator, Spec};
///
/// let graph = Spec::new(Generator::Cliques(Cliques { count: 2, size: 3 })).generate()?;
/// assert_eq!(graph.neighbors(2), [0, 1, 3]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cliques {
    /// How many cliques there are.
    pub count: u64,
    /// The vertices of each.
    pub size: u64,
}

pub(super) static CLIQUES: Description = Description {
    name: "cliques",
    about: "chain of cliques, each joined to the next by an edge",
    example: "cliques:count=1000,size=20",
    keys: &[Key::required("count", "cliques"), Key::required("size", "vertices of each")],
    read: |values| {
        let (count, size) = (values.get("count")?, values.get("size")?);
        Ok(Generator::Cliques(Cliques { count, size }))
    },
};

impl Family for Cliques {
    fn description(&self) -> &'static Description {
        &CLIQUES
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        vec![("count", self.count.to_string()), ("size", self.size.to_string())]
    }

    fn size(&self) -> Size {
        let (count, size) = (u128::from(self.count), u128::from(self.size));
        let inside = size * size.saturating_sub(1) / 2;
        let joins = if size == 0 { 0 } else { count.saturating_sub(1) };
        Size { vertices: count * size, edges: count.saturating_mul(inside).saturating_add(joins) }
    }

    fn ends(&self, _edge_count: usize, _seed: u64, _directed: bool) -> Ends {
        let Self { count, size } = *self;
        let vertices = count * size;
        let end_of_clique = move |vertex: u64| (vertex / size + 1) * size;
        // From each vertex to those after it in its clique; from the last to the next clique.
        let after = move |vertex: u64| {
            let end = end_of_clique(vertex);
            let end = if vertex + 1 == end { end + 1 } else { end };
            (vertex + 1..end.min(vertices)).map(move |other| (vertex as u32, other as u32))
        };
        (0..vertices).into_par_iter().flat_map_iter(after).unzip()
    }
}
