//! Models for tests.

use equipoise::select::{Description, Leaf, Model, Node, Split};

/// The model, for another device.
pub fn of_device(model: &Model, device: &str) -> Model {
    let description = Description { device: device.into(), ..model.description().clone() };
    Model::new(description, model.nodes().to_vec()).unwrap()
}

/// One candidate up to 8 of a feature, another above.
pub fn two_leaves(algorithm: &str, feature: &str, [few, many]: [&str; 2]) -> Model {
    let description = Description {
        algorithm: algorithm.into(),
        device: "gpu".into(),
        features: vec![feature.into()],
        candidates: vec![few.into(), many.into()],
        first: few.into(),
        ..Description::default()
    };
    let leaf = |candidate, ranking: [u32; 2]| {
        let ranking = ranking.to_vec();
        Node::Leaf(Leaf { candidate, share: 1.0, ambiguous: false, samples: 9, ranking })
    };
    let split = Node::Split(Split { feature: 0, threshold: 8.0, left: 1, right: 2 });
    Model::new(description, vec![split, leaf(0, [0, 1]), leaf(1, [1, 0])]).unwrap()
}
