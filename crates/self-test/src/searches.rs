//! Graphs of shapes that searches get wrong, with weights of every type.

use std::borrow::Cow;

use equipoise::{
    Result,
    graph::{Graph, WeightType, Weights},
};

use super::Shape;

pub(super) const SHAPES: &[Shape] = &[
    ("one-vertex", "isolated:n=1", "isolated:n=1"),
    ("path", "path:n=5,weights=1..9", "path:n=300,weights=1..9"),
    ("two-parts", "components:n=20,weights=1..9", "components:n=5000,weights=1..9"),
    ("star", "star:n=2000,weights=1..9", "star:n=1000000,weights=1..9"),
    ("power-law", "rmat:scale=8,weights=1..99", "rmat:scale=16,weights=1..99"),
    ("grid", "grid:width=20,height=30,weights=1..9", "grid:width=120,height=100,weights=1..9"),
    (
        "directed",
        "er:n=300,m=900,directed=true,weights=1..9",
        "er:n=90000,m=400000,directed=true,weights=1..9",
    ),
    ("no-weight", "er:n=200,m=500,weights=0..1", "er:n=20000,m=80000,weights=0..1"),
];

pub(super) fn with_weights(graph: &Graph, kind: WeightType) -> Result<Cow<'_, Graph>> {
    Ok(match kind {
        WeightType::Auto | WeightType::U32 => Cow::Borrowed(graph),
        WeightType::F32 => Cow::Owned(convert_weights(graph, |weight| weight as f32 / 3.0)?),
        WeightType::F64 => Cow::Owned(convert_weights(graph, |weight| weight / 10.0)?),
    })
}

fn convert_weights<W>(graph: &Graph, convert: impl Fn(f64) -> W) -> Result<Graph>
where
    Weights: From<Vec<W>>,
{
    let weights = graph.weights().map(|weights| {
        let all = (0..weights.len()).map(|edge| convert(weights.get(edge)));
        Weights::from(all.collect::<Vec<W>>())
    });
    Ok(graph.clone().with_weights(weights)?)
}
