//! A group of searches, as it advances level by level.

use super::super::sums::Farthest;

/// What a level adds to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LevelSums {
    /// A bit for each search that reaches a vertex.
    pub searches: u64,
    /// The number of vertices, each counted once per search that reaches it.
    pub reached: u64,
    /// The first of the vertices.
    pub first: u32,
    /// The edges that the next level follows if the vertices push: each vertex counts once.
    pub edges: u64,
}

impl Default for LevelSums {
    fn default() -> Self {
        Self { searches: 0, reached: 0, first: u32::MAX, edges: 0 }
    }
}

impl LevelSums {
    /// Adds a vertex that new searches reach.
    #[inline]
    pub fn add(&mut self, vertex: u32, searches: u64, edges: u64) {
        self.searches |= searches;
        self.reached += u64::from(searches.count_ones());
        self.first = self.first.min(vertex);
        self.edges += edges;
    }

    /// The sums of disjoint parts of a level.
    pub fn and(self, other: Self) -> Self {
        Self {
            searches: self.searches | other.searches,
            reached: self.reached + other.reached,
            first: self.first.min(other.first),
            edges: self.edges + other.edges,
        }
    }
}

/// A group of searches.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Group {
    /// Per source, the largest distance.
    pub eccentricities: Vec<u32>,
    /// The largest distance of all, and the first vertex at that distance.
    pub farthest: Farthest,
    /// The number of vertices reached, summed over the sources.
    pub reached: u64,
    /// The number of edges followed, or examined, once per level.
    pub edges: u64,
    /// Per source, the number of vertices within a distance, itself included.
    pub near: Option<Vec<u32>>,
}

impl Group {
    /// Searches that have reached their sources only.
    pub fn new(sources: &[u32]) -> Self {
        let first = sources.iter().copied().min().unwrap_or_default();
        Self {
            eccentricities: vec![0; sources.len()],
            farthest: Farthest { vertex: first, distance: 0.0 },
            reached: sources.len() as u64,
            edges: 0,
            near: None,
        }
    }

    /// Adds the level at a distance, larger than those before.
    pub(super) fn add(&mut self, distance: u32, level: &LevelSums) {
        if level.reached == 0 {
            return;
        }
        for (bit, eccentricity) in self.eccentricities.iter_mut().enumerate() {
            if level.searches >> bit & 1 == 1 {
                *eccentricity = distance;
            }
        }
        self.farthest = Farthest { vertex: level.first, distance: distance.into() };
        self.reached += level.reached;
    }
}
