//! Grids with missing edges: low degrees and a large diameter, like road networks.

use std::ops::Range;

use rand::Rng;

use super::{
    family::{Family, Size, parameters, within_u64},
    keys::Key,
    random::{BLOCK, Ends, Stream, edges_by_block, random},
};

parameters! {
    /// A grid of `width` × `height` vertices, numbered row by row, each joined to its neighbours on the
    /// left, on the right, above and below.
    ///
    /// ```
    /// use equipoise_graph::generate::{Generator, Grid, Spec};
    ///
    /// let grid = Grid { width: 3, height: 2, drop: 0.0 };
    /// let graph = Spec::new(Generator::Grid(grid)).generate()?;
    /// assert_eq!(graph.neighbors(1), [0, 2, 4]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub struct Grid = GRID(
        "grid",
        "grid with missing edges, like a road network",
        "grid:width=2000,height=2000,drop=0.1,weights=1..1000"
    ) {
        /// The number of vertices per row.
        width: u64 = Key::required("width", "vertices in a row"),
        /// The number of rows.
        height: u64 = Key::required("height", "rows"),
        /// The probability that an edge is missing.
        drop: f64 = Key::default("drop", "0", "probability with which each edge is missing"),
    }
}

impl Family for Grid {
    fn check(&self, _directed: bool) -> Result<(), String> {
        if (0.0..=1.0).contains(&self.drop) {
            Ok(())
        } else {
            Err(format!("drop={}: expected a number from 0 to 1", self.drop))
        }
    }

    fn size(&self) -> Size {
        let (width, height) = (u128::from(self.width), u128::from(self.height));
        let across = width.saturating_sub(1) * height;
        let down = height.saturating_sub(1) * width;
        Size { vertices: width * height, edges: across.saturating_add(down) }
    }

    fn most_edges(&self) -> u128 {
        let all = self.size().edges;
        // Ten standard deviations above the mean: no grid exceeds this.
        let expected = all as f64 * (1.0 - self.drop) + 10.0 * (all as f64).sqrt();
        (expected as u128).min(all)
    }

    /// One block per row of vertices, with the edges that lead right and down from them.
    fn blocks(&self) -> u64 {
        within_u64(self.size().vertices).div_ceil(BLOCK as u64)
    }

    fn most_edges_in(&self, blocks: Range<u64>) -> u64 {
        let vertices = blocks.end.saturating_sub(blocks.start).saturating_mul(BLOCK as u64);
        vertices.saturating_mul(2).min(within_u64(self.size().edges))
    }

    fn ends(&self, blocks: Range<u64>, seed: u64, _directed: bool) -> Ends {
        let vertices = self.width * self.height;
        let dropped_below = (self.drop * 2f64.powi(53)) as u64;
        edges_by_block(blocks, |block| {
            let mut random = random(seed, Stream::Edges, block);
            let first = block * BLOCK as u64;
            (first..vertices.min(first + BLOCK as u64))
                .flat_map(|vertex| self.next_to(vertex))
                .filter(move |_| random.next_u64() >> 11 >= dropped_below)
        })
    }
}

impl Grid {
    /// The edges from `vertex` to its neighbours on the right and below.
    fn next_to(&self, vertex: u64) -> impl Iterator<Item = (u32, u32)> + use<> {
        let right = (vertex % self.width + 1 < self.width).then_some(vertex + 1);
        let below = (vertex / self.width + 1 < self.height).then_some(vertex + self.width);
        right.into_iter().chain(below).map(move |other| (vertex as u32, other as u32))
    }
}
