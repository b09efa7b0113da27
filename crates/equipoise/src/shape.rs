//! The features that models read: of a graph, and of a search before each level.

use equipoise_graph::{
    Graph,
    stats::{DegreeDistributions, Degrees},
};
use equipoise_select::{
    Model, Node,
    features::{Distribution, GraphShape, NAMES, Step},
};

use crate::{NONE, Result, learned::is_graph_feature, rows::Rows};

/// The features of a graph, which are the same at all levels of a search.
///
/// Fails where the graph is not sound.
///
/// ```
/// use equipoise::{graph::{io::ReadOptions, load}, traversal::graph_shape};
///
/// let star = load("star:n=5", &ReadOptions::default())?;
/// let shape = graph_shape(&star)?;
/// assert_eq!((shape.edges, shape.out_degrees.max, shape.degrees.max), (8, 4.0, 8.0));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn graph_shape(graph: &Graph) -> Result<GraphShape> {
    let degrees = DegreeDistributions::new(graph)?;
    Ok(GraphShape {
        vertices: graph.vertices().into(),
        edges: graph.edges(),
        out_degrees: distribution(&degrees.leaving),
        in_degrees: distribution(&degrees.entering),
        degrees: distribution(&degrees.both),
    })
}

/// The features of a graph that are known without a pass over it.
const QUICK: [&str; 3] = ["vertices", "edges", "out_degree_mean"];

/// Whether a model of traversals reads only the features of a graph that [`quick_shape`] has.
pub(crate) fn asks_little(model: &Model) -> bool {
    model.nodes().iter().all(|node| match node {
        Node::Split(split) => {
            let name = NAMES[split.feature as usize];
            !is_graph_feature(name) || QUICK.contains(&name)
        }
        Node::Leaf(_) => true,
    })
}

/// The features of a graph that are known without a pass over it; the others are zero.
pub(crate) fn quick_shape(graph: &Graph) -> GraphShape {
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let mean = (edges as f64 / vertices.max(1) as f64) as f32;
    let out_degrees = Distribution { mean, ..Distribution::default() };
    GraphShape { vertices, edges, out_degrees, ..GraphShape::default() }
}

fn distribution(degrees: &Degrees) -> Distribution {
    Distribution {
        min: degrees.min as f32,
        lower_quartile: degrees.lower_quartile as f32,
        median: degrees.median as f32,
        upper_quartile: degrees.upper_quartile as f32,
        max: degrees.max as f32,
        mean: degrees.mean as f32,
        deviation: degrees.deviation as f32,
    }
}

/// The features of a search before each of its levels, computed from the level of each vertex.
///
/// ```
/// use equipoise::{bfs::{BfsOptions, bfs}, graph::{io::ReadOptions, load}, traversal::level_steps};
///
/// let star = load("star:n=5", &ReadOptions::default())?;
/// let steps = level_steps(&star, &bfs(&star, 0, &BfsOptions::default())?.levels);
/// assert_eq!((steps[0].frontier_edges, steps[1].frontier, steps[1].discovered), (4, 4, 5));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn level_steps(graph: &Graph, levels: &[u32]) -> Vec<Step> {
    let rows = Rows::new(graph);
    let mut steps: Vec<Step> = Vec::new();
    for (vertex, &level) in (0u32..).zip(levels).filter(|&(_, &level)| level != NONE) {
        let level = level as usize;
        if level >= steps.len() {
            steps.resize(level + 1, Step::default());
        }
        steps[level].frontier += 1;
        steps[level].frontier_edges += rows.degree(vertex);
    }
    let mut discovered = 0;
    for step in &mut steps {
        discovered += step.frontier;
        step.discovered = discovered;
    }
    steps
}
