//! How `auto` chooses the direction of each level of a breadth-first search on a GPU: by one threshold, or by a learned
//! model.
//!
//! Questions of a model's tree about the graph are answered before the search starts. If the remaining questions are about
//! numbers that the device has, and the answers are to push or to pull, the device evaluates the tree itself; otherwise
//! the host does, at each level.

use std::{borrow::Cow, sync::LazyLock};

use equipoise_schedule::engine::{DirectionNode, DirectionTree, LevelNumber};
use equipoise_select::{
    CandidateSet, Chooser, Model, Node, Split,
    features::{GraphShape, NAMES, Step},
};

use super::{BfsOptions, Candidate};
use crate::{
    Error, Result,
    gpu_graph::GpuGraph,
    learned::check_device,
    shape::{asks_little, quick_shape},
    traversal::{IterationPolicy, Policy, Strategy, TraversalSettings},
};

/// The built-in model, if it has the features and candidates of this version; aligned once, not once per search.
static EMBEDDED: LazyLock<Option<Model>> =
    LazyLock::new(|| Candidate::align(Model::embedded("bfs", "gpu")?).ok());

/// `auto` pulls a level if more than this share of all edges leaves its frontier. On measurements/bfs-h200.csv it takes
/// 1.01 times the optimum, 1.65 times at worst; 0.20 takes 105 times at worst (a bipartite graph), 0.25 takes 1.17 times
/// on rmat22.
const PULLED_SHARE: f64 = 0.22;

/// How the device chooses the direction of each level.
pub(super) struct DeviceChoice {
    /// The tree that it evaluates; without one, the rule of Beamer et al.
    pub tree: Option<DirectionTree>,
    /// The name of such a level in a trace.
    pub name: &'static str,
}

/// How the device chooses directions; nothing where the host chooses.
pub(super) fn on_device(graph: &GpuGraph, options: &BfsOptions) -> Result<Option<DeviceChoice>> {
    let by_beamer = DeviceChoice { tree: None, name: Strategy::DirectionOptimising.name() };
    let model = match (&options.plan, &options.model, options.strategy) {
        (Some(_), ..) => return Ok(None),
        (None, Some(model), _) => {
            check_device(model, "gpu")?;
            Cow::Owned(Candidate::align(model)?)
        }
        (None, None, Strategy::DirectionOptimising) => return Ok(Some(by_beamer)),
        (None, None, Strategy::Auto) => match (options.policy, &*EMBEDDED) {
            (Policy::Learned, Some(model)) => Cow::Borrowed(model),
            _ => {
                let tree = Some(threshold(graph.graph.edges())?);
                return Ok(Some(DeviceChoice { tree, name: Policy::Rule.name() }));
            }
        },
        (None, None, _) => return Ok(None),
    };
    match nodes_of(&model, &shape_for(graph, &model)?) {
        Some(nodes) => {
            let tree = Some(DirectionTree::new(&nodes)?);
            Ok(Some(DeviceChoice { tree, name: Policy::Learned.name() }))
        }
        None => Ok(None),
    }
}

/// The tree that asks for the edges of the frontier of a graph with this number of edges.
fn threshold(edges: u64) -> Result<DirectionTree> {
    // A `u32` holds the number of edges of any graph on a GPU; the cast saturates.
    let most = (edges as f64 * PULLED_SHARE) as u32;
    let question = DirectionNode::Ask { number: LevelNumber::Edges, most, left: 1, right: 2 };
    Ok(DirectionTree::new(&[question, DirectionNode::Push, DirectionNode::Pull])?)
}

/// As much of the graph's shape as a model asks for.
fn shape_for(graph: &GpuGraph, model: &Model) -> Result<GraphShape> {
    if asks_little(model) { Ok(quick_shape(graph.graph)) } else { graph.shape().copied() }
}

/// A model by which the host chooses the strategy of each level.
pub(super) struct Learned {
    model: Model,
    shape: GraphShape,
    candidates: Vec<(Candidate, TraversalSettings)>,
    /// The candidates that the model may choose and that fit in memory.
    available: CandidateSet,
}

impl Learned {
    pub fn new(
        graph: &GpuGraph,
        model: &Model,
        options: &BfsOptions,
        fits: impl Fn(Strategy) -> Result<()>,
    ) -> Result<Self> {
        if options.plan.is_some() {
            return Err(Error::Option("a search follows a plan or a model, not both".into()));
        }
        let model = Candidate::align(model)?;
        let shape = shape_for(graph, &model)?;
        let all = Candidate::of_bfs().into_iter();
        let candidates: Vec<_> = all.map(|one| (one, one.settings(&options.gpu))).collect();
        let wanted = model.nodes().iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf.candidate as usize),
            Node::Split(_) => None,
        });
        let fitting = wanted
            .chain([model.first()])
            .filter(|&number| fits(candidates[number].0.strategy).is_ok());
        let available = fitting.fold(CandidateSet::default(), CandidateSet::with);
        Ok(Self { model, shape, candidates, available })
    }

    /// The policy of one search. Fails if no candidate fits.
    pub fn policy(&self) -> Result<IterationPolicy<'_>> {
        let mut chooser = Chooser::new(&self.model, self.available)?;
        let all = self.candidates.iter().enumerate();
        let available = all.filter(|&(number, _)| self.available.contains(number));
        let strategies = available.map(|(_, (candidate, _))| candidate.strategy).collect();
        Ok(IterationPolicy::new(strategies, move |_, progress| {
            let chosen = chooser.choose(&self.shape.features(&progress.step())).candidate;
            let (candidate, settings) = &self.candidates[chosen];
            (candidate.strategy, Some(settings))
        }))
    }
}

