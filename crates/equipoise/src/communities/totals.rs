//! Sums over the members of communities, while vertices move.

use super::{objective::Gains, undirected::UndirectedGraph};
use crate::NONE;

/// The masses and sizes of the communities of a level.
pub(super) struct Totals {
    pub masses: Vec<f64>,
    /// The number of vertices of the input in each community.
    sizes: Vec<u32>,
    /// Labels that no vertex has.
    unused: Vec<u32>,
    /// The largest allowed size.
    most: u32,
}

impl Totals {
    /// The sums of communities that are labelled with vertices. Of the size `most`, 0 stands for any.
    pub fn new(graph: &UndirectedGraph, gains: &Gains, communities: &[u32], most: u32) -> Self {
        let masses = graph.sums(communities, &gains.masses);
        let sizes = graph.sizes_of(communities);
        let unused = (0..).zip(&sizes).filter(|&(_, &size)| size == 0).map(|(label, _)| label);
        let unused = unused.collect();
        Self { masses, sizes, unused, most: if most == 0 { u32::MAX } else { most } }
    }

    /// Whether a community has room for a vertex of this size.
    #[inline]
    pub fn has_room(&self, community: u32, size: u32) -> bool {
        size <= self.most.saturating_sub(self.sizes[community as usize])
    }

    /// Whether a community has more vertices of the input than this.
    #[inline]
    pub fn is_larger(&self, community: u32, size: u32) -> bool {
        self.sizes[community as usize] > size
    }

    /// Moves a vertex to another community, or to a new one if `to` is [`NONE`]. Returns the new community; `None` if it has no
    /// room.
    pub fn move_vertex(&mut self, mass: f64, size: u32, from: u32, to: u32) -> Option<u32> {
        let to = if to == NONE { self.unused.pop()? } else { to };
        if !self.has_room(to, size) {
            return None;
        }
        self.masses[to as usize] += mass;
        self.sizes[to as usize] += size;
        self.masses[from as usize] -= mass;
        self.sizes[from as usize] -= size;
        if self.sizes[from as usize] == 0 {
            // What is left is rounding.
            self.masses[from as usize] = 0.0;
            self.unused.push(from);
        }
        Some(to)
    }
}
