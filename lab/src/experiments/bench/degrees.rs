//! Degree distributions.

use std::collections::BTreeMap;

use equipoise::graph::Graph;

use crate::report::data::DegreeCount;

/// The degrees of all vertices of a graph.
pub(super) fn all_degrees(graph: &Graph) -> impl Iterator<Item = u64> {
    graph.csr().offsets().windows(2).map(|ends| ends[1] - ends[0])
}

/// The number of occurrences of each degree.
pub(super) fn counts(degrees: impl Iterator<Item = u64>) -> Vec<DegreeCount> {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    degrees.for_each(|degree| *counts.entry(degree).or_default() += 1);
    counts.into_iter().map(|(degree, vertices)| DegreeCount { degree, vertices }).collect()
}
