//! Selection of settings by cross-validation on unseen graphs.

use std::collections::BTreeSet;

use equipoise_select::{Description, Model, Node};
use rayon::prelude::*;

use crate::learn::{
    LeafRule, Options, Result, Settings, Weighting,
    cart::{Limits, grow},
    evaluation::follow,
    leaves::Summarized,
    optimum::Optimal,
    samples::Samples,
};

/// The cross-validation of some settings.
///
/// ```
/// # use equipoise_lab::learn::{LeafRule, Settings, Trial, Weighting};
/// # let settings = Settings { weighting: Weighting::Equal, time_share: 0.0, rule: LeafRule::LeastLost, depth: 6, leaf: 20 };
/// let trial = Trial { settings, average: 1.08, worst: 2.5, leaves: 14.0 };
/// assert!(trial.average < trial.worst);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The settings.
    pub settings: Settings,
    /// The mean over all runs of the time relative to the least, each run judged by a tree grown
    /// without its graph.
    pub average: f64,
    /// The maximum of these ratios.
    pub worst: f64,
    /// The mean number of leaves.
    pub leaves: f64,
}

/// The evaluation of the trees of one fold on the runs of that fold.
#[derive(Clone, Default)]
struct Tally {
    ratios: Vec<f64>,
    leaves: usize,
}

/// The input of training.
pub(crate) struct Problem<'a> {
    pub optima: Vec<Optimal<'a>>,
    /// The table's features and candidates, and the description of the model.
    pub description: Description,
    /// The features to use.
    pub features: Vec<usize>,
    /// The candidate for an ambiguous first step, if specified.
    pub first: Option<usize>,
}

impl Problem<'_> {
    pub fn samples(&self, wanted: impl Fn(&str) -> bool) -> Samples {
        let runs = self.optima.iter().filter(|optimal| wanted(&optimal.run.graph));
        Samples::from_runs(runs, &self.features, self.description.candidates.len())
    }

    /// A model of these nodes, whose features are numbered by index in the used ones.
    pub fn model(&self, mut nodes: Vec<Node>, first: usize) -> Result<Model> {
        for node in &mut nodes {
            if let Node::Split(split) = node {
                split.feature = self.features[split.feature as usize] as u32;
            }
        }
        let mut description = self.description.clone();
        description.first = description.candidates[first].clone();
        Ok(Model::new(description, nodes)?)
    }

    /// Evaluates all settings on all folds.
    pub fn cross_validate(
        &self,
        options: &Options,
        folds: &[BTreeSet<String>],
    ) -> Result<Vec<Trial>> {
        let ways = ways(options);
        let samples: Vec<Samples> =
            folds.par_iter().map(|fold| self.samples(|graph| !fold.contains(graph))).collect();
        let parts: Vec<(usize, usize)> = (0..ways.len())
            .flat_map(|growth| (0..folds.len()).map(move |fold| (growth, fold)))
            .collect();
        let tallies: Vec<Vec<Tally>> = parts
            .into_par_iter()
            .map(|(growth, fold)| self.judge(options, ways[growth], &samples[fold], &folds[fold]))
            .collect::<Result<_>>()?;
        let trials = ways.iter().zip(tallies.chunks(folds.len()));
        Ok(trials.flat_map(|(&growth, tallies)| trials_of(options, growth, tallies)).collect())
    }

    /// Grows one tree, and evaluates it at all depths and with all rules.
    fn judge(
        &self,
        options: &Options,
        growth: GrowthSettings,
        samples: &Samples,
        fold: &BTreeSet<String>,
    ) -> Result<Vec<Tally>> {
        let weights = samples.weights(growth.weighting);
        let depth = options.depths.iter().copied().max().unwrap_or(0);
        let grown =
            grow(&samples.data(&weights, growth.time_share), Limits { depth, leaf: growth.leaf });
        let tree = Summarized::new(&grown, samples, &weights);
        let first = self.first.unwrap_or_else(|| samples.best_first());
        let judged: Vec<&Optimal> =
            self.optima.iter().filter(|optimal| fold.contains(&optimal.run.graph)).collect();
        let mut tallies = Vec::new();
        for (depth, rule) in shapes(options) {
            let laid = tree.lay_out(self.features.len(), depth, rule);
            let leaves = laid.nodes.len().div_ceil(2);
            let model = self.model(laid.nodes, first)?;
            let ratio = |optimal: &&Optimal| follow(&model, optimal).map(|run| run.ratio);
            let ratios = judged.iter().map(ratio).collect::<Result<_>>()?;
            tallies.push(Tally { ratios, leaves });
        }
        Ok(tallies)
    }
}

/// The settings that affect the growth of a tree.
#[derive(Clone, Copy)]
struct GrowthSettings {
    weighting: Weighting,
    time_share: f64,
    leaf: usize,
}

fn ways(options: &Options) -> Vec<GrowthSettings> {
    let mut ways = Vec::new();
    for &weighting in &options.weightings {
        for &time_share in &options.time_shares {
            ways.extend(options.leaves.iter().map(|&leaf| GrowthSettings {
                weighting,
                time_share,
                leaf,
            }));
        }
    }
    ways
}

/// The variants that one grown tree can be turned into.
fn shapes(options: &Options) -> impl Iterator<Item = (usize, LeafRule)> {
    let rules = &options.rules;
    options.depths.iter().flat_map(move |&depth| rules.iter().map(move |&rule| (depth, rule)))
}

/// Combines the folds.
fn trials_of(options: &Options, growth: GrowthSettings, tallies: &[Vec<Tally>]) -> Vec<Trial> {
    let GrowthSettings { weighting, time_share, leaf } = growth;
    shapes(options)
        .enumerate()
        .map(|(shape, (depth, rule))| {
            let parts = tallies.iter().map(|part| &part[shape]);
            let leaves: usize = parts.clone().map(|part| part.leaves).sum();
            let ratios: Vec<f64> = parts.flat_map(|part| part.ratios.iter().copied()).collect();
            Trial {
                settings: Settings { weighting, time_share, rule, depth, leaf },
                average: ratios.iter().sum::<f64>() / ratios.len() as f64,
                worst: ratios.iter().copied().fold(1.0, f64::max),
                leaves: leaves as f64 / tallies.len() as f64,
            }
        })
        .collect()
}

/// Averages that differ by less than this share count as equal: then the smaller tree wins.
const EQUAL: f64 = 0.01;

/// The selected trial: the smallest trees among those with nearly the least average.
pub(crate) fn best(trials: &[Trial]) -> Option<&Trial> {
    let least = trials.iter().map(|trial| trial.average).fold(f64::INFINITY, f64::min);
    let alike = trials.iter().filter(|trial| trial.average <= least * (1.0 + EQUAL));
    alike.min_by(|a, b| a.leaves.total_cmp(&b.leaves).then(a.average.total_cmp(&b.average)))
}
