//! Learned policies for breadth-first search on a GPU.
//!
//! What a tree asks of the graph is answered before the search starts. Where the questions that are
//! left are about numbers that the device has, and the answers are to push or to pull, the device
//! asks the tree itself; otherwise the host does, at each level.

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
    traversal::{Choice, Strategy, TraversalSettings, asks_little, quick_shape},
};

/// The model that comes with the program, if there is one that fits it: aligned once, not for each
/// search.
static EMBEDDED: LazyLock<Option<Model>> =
    LazyLock::new(|| Candidate::align(Model::embedded("bfs", "gpu")?).ok());

/// What decides on the device, if that is asked for and can be: a model's tree, or without one the
/// rule of direction-optimising.
pub(super) fn on_device(
    graph: &GpuGraph,
    options: &BfsOptions,
) -> Result<Option<Option<DirectionTree>>> {
    let model = match (&options.plan, &options.model, options.strategy) {
        (Some(_), ..) => return Ok(None),
        (None, Some(model), _) => {
            check_device(model, "gpu")?;
            Some(Cow::Owned(Candidate::align(model)?))
        }
        (None, None, Strategy::Auto) => EMBEDDED.as_ref().map(Cow::Borrowed),
        (None, None, Strategy::DirectionOptimising) => None,
        (None, None, _) => return Ok(None),
    };
    let Some(model) = model else { return Ok(Some(None)) };
    match nodes_of(&model, &shape_for(graph, &model)?) {
        Some(nodes) => Ok(Some(Some(DirectionTree::new(&nodes)?))),
        None => Ok(None),
    }
}

/// As much of the graph's shape as a model asks for.
fn shape_for(graph: &GpuGraph, model: &Model) -> Result<GraphShape> {
    match asks_little(model) {
        true => Ok(quick_shape(graph.graph)),
        false => graph.shape().copied(),
    }
}

/// A model that the host asks for the strategy of each level.
pub(super) struct Learned {
    model: Model,
    shape: GraphShape,
    /// All candidates, with their settings.
    candidates: Vec<(Candidate, TraversalSettings)>,
    /// Those that the model may want, and that fit.
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

    /// What picks for one search.
    ///
    /// Fails where no candidate fits.
    pub fn choice(&self) -> Result<Choice<'_>> {
        let mut chooser = Chooser::new(&self.model, self.available)?;
        let all = self.candidates.iter().enumerate();
        let available = all.filter(|&(number, _)| self.available.contains(number));
        let strategies = available.map(|(_, (candidate, _))| candidate.strategy).collect();
        Ok(Choice::new(strategies, move |_, seen| {
            let chosen = chooser.choose(&self.shape.at(&seen.step())).candidate;
            let (candidate, settings) = &self.candidates[chosen];
            (candidate.strategy, Some(settings))
        }))
    }
}

/// The nodes of a model for searches of one graph, whose features and candidates are those of BFS, if
/// it comes down to the directions that the device chooses from.
fn nodes_of(model: &Model, shape: &GraphShape) -> Option<Vec<DirectionNode>> {
    let strategies = Candidate::of_bfs().into_iter().map(|candidate| candidate.strategy).collect();
    let mut tree = Nodes { model, shape, strategies, nodes: Vec::new() };
    tree.append(0)?;
    Some(tree.nodes)
}

/// The nodes of a tree while they are made.
struct Nodes<'a> {
    model: &'a Model,
    shape: &'a GraphShape,
    strategies: Vec<Strategy>,
    nodes: Vec<DirectionNode>,
}

impl Nodes<'_> {
    /// Appends a node of the model and all below it. Its place.
    fn append(&mut self, number: usize) -> Option<usize> {
        let at = self.nodes.len();
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
                    self.nodes[at] = DirectionNode::Ask { number, most, left, right };
                }
            },
        }
        Some(at)
    }

    fn answer(&self, split: &Split) -> Answer {
        let feature = split.feature as usize;
        let value = |step: Step| self.shape.at(&step)[feature];
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
    /// The node that all levels on this graph go to.
    Known(usize),
    /// What is asked for, and the most with which one goes left.
    Open { number: LevelNumber, most: u32 },
}

/// The greatest number of which it is true, where it is of all that are smaller.
fn most(is_true: impl Fn(u32) -> bool) -> Option<u32> {
    if !is_true(0) {
        return None;
    }
    let (mut least, mut greatest) = (0, u32::MAX);
    while least < greatest {
        let middle = least + (greatest - least).div_ceil(2);
        match is_true(middle) {
            true => least = middle,
            false => greatest = middle - 1,
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
    fn the_model_that_comes_with_the_program_fits_it() {
        assert!(EMBEDDED.is_some());
    }

    #[test]
    fn what_a_graph_answers_is_not_asked_again() {
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
    fn what_only_the_host_can_do_is_left_to_it() {
        let model = model(["fused-push", "fused-pull", "node"]);
        assert!(nodes_of(&model, &shape(2.0)).is_none());
    }

    #[test]
    fn the_greatest_number_is_found() {
        assert_eq!(most(|_| true), Some(u32::MAX));
        assert_eq!(most(|number| number < 1), Some(0));
        assert_eq!(most(|number| number <= 4_000_000_000), Some(4_000_000_000));
        assert_eq!(most(|_| false), None);
    }
}
