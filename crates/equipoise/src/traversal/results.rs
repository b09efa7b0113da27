//! Results computed from the labels of a search.

use equipoise_graph::{Graph, parallel::*};

use crate::{NONE, rows::Rows};

/// The vertices reached, the edges that leave them, and the largest label.
pub(crate) fn totals(graph: &Graph, labels: &[u32]) -> (u32, u64, u32) {
    let rows = Rows::new(graph);
    let reached = (0u32..).zip(labels).filter(|&(_, &label)| label != NONE);
    reached.fold((0, 0, 0), |(vertices, edges, largest), (vertex, &label)| {
        (vertices + 1, edges + rows.degree(vertex), largest.max(label))
    })
}

/// A parent one level up for each vertex that has a level, found along the edges that enter it; the source is its own
/// parent.
pub(crate) fn parents_of_levels(entering: &Graph, source: u32, levels: &[u32]) -> Vec<u32> {
    let parent = |vertex: u32| match levels[vertex as usize] {
        NONE => NONE,
        _ if vertex == source => source,
        level => {
            let others = entering.neighbors(vertex).iter().copied();
            let is_above = |&other: &u32| levels[other as usize].checked_add(1) == Some(level);
            others.into_iter().find(is_above).unwrap_or(NONE)
        }
    };
    (0..entering.vertices()).into_par_iter().map(parent).collect()
}

/// The distance whose bits are the label; infinite for [`NONE`].
pub(crate) fn real_distance(label: u32) -> f32 {
    match label {
        NONE => f32::INFINITY,
        bits => f32::from_bits(bits),
    }
}

/// The label with the bits of a distance; [`NONE`] for an infinite one.
pub(crate) fn real_label(distance: f32) -> u32 {
    match distance {
        f32::INFINITY => NONE,
        distance => distance.to_bits(),
    }
}
