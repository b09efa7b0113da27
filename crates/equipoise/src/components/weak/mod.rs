//! Weakly connected components, over edges of either direction.
//!
//! Every vertex starts as a tree of its own. An edge hooks the root of one of its ends under the other's, the larger
//! under the smaller, and vertices are then let point to their roots. `afforest` is by Sutton, Ben-Nun and Barak,
//! "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling" (2018): a few edges of each vertex
//! show which component is the giant one, whose other edges need not be looked at.

pub(super) mod cpu;
pub(super) mod gpu;

/// How many edges of each vertex `afforest` looks at first.
const SAMPLED_EDGES: u32 = 2;
/// How many vertices tell which component is the giant one.
const SAMPLED_VERTICES: u32 = 1024;

/// Vertices from all over the graph.
pub(super) fn sampled_vertices(vertices: u32) -> Vec<u32> {
    let count = SAMPLED_VERTICES.min(vertices);
    let of = |sample: u32| u64::from(sample) * u64::from(vertices) / u64::from(count);
    (0..count).map(|sample| of(sample) as u32).collect()
}

/// The label that most of these have, the smallest of several.
pub(super) fn most_frequent(mut labels: Vec<u32>) -> Option<u32> {
    labels.sort_unstable();
    let groups = labels.chunk_by(|a, b| a == b);
    groups.rev().max_by_key(|group| group.len()).map(|group| group[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_vertices_and_no_two_are_the_same() {
        for vertices in [0, 1, 5, 1023, 1024, 1025, u32::MAX] {
            let sampled = sampled_vertices(vertices);
            assert_eq!(sampled.len() as u32, vertices.min(SAMPLED_VERTICES));
            assert!(sampled.is_sorted_by(|a, b| a < b));
            assert!(sampled.last().is_none_or(|&last| last < vertices));
        }
    }

    #[test]
    fn the_most_frequent_label_is_the_smallest_of_several() {
        assert_eq!(most_frequent(vec![]), None);
        assert_eq!(most_frequent(vec![7, 3, 7, 3, 9]), Some(3));
        assert_eq!(most_frequent(vec![1, 8, 2, 8]), Some(8));
    }
}
