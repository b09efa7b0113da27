//! The labels of vertices, and who is in the frontier.

use cubecl::prelude::*;
use equipoise_schedule::input::Input;

use super::metric::*;

/// The edges that leave vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Rows {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Input<u32>,
    /// Where each edge leads.
    pub targets: Input<u32>,
}

/// The labels of all vertices, which kernels improve.
///
/// Both arrays are there twice: atomic, to be changed, and plain, to be looked at. A plain look can
/// be out of date, never too small: what it lets through, the atomic minimum stops.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Field<M: Metric> {
    /// What edges add.
    pub metric: M,
    /// The labels.
    pub labels: Array<Atomic<u32>>,
    /// The same.
    pub seen: Array<u32>,
    /// The last turn in which each vertex is in the frontier, counted from 1; 0 for never. For
    /// metrics that repeat.
    pub turns: Array<Atomic<u32>>,
    /// The same.
    pub turns_seen: Array<u32>,
    /// This turn; where metrics do not repeat, the label of the frontier.
    pub turn: u32,
}

#[cube]
impl<M: Metric> Field<M> {
    /// The label of a vertex.
    pub fn label(&self, vertex: u32) -> u32 {
        self.seen[vertex as usize]
    }

    /// Whether a vertex is in this turn's frontier.
    pub fn is_active(&self, vertex: u32) -> bool {
        if comptime!(M::REPEATS) {
            self.turns_seen[vertex as usize] == self.turn + 1
        } else {
            self.seen[vertex as usize] == self.turn
        }
    }

    /// Goes along an edge from a vertex with that label. Whether the vertex at its end is in the
    /// next turn's frontier, and only because of this: of all that reach it in one turn, one is
    /// told so.
    pub fn reach(&mut self, label: u32, edge: u32, target: u32) -> bool {
        let new = self.metric.along(label, edge);
        let mut first = false;
        if new < self.seen[target as usize] {
            let old = self.labels[target as usize].fetch_min(new);
            if new < old {
                first = self.is_first(target);
            }
        }
        first
    }

    /// Whether nobody was told before that a vertex is in the next turn's frontier.
    fn is_first(&mut self, vertex: u32) -> bool {
        if comptime!(M::REPEATS) {
            let next = self.turn + 2;
            self.turns[vertex as usize].fetch_max(next) < next
        } else {
            true.runtime()
        }
    }
}

/// Vertices of the next frontier, in a list.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct NextList {
    /// The vertices.
    pub vertices: Array<u32>,
    /// How many they are, in an array of length one.
    pub count: Array<Atomic<u32>>,
}

#[cube]
impl NextList {
    /// Puts a vertex into the list.
    pub fn add(&mut self, vertex: u32) {
        let place = self.count[0].fetch_add(1u32);
        self.vertices[place as usize] = vertex;
    }
}

/// Vertices of the frontier, in a list.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct ThisList {
    /// The vertices.
    pub vertices: Input<u32>,
    /// How many they are.
    pub count: u32,
}
