//! Vertices that settle, against plain Rust.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{engine::*, input::Input};

use crate::verdict::{Tried, compared};

/// Ranks: one more than the largest rank of the neighbours that precede a vertex, which are those of higher classes, and
/// those of its class with larger numbers.
#[derive(CubeType, CubeLaunch)]
struct Rank {
    rows: Rows,
    classes: Input<u32>,
    /// 0 for an unsettled vertex.
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

pub(crate) fn ranks(graph: &Graph, device_graph: &DeviceGraph) -> Tried {
    let (gpu, vertices) = (device_graph.gpu(), graph.vertices());
    let classes = DegreeClasses::new(device_graph)?;
    let ranks = [gpu.filled(vertices as usize, 0u32)?, gpu.filled(vertices as usize, 0u32)?];
    let rank = |from: usize, to: usize| {
        let (classes, ranks) = (&classes.of_vertices, &ranks);
        let arg = move || {
            RankLaunch::new(device_graph.rows(), classes.arg(), ranks[from].arg(), ranks[to].arg())
        };
        // SAFETY: each vertex has offsets, a class and two ranks, and each edge a target.
        unsafe { Operation::<Rank>::unchecked(arg) }
    };
    let iterations = settle(device_graph, &classes, [&rank(0, 1), &rank(1, 0)])?;
    Ok(compared(&gpu.download(&ranks[iterations.len() % 2])?, &expected(graph)))
}

fn expected(graph: &Graph) -> Vec<u32> {
    let key = |vertex: u32| (graph.degree(vertex).max(1).ilog2(), vertex);
    let mut order: Vec<u32> = (0..graph.vertices()).collect();
    order.sort_unstable_by_key(|&vertex| std::cmp::Reverse(key(vertex)));
    let mut ranks = vec![0; order.len()];
    for vertex in order {
        let row = graph.csr().row(vertex).iter();
        let before = row.filter(|&&other| key(other) > key(vertex));
        ranks[vertex as usize] = 1 + before.map(|&other| ranks[other as usize]).max().unwrap_or(0);
    }
    ranks
}