/// The nodes of a model for one graph; nothing if the model may choose something else than the two directions of the device.
/// The model has the features and candidates of BFS.
fn nodes_of(model: &Model, shape: &GraphShape) -> Option<Vec<DirectionNode>> {
    let strategies = Candidate::of_bfs().into_iter().map(|candidate| candidate.strategy).collect();
    let mut tree = Nodes { model, shape, strategies, nodes: Vec::new() };
    tree.append(0)?;
    Some(tree.nodes)
}

/// The nodes of a tree under construction.
struct Nodes<'a> {
    model: &'a Model,
    shape: &'a GraphShape,
    strategies: Vec<Strategy>,
    nodes: Vec<DirectionNode>,
}

impl Nodes<'_> {
    /// Appends a node of the model and all below it, and returns its index.
    fn append(&mut self, number: usize) -> Option<usize> {
        let index = self.nodes.len();
        match &self.model.nodes()[number] {
            Node::Leaf(leaf) => {
                let strategy = self.strategies[leaf.candidate as usize];
                self.nodes.push(match (leaf.ambiguous, strategy) {
                    (true, _) => DirectionNode::Keep,
                    (false, Strategy::FusedPush) => DirectionNode::Push,
                    (false, Strategy::FusedPull) => DirectionNode::Pull,
                    _ => return None,
                });
            }
            Node::Split(split) => match self.answer(split) {
                Answer::Known(next) => return self.append(next),
                Answer::Open { number, most } => {
                    self.nodes.push(DirectionNode::Keep);
                    let left = self.append(split.left as usize)?;
                    let right = self.append(split.right as usize)?;
                    self.nodes[index] = DirectionNode::Ask { number, most, left, right };
                }
            },
        }
        Some(index)
    }

    fn answer(&self, split: &Split) -> Answer {
        let feature = split.feature as usize;
        let value = |step: Step| self.shape.features(&step)[feature];
        let step = |number: LevelNumber, count: u32| {
            let count = u64::from(count);
            match number {
                LevelNumber::Vertices => Step { frontier: count, ..Step::default() },
                LevelNumber::Edges => Step { frontier_edges: count, ..Step::default() },
                LevelNumber::Discovered => Step { discovered: count, ..Step::default() },
            }
        };
        let number = match NAMES[feature] {
            "frontier" | "frontier_relative" => LevelNumber::Vertices,
            "frontier_edges" | "frontier_edges_relative" => LevelNumber::Edges,
            "discovered" | "discovered_relative" => LevelNumber::Discovered,
            _ => return Answer::Known(split.next(value(Step::default()))),
        };
        let goes_left = |count: u32| value(step(number, count)) <= split.threshold;
        match most(goes_left) {
            Some(most) => Answer::Open { number, most },
            None => Answer::Known(split.right as usize),
        }
    }
}

enum Answer {
    /// All levels on this graph continue at this node.
    Known(usize),
    /// The level continues on the left up to this number.
    Open { number: LevelNumber, most: u32 },
}

/// The largest number satisfying a monotone predicate.
fn most(is_true: impl Fn(u32) -> bool) -> Option<u32> {
    if !is_true(0) {
        return None;
    }
    let (mut least, mut greatest) = (0, u32::MAX);
    while least < greatest {
        let middle = least + (greatest - least).div_ceil(2);
        if is_true(middle) {
            least = middle;
        } else {
            greatest = middle - 1;
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use equipoise_select::{Description, Leaf};

    use super::*;

    /// Asks for the mean degree first, then for the share of vertices found.
    fn model(candidates: [&str; 3]) -> Model {
        let description = Description {
            algorithm: "bfs".into(),
            device: "gpu".into(),
            features: vec!["out_degree_mean".into(), "discovered_relative".into()],
            candidates: candidates.map(str::to_owned).to_vec(),
            first: candidates[0].into(),
            ..Description::default()
        };
        let leaf = |candidate: u32, ambiguous| {
            let ranking = vec![0, 1, 2];
            Node::Leaf(Leaf { candidate, share: 1.0, ambiguous, samples: 1, ranking })
        };
        let split = |feature, threshold, left, right| {
            Node::Split(Split { feature, threshold, left, right })
        };
        let nodes = vec![
            split(0, 3.0, 1, 2),
            leaf(2, false),
            split(1, 0.25, 3, 4),
            leaf(0, false),
            leaf(1, true),
        ];
        Candidate::align(&Model::new(description, nodes).unwrap()).unwrap()
    }

    fn shape(mean: f32) -> GraphShape {
        let mut shape = GraphShape { vertices: 1000, edges: 9000, ..GraphShape::default() };
        shape.out_degrees.mean = mean;
        shape
    }

    #[test]
    fn the_built_in_model_fits() {
        assert!(EMBEDDED.is_some());
    }

    #[test]
    fn questions_about_the_graph_are_answered_beforehand() {
        let model = model(["fused-push", "fused-pull", "node"]);
        let number = LevelNumber::Discovered;
        let expected = [
            DirectionNode::Ask { number, most: 250, left: 1, right: 2 },
            DirectionNode::Push,
            DirectionNode::Keep,
        ];
        assert_eq!(nodes_of(&model, &shape(9.0)).unwrap(), expected);
    }

    #[test]
    fn trees_with_other_strategies_are_for_the_host() {
        let model = model(["fused-push", "fused-pull", "node"]);
        assert!(nodes_of(&model, &shape(2.0)).is_none());
    }

    #[test]
    fn the_largest_number_is_found() {
        assert_eq!(most(|_| true), Some(u32::MAX));
        assert_eq!(most(|number| number < 1), Some(0));
        assert_eq!(most(|number| number <= 4_000_000_000), Some(4_000_000_000));
        assert_eq!(most(|_| false), None);
    }
}
