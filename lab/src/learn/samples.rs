//! The steps of runs as training samples.

use equipoise_select::CandidateSet;

use crate::learn::{Weighting, criterion::Data, optimum::Optimal};

/// The steps of some runs, concatenated.
pub(crate) struct Samples {
    /// The values of each feature.
    pub columns: Vec<Vec<f32>>,
    /// The fastest candidate at each step.
    pub best: Vec<u32>,
    /// For each step and candidate, the time lost compared with the fastest, divided by the least
    /// time of the run. A candidate that could not run would be replaced by another, at worst by
    /// the slowest, whose loss it gets.
    lost: Vec<f64>,
    /// The available candidates at each step.
    available: Vec<CandidateSet>,
    pub candidates: usize,
    /// The index of the first step of each run.
    first: Vec<usize>,
}

impl Samples {
    pub fn from_runs<'a>(
        runs: impl Iterator<Item = &'a Optimal<'a>>,
        features: &[usize],
        candidates: usize,
    ) -> Self {
        let columns = vec![Vec::new(); features.len()];
        let (best, lost, available, first) = (vec![], vec![], vec![], vec![]);
        let mut samples = Self { columns, best, lost, available, candidates, first };
        for optimal in runs {
            samples.first.push(samples.best.len());
            for (step, optimum) in optimal.run.steps.iter().zip(&optimal.steps) {
                for (column, &feature) in samples.columns.iter_mut().zip(features) {
                    column.push(step.features[feature]);
                }
                samples.best.push(optimum.candidate as u32);
                samples.available.push(optimum.available);
                let slowest = step.times.iter().flatten().copied().fold(optimum.time, f64::max);
                let share = |time: f64| (time - optimum.time) / optimal.time;
                samples.lost.extend(step.times.iter().map(|time| share(time.unwrap_or(slowest))));
            }
        }
        samples
    }

    /// These steps, possibly with repetitions, without the starts of runs.
    pub fn resampled(&self, picks: &[usize]) -> Self {
        let lost = |&pick: &usize| &self.lost[pick * self.candidates..][..self.candidates];
        let column = |column: &Vec<f32>| picks.iter().map(|&pick| column[pick]).collect();
        Self {
            columns: self.columns.iter().map(column).collect(),
            best: picks.iter().map(|&pick| self.best[pick]).collect(),
            lost: picks.iter().flat_map(lost).copied().collect(),
            available: picks.iter().map(|&pick| self.available[pick]).collect(),
            candidates: self.candidates,
            first: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.best.len()
    }

    /// The available candidates at a step, with their losses.
    pub fn lost(&self, sample: usize) -> impl Iterator<Item = (usize, f64)> {
        let lost = &self.lost[sample * self.candidates..][..self.candidates];
        let available = self.available[sample];
        let lost = lost.iter().copied().enumerate();
        lost.filter(move |(candidate, _)| available.contains(*candidate))
    }

    /// The data to grow a tree from.
    pub fn data<'a>(&'a self, weights: &'a [f64], time_share: f64) -> Data<'a> {
        let Self { columns, best, lost, candidates, .. } = self;
        Data { columns, labels: best, weights, lost, classes: *candidates, time_share }
    }

    pub fn weights(&self, weighting: Weighting) -> Vec<f64> {
        let weight = |sample: usize| {
            let best = self.best[sample] as usize;
            let others = self.lost(sample).filter(|(candidate, _)| *candidate != best);
            let others = others.map(|(_, lost)| lost);
            match weighting {
                Weighting::Equal => 1.0,
                Weighting::LostToSecond => others.reduce(f64::min).unwrap_or(0.0),
                Weighting::LostToMean => {
                    let (sum, count) = others.fold((0.0, 0), |(sum, n), lost| (sum + lost, n + 1));
                    sum / f64::from(count.max(1))
                }
            }
        };
        (0..self.len()).map(weight).collect()
    }

    /// The candidate with the least mean loss at the first steps of runs, among those available at
    /// most of them.
    pub fn best_first(&self) -> usize {
        let mean = |candidate: usize| {
            let lost = self.first.iter().flat_map(|&sample| self.lost(sample));
            let measured = lost.filter(|(other, _)| *other == candidate).map(|(_, lost)| lost);
            let (sum, count) =
                measured.fold((0.0, 0), |(sum, count), lost| (sum + lost, count + 1));
            (self.first.len() - count, sum / count.max(1) as f64)
        };
        let means: Vec<(usize, f64)> = (0..self.candidates).map(mean).collect();
        let better = |a: &(usize, f64), b: &(usize, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        means
            .iter()
            .enumerate()
            .min_by(|a, b| better(a.1, b.1))
            .map_or(0, |(candidate, _)| candidate)
    }
}
