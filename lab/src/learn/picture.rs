//! Drawings of a model's tree: text for a terminal, DOT, SVG.

use equipoise_select::{Leaf, Model, Node, Split};
use layout::{
    backends::svg::SVGWriter,
    gv::{DotParser, GraphBuilder},
};

/// The tree as text, one line per node, with the branch for `yes` first.
///
/// ```
/// # use equipoise_select::*;
/// # let description = Description {
/// #     algorithm: "bfs".into(),
/// #     device: "cpu".into(),
/// #     features: vec!["frontier".into()],
/// #     candidates: vec!["push".into(), "pull".into()],
/// #     first: "push".into(),
/// #     ..Description::default()
/// # };
/// # let leaf = |candidate, ambiguous| {
/// #     Node::Leaf(Leaf { candidate, share: 0.9, ambiguous, samples: 1200, ranking: vec![0, 1] })
/// # };
/// # let split = Node::Split(Split { feature: 0, threshold: 100.0, left: 1, right: 2 });
/// # let model = Model::new(description, vec![split, leaf(0, false), leaf(1, true)])?;
/// assert_eq!(equipoise_lab::learn::picture::text(&model), "\
/// frontier ≤ 100?
/// ├─ yes: push (fastest at 90 % of 1200 steps)
/// └─ no: pull (fastest at 90 % of 1200 steps, ambiguous)
/// ");
/// # Ok::<(), equipoise_select::Error>(())
/// ```
pub fn text(model: &Model) -> String {
    let mut text = String::new();
    // The node, the condition that leads to it, and the margin of the lines below it.
    let mut open = vec![(0, String::new(), String::new())];
    while let Some((at, lead, margin)) = open.pop() {
        text.push_str(&format!("{lead}{}\n", label(model, at)));
        if let Node::Split(Split { left, right, .. }) = model.nodes()[at] {
            open.push((right as usize, format!("{margin}└─ no: "), format!("{margin}   ")));
            open.push((left as usize, format!("{margin}├─ yes: "), format!("{margin}│  ")));
        }
    }
    text
}

/// The text of a node.
fn label(model: &Model, node: usize) -> String {
    match &model.nodes()[node] {
        Node::Split(Split { feature, threshold, .. }) => {
            format!("{} ≤ {threshold}?", model.description().features[*feature as usize])
        }
        Node::Leaf(leaf) => {
            format!("{} ({})", model.candidate(leaf.candidate as usize), facts(leaf))
        }
    }
}

fn facts(leaf: &Leaf) -> String {
    let Leaf { share, samples, ambiguous, .. } = leaf;
    let unclear = if *ambiguous { ", ambiguous" } else { "" };
    format!("fastest at {:.0} % of {samples} steps{unclear}", share * 100.0)
}

/// The tree in DOT, the language of Graphviz.
///
/// ```
/// # use equipoise_select::*;
/// # let description = Description {
/// #     algorithm: "bfs".into(),
/// #     device: "cpu".into(),
/// #     features: vec!["frontier".into()],
/// #     candidates: vec!["push".into()],
/// #     first: "push".into(),
/// #     ..Description::default()
/// # };
/// # let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 9, ranking: vec![0] };
/// # let model = Model::new(description, vec![Node::Leaf(leaf)])?;
/// assert!(equipoise_lab::learn::picture::dot(&model).starts_with("digraph tree {"));
/// # Ok::<(), equipoise_select::Error>(())
/// ```
pub fn dot(model: &Model) -> String {
    let mut text = String::from("digraph tree {\n  rankdir=LR;\n");
    for (at, node) in model.nodes().iter().enumerate() {
        let label = label(model, at).replace(" (", "\n(");
        let label = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let shape = match node {
            Node::Split(_) => "shape=box",
            Node::Leaf(_) => "shape=ellipse style=filled fillcolor=lightgray",
        };
        text.push_str(&format!("  n{at} [label=\"{label}\" {shape}];\n"));
        if let Node::Split(Split { left, right, .. }) = node {
            text.push_str(&format!("  n{at} -> n{left} [label=\"yes\"];\n"));
            text.push_str(&format!("  n{at} -> n{right} [label=\"no\"];\n"));
        }
    }
    text.push_str("}\n");
    text
}

/// The tree as an SVG image; `None` if the layout fails.
///
/// ```
/// # use equipoise_select::*;
/// # let description = Description {
/// #     algorithm: "bfs".into(),
/// #     device: "cpu".into(),
/// #     features: vec!["frontier".into()],
/// #     candidates: vec!["push".into()],
/// #     first: "push".into(),
/// #     ..Description::default()
/// # };
/// # let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 9, ranking: vec![0] };
/// # let model = Model::new(description, vec![Node::Leaf(leaf)])?;
/// assert!(equipoise_lab::learn::picture::svg(&model).is_some_and(|svg| svg.contains("push")));
/// # Ok::<(), equipoise_select::Error>(())
/// ```
pub fn svg(model: &Model) -> Option<String> {
    let parsed = DotParser::new(&dot(model)).process().ok()?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&parsed);
    let mut writer = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut writer);
    Some(writer.finalize())
}
