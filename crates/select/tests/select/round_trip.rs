//! A model that is written and read back is the same.

use equipoise_select::{Error, Leaf, Model, Node, Split};
use proptest::prelude::*;

use crate::models::{description, three_leaves};

/// A random tree as nested nodes, which [`lay_out`] flattens to an array.
#[derive(Clone, Debug)]
enum Shape {
    Leaf(u32, f32, bool, u64),
    Split(u32, f32, Box<Shape>, Box<Shape>),
}

fn shapes() -> impl Strategy<Value = Shape> {
    let share = 0.0f32..=1.0;
    let leaf = (0u32..3, share, any::<bool>(), 0u64..1 << 40).prop_map(
        |(candidate, share, ambiguous, samples)| Shape::Leaf(candidate, share, ambiguous, samples),
    );
    let finite = any::<f32>().prop_filter("finite", |threshold| threshold.is_finite());
    leaf.prop_recursive(8, 64, 2, move |inner| {
        (0u32..2, finite.clone(), inner.clone(), inner).prop_map(
            |(feature, threshold, left, right)| {
                Shape::Split(feature, threshold, Box::new(left), Box::new(right))
            },
        )
    })
}

fn lay_out(shape: &Shape, nodes: &mut Vec<Node>) -> u32 {
    let node = nodes.len();
    match shape {
        &Shape::Leaf(candidate, share, ambiguous, samples) => {
            let ranking = vec![candidate, (candidate + 1) % 3, (candidate + 2) % 3];
            nodes.push(Node::Leaf(Leaf { candidate, share, ambiguous, samples, ranking }));
        }
        Shape::Split(feature, threshold, left, right) => {
            let mut split = Split { feature: *feature, threshold: *threshold, left: 0, right: 0 };
            nodes.push(Node::Split(split));
            split.left = lay_out(left, nodes);
            split.right = lay_out(right, nodes);
            nodes[node] = Node::Split(split);
        }
    }
    node as u32
}

/// Evaluates the nested tree, as a reference.
fn walk(shape: &Shape, features: &[f32]) -> (usize, bool) {
    match shape {
        Shape::Leaf(candidate, _, ambiguous, _) => (*candidate as usize, *ambiguous),
        Shape::Split(feature, threshold, left, right) => {
            let small = features[*feature as usize] <= *threshold;
            walk(if small { left } else { right }, features)
        }
    }
}

proptest! {
    #[test]
    fn a_model_is_the_same_after_its_file(shape in shapes(), a in any::<f32>(), b in any::<f32>()) {
        let mut nodes = Vec::new();
        lay_out(&shape, &mut nodes);
        let model = Model::new(description(&["a \"b\"", "ä"], &["x", "y\\", "z"]), nodes).unwrap();
        let read = Model::from_json(&model.to_json()).unwrap();
        prop_assert_eq!(&read, &model);
        let prediction = read.predict(&[a, b]);
        prop_assert_eq!((prediction.candidate, prediction.ambiguous), walk(&shape, &[a, b]));
    }
}

#[test]
fn a_file_has_one_line_per_node() {
    let model = three_leaves();
    let text = model.to_json();
    assert!(
        text.contains(
            "\n    {\"feature\":\"frontier\",\"threshold\":0.25,\"left\":1,\"right\":2},\n"
        ),
        "{text}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    std::fs::write(&path, text).unwrap();
    assert_eq!(Model::read(&path).unwrap(), model);
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.json");
    let error = Model::read(&path).unwrap_err();
    assert!(matches!(error, Error::Io { .. }));
    assert!(error.to_string().contains("model.json"), "{error}");
    std::fs::write(&path, "{").unwrap();
    let error = Model::read(&path).unwrap_err();
    assert!(matches!(error, Error::InFile { .. }));
    assert!(error.to_string().contains("model.json: this is not a model: EOF"), "{error}");
}
