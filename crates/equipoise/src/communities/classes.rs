//! Classes of vertices that may move at the same time.

use std::time::Duration;

use equipoise_graph::{Csr, memory};

use super::{groups::Groups, random_order::RandomOrder};
use crate::{
    Result,
    color::{ColorOptions, color_neighbors},
};

/// Independent sets that partition the vertices.
pub(super) struct Classes {
    vertices: Groups,
    /// The order of the classes.
    order: Vec<u32>,
}

impl Classes {
    /// The classes of a coloring with few colors, in an order that depends on the seed.
    pub fn new(neighbors: &Csr, seed: u64) -> Result<Self> {
        let coloring = color_neighbors(neighbors, &ColorOptions::default(), Duration::ZERO)?;
        let bytes = memory::bytes_of::<[u32; 3]>(neighbors.rows().into());
        memory::check("the vertices of each color", bytes)?;
        let vertices = Groups::new(&coloring.colors, coloring.count);
        let mut order: Vec<u32> = (0..coloring.count).collect();
        order.sort_unstable_by_key(|&color| RandomOrder::new(seed).rank(color));
        Ok(Self { vertices, order })
    }

    /// The vertices of each class.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.order.iter().map(|&class| self.vertices.members(class))
    }
}
