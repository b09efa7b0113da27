//! Vertices that settle, against plain Rust.

use cubecl::prelude::*;
use equipoise_graph::Graph;

use super::verdict::{Tried, compared};
use crate::{engine::*, input::Input};

/// One more than the largest rank of the neighbours that come before a vertex: those of higher
/// classes, and in its own those with larger numbers.
#[derive(CubeType, CubeLaunch)]
struct Rank {
    rows: Rows,
    classes: Input<u32>,
    /// 0 for a vertex that is not settled.
    before: Input<u32>,
    after: Array<u32>,
}

#[cube]
impl SettleOp for Rank {
    fn look(&mut self, vertex: u32, _iteration: u32, #[comptime] team: Team) -> bool {
        let class = self.classes[vertex as usize];
        let mut largest = 0u32;
        let mut waits = 0u32;
        let begin = self.rows.offsets[vertex as usize];
        for edge in team_range(begin, self.rows.offsets[vertex as usize + 1], team) {
            let other = self.rows.targets[edge as usize];
            let same = self.classes[other as usize] == class;
            if self.classes[other as usize] > class || (same && other > vertex) {
                let rank = self.before[other as usize];
                largest = max(largest, rank);
                waits = max(waits, u32::cast_from(rank == 0));
            }
        }
        let rank = team_max(largest, team) + 1;
        let is_settled = team_max(waits, team) == 0;
        if leads_team(team) && is_settled {
            self.after[vertex as usize] = rank;
        }
        is_settled
    }

    fn keep(&mut self, vertex: u32) {
        self.after[vertex as usize] = self.before[vertex as usize];
    }
}

pub(super) fn ranks(graph: &Graph, there: &DeviceGraph) -> Tried {
    let (gpu, vertices) = (there.gpu(), graph.vertices());
    let classes = DegreeClasses::new(there)?;
    let ranks = [gpu.filled(vertices as usize, 0u32)?, gpu.filled(vertices as usize, 0u32)?];
    let rank = |from: usize, to: usize| {
        let (classes, ranks) = (&classes.of_vertices, &ranks);
        let arg = move || {
            RankLaunch::new(there.rows(), classes.arg(), ranks[from].arg(), ranks[to].arg())
        };
        // SAFETY: there are offsets, a class and two ranks for each vertex, and a target for each
        // edge.
        unsafe { Operation::<Rank>::unchecked(arg) }
    };
    let iterations = settle(there, &classes, [&rank(0, 1), &rank(1, 0)])?;
    let found = gpu.download(&ranks[iterations.len() % 2])?;
    Ok(compared(&found, &expected(graph)))
}

fn expected(graph: &Graph) -> Vec<u32> {
    let place = |vertex: u32| (graph.degree(vertex).max(1).ilog2(), vertex);
    let mut order: Vec<u32> = (0..graph.vertices()).collect();
    order.sort_unstable_by_key(|&vertex| std::cmp::Reverse(place(vertex)));
    let mut ranks = vec![0; order.len()];
    for vertex in order {
        let row = graph.csr().row(vertex).iter();
        let before = row.filter(|&&other| place(other) > place(vertex));
        ranks[vertex as usize] = 1 + before.map(|&other| ranks[other as usize]).max().unwrap_or(0);
    }
    ranks
}
