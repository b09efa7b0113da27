//! The size of a frontier on the cpu.

use std::{
    iter::Sum,
    ops::{Add, AddAssign},
};

#[derive(Clone, Copy, Default)]
pub(super) struct FrontierSize {
    pub vertices: u64,
    /// The edges that leave those vertices.
    pub edges: u64,
}

impl FrontierSize {
    /// Adds a vertex with `degree` edges.
    #[inline]
    pub fn add(&mut self, degree: u64) {
        self.vertices += 1;
        self.edges += degree;
    }
}

impl Add for FrontierSize {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { vertices: self.vertices + other.vertices, edges: self.edges + other.edges }
    }
}

impl AddAssign for FrontierSize {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for FrontierSize {
    fn sum<I: Iterator<Item = Self>>(frontiers: I) -> Self {
        frontiers.fold(Self::default(), Add::add)
    }
}
