//! Trees as pictures.

use equipoise_lab::learn::picture::{dot, svg, text};
use equipoise_select::{Description, Leaf, Model, Node, Split};

/// A full tree with this many levels of splits, whose names need to be escaped.
fn full(levels: u32) -> Model {
    let splits = (1u32 << levels) - 1;
    let split = |node: u32| {
        Node::Split(Split {
            feature: 0,
            threshold: node as f32,
            left: 2 * node + 1,
            right: 2 * node + 2,
        })
    };
    let leaf = |node: u32| {
        let (candidate, ambiguous) = (node % 2, node.is_multiple_of(5));
        Node::Leaf(Leaf { candidate, share: 0.5, ambiguous, samples: 7, ranking: vec![0, 1] })
    };
    let description = Description {
        algorithm: "bfs".into(),
        device: "cpu".into(),
        features: vec!["the \"size\" < \\".into()],
        candidates: vec!["a<b>&".into(), "b".into()],
        first: "b".into(),
        ..Description::default()
    };
    let nodes = (0..splits).map(split).chain((0..=splits).map(leaf));
    Model::new(description, nodes.collect()).unwrap()
}

#[test]
fn text_shows_the_shape() {
    let expected = "\
the \"size\" < \\ ≤ 0?
├─ yes: the \"size\" < \\ ≤ 1?
│  ├─ yes: a<b>& (fastest at 50 % of 7 steps, ambiguous)
│  └─ no: b (fastest at 50 % of 7 steps)
└─ no: the \"size\" < \\ ≤ 2?
   ├─ yes: a<b>& (fastest at 50 % of 7 steps)
   └─ no: b (fastest at 50 % of 7 steps)
";
    assert_eq!(text(&full(2)), expected);
}

#[test]
fn dot_has_every_node_and_edge() {
    let dot = dot(&full(3));
    assert_eq!(dot.matches("->").count(), 14);
    assert_eq!(dot.matches("shape=box").count(), 7);
    assert_eq!(dot.matches("shape=ellipse").count(), 8);
    assert!(dot.contains(r#"label="the \"size\" < \\ ≤ 0?""#), "{dot}");
}

#[test]
fn svg_is_drawn_for_small_and_large_trees() {
    for levels in [0, 1, 3, 6] {
        let svg = svg(&full(levels)).unwrap();
        assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(svg.matches("<ellipse").count(), 1 << levels, "{levels}");
        assert!(!svg.contains("a<b>"), "names are escaped");
    }
}
