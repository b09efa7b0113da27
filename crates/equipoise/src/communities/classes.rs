//! Vertices that may move at the same time.

use std::time::Duration;

use equipoise_graph::{Csr, memory};

use super::{random_order::RandomOrder, weighted::sorted_by};
use crate::{
    Result,
    color::{ColorOptions, color_neighbors},
};

/// Vertices in classes of which no two are neighbours.
pub(super) struct Classes {
    starts: Vec<u32>,
    vertices: Vec<u32>,
    /// In which order the classes come.
    order: Vec<u32>,
}

impl Classes {
    /// The colors of a coloring with few of them, in an order that a seed repeats.
    pub fn of(neighbors: &Csr, seed: u64) -> Result<Self> {
        let coloring = color_neighbors(neighbors, &ColorOptions::default(), Duration::ZERO)?;
        let bytes = memory::bytes_of::<[u32; 3]>(neighbors.rows().into());
        memory::check("the vertices of each color", bytes)?;
        let (starts, vertices) = sorted_by(&coloring.colors, coloring.count);
        let mut order: Vec<u32> = (0..coloring.count).collect();
        order.sort_unstable_by_key(|&color| RandomOrder::new(seed).rank(color));
        Ok(Self { starts, vertices, order })
    }

    /// The vertices of each class.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.order.iter().map(|&class| {
            let ends = [class, class + 1].map(|place| self.starts[place as usize] as usize);
            &self.vertices[ends[0]..ends[1]]
        })
    }
}
