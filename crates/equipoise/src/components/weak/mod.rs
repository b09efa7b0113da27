//! Weakly connected components, over edges of either direction.
//!
//! Every vertex starts as a tree. An edge hooks the larger of its ends' roots under the smaller one; then all vertices
//! are pointed to their roots. `afforest` is by Sutton, Ben-Nun and Barak, "Optimizing Parallel Graph Connectivity
//! Computation via Subgraph Sampling" (2018): after a few edges, the giant component is known, and the other edges within
//! it are skipped. The first edges are two of each vertex on a GPU. On the cpu they are one of each vertex, without a race
//! for roots, and then some more of a sample of the vertices.

pub(super) mod cpu;
pub(super) mod forest;
pub(super) mod gpu;

/// The size of the sample from which the giant component is determined.
const SAMPLED_VERTICES: u32 = 1024;

/// Vertices at equal distances.
pub(super) fn sampled_vertices(vertices: u32) -> Vec<u32> {
    let count = SAMPLED_VERTICES.min(vertices);
    let vertex = |sample: u32| u64::from(sample) * u64::from(vertices) / u64::from(count);
    (0..count).map(|sample| vertex(sample) as u32).collect()
}

/// The most frequent label, the smallest of several.
pub(super) fn most_frequent(mut labels: Vec<u32>) -> Option<u32> {
    labels.sort_unstable();
    let groups = labels.chunk_by(|a, b| a == b);
    groups.rev().max_by_key(|group| group.len()).map(|group| group[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_distinct_vertices() {
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
