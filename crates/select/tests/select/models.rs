//! Models shared by the tests.

use equipoise_select::{Description, Leaf, Model, Node, Split};

pub fn description(features: &[&str], candidates: &[&str]) -> Description {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    Description {
        algorithm: "bfs".into(),
        device: "cuda".into(),
        features: owned(features),
        candidates: owned(candidates),
        first: candidates[0].into(),
        trained_on: vec!["rmat-20".into()],
        notes: vec!["made by hand".into()],
    }
}

pub fn split(feature: u32, threshold: f32, left: u32, right: u32) -> Node {
    Node::Split(Split { feature, threshold, left, right })
}

pub fn leaf(candidate: u32, ambiguous: bool, ranking: &[u32]) -> Node {
    let ranking = ranking.to_vec();
    Node::Leaf(Leaf { candidate, share: 0.75, ambiguous, samples: 12, ranking })
}

/// Small frontiers get `push`, large ones `pull` if the graph is dense; otherwise the leaf is
/// ambiguous.
pub fn three_leaves() -> Model {
    let nodes = vec![
        split(0, 0.25, 1, 2),
        leaf(1, false, &[1, 0, 2]),
        split(1, 8.0, 3, 4),
        leaf(0, true, &[0, 2, 1]),
        leaf(2, false, &[2, 0, 1]),
    ];
    Model::new(description(&["frontier", "mean_degree"], &["edge", "push", "pull"]), nodes).unwrap()
}
