//! Strategies by a learned policy.

use std::{borrow::Cow, fmt, sync::LazyLock};

use equipoise_select::{CandidateSet, Chooser as ModelChooser, Model, Node, features::GraphShape};

use super::{
    Uploaded,
    choose::{Chooser, Seen},
    fused::tree::Tree,
    graph::made,
};
use crate::{
    BfsOptions, BfsStrategy, Candidate, Error, Result, TraversalSettings, Way, graph_shape,
    learned::check_device,
    traverse::{asks_little, quick_shape},
};

/// The model that comes with the program, if there is one that fits it: aligned once, not for each
/// search.
static EMBEDDED: LazyLock<Option<Model>> =
    LazyLock::new(|| Candidate::align(Model::embedded("bfs", "gpu")?).ok());

impl Uploaded<'_> {
    /// What decides on the device, if that is asked for and can be: a model's tree, or without one
    /// the rule of direction-optimising.
    pub(super) fn policy(&self, options: &BfsOptions) -> Result<Option<Option<Tree>>> {
        let model = match (&options.plan, &options.model, options.strategy) {
            (Some(_), ..) => return Ok(None),
            (None, Some(model), _) => {
                check_device(model, "gpu")?;
                Some(Cow::Owned(Candidate::align(model)?))
            }
            (None, None, BfsStrategy::Auto) => EMBEDDED.as_ref().map(Cow::Borrowed),
            (None, None, BfsStrategy::DirectionOptimising) => None,
            (None, None, _) => return Ok(None),
        };
        let Some(model) = model else { return Ok(Some(None)) };
        Ok(Tree::of(&model, &self.shape_for(&model)?).map(Some))
    }

    /// As much of the graph's shape as a model asks for.
    fn shape_for(&self, model: &Model) -> Result<GraphShape> {
        match asks_little(model) {
            true => Ok(quick_shape(self.graph.graph)),
            false => made(&self.shape, || graph_shape(self.graph.graph)).copied(),
        }
    }

    /// A policy that follows a model, with a look of the host at each level.
    pub(super) fn learned(&self, model: &Model, options: &BfsOptions) -> Result<Chooser> {
        if options.plan.is_some() {
            return Err(Error::Option("a search follows a plan or a model, not both".into()));
        }
        let model = Candidate::align(model)?;
        let shape = self.shape_for(&model)?;
        Ok(Chooser::Learned(Box::new(Learned::new(model, shape, &options.gpu))))
    }
}

/// A model that chooses the strategy of each level.
pub(crate) struct Learned {
    model: Model,
    shape: GraphShape,
    /// All candidates, with their settings.
    candidates: Vec<(Candidate, TraversalSettings)>,
    /// Those that the model may want, and that fit.
    available: CandidateSet,
}

impl Learned {
    /// `model` has the features and candidates of BFS.
    pub fn new(model: Model, shape: GraphShape, settings: &TraversalSettings) -> Self {
        let candidates = Candidate::of_bfs().into_iter();
        let candidates = candidates.map(|candidate| (candidate, candidate.settings(settings)));
        let wanted = model.nodes().iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf.candidate as usize),
            Node::Split(_) => None,
        });
        let wanted = wanted.chain([model.first()]);
        let available = wanted.fold(CandidateSet::default(), CandidateSet::with);
        Self { candidates: candidates.collect(), model, shape, available }
    }

    /// The strategies it may pick.
    pub fn ways(&self) -> impl Iterator<Item = Way> {
        let all = self.candidates.iter().enumerate();
        let available = all.filter(|&(number, _)| self.available.contains(number));
        available.map(|(_, (candidate, _))| candidate.way)
    }

    /// Without what does not fit. Fails where nothing is left.
    pub fn within(&self, fits: impl Fn(Way) -> Result<()>) -> Result<Self> {
        let mut available = self.available;
        for (number, (candidate, _)) in self.candidates.iter().enumerate() {
            if available.contains(number) && fits(candidate.way).is_err() {
                available = available.without(number);
            }
        }
        let Self { model, shape, candidates, .. } = self;
        ModelChooser::new(model, available)?;
        Ok(Self { model: model.clone(), shape: *shape, candidates: candidates.clone(), available })
    }

    /// What chooses for one search.
    pub fn start(&self) -> Result<Following<'_>> {
        let chooser = ModelChooser::new(&self.model, self.available)?;
        Ok(Following { learned: self, chooser })
    }
}

/// A model is long; what a search compiles depends on what the model may pick.
impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Learned").field(&self.available).finish()
    }
}

/// A model that is followed through one search.
pub(crate) struct Following<'m> {
    learned: &'m Learned,
    chooser: ModelChooser<'m>,
}

impl<'m> Following<'m> {
    pub fn choose(&mut self, seen: &Seen) -> (Way, &'m TraversalSettings) {
        let features = self.learned.shape.at(&seen.step());
        let chosen = self.chooser.choose(&features).candidate;
        let (candidate, settings) = &self.learned.candidates[chosen];
        (candidate.way, settings)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_model_that_comes_with_the_program_fits_it() {
        assert!(super::EMBEDDED.is_some());
    }
}
