//! Steps as the growing of a tree sees them.

use crate::{Weighting, optimum::Optimal};

/// The steps of some runs, one after the other.
pub(crate) struct Samples {
    /// The values of each feature.
    pub columns: Vec<Vec<f32>>,
    /// The fastest candidate at each step.
    pub best: Vec<u32>,
    /// For each step and candidate, the time lost against the fastest, divided by the least time
    /// of the run; NaN where the candidate could not run.
    lost: Vec<f64>,
    pub candidates: usize,
    /// Where runs start.
    first: Vec<usize>,
}

impl Samples {
    pub fn of<'a>(
        runs: impl Iterator<Item = &'a Optimal<'a>>,
        features: &[usize],
        candidates: usize,
    ) -> Self {
        let columns = vec![Vec::new(); features.len()];
        let (best, lost, first) = (Vec::new(), Vec::new(), Vec::new());
        let mut samples = Self { columns, best, lost, candidates, first };
        for optimal in runs {
            samples.first.push(samples.best.len());
            for (step, optimum) in optimal.run.steps.iter().zip(&optimal.steps) {
                for (column, &feature) in samples.columns.iter_mut().zip(features) {
                    column.push(step.features[feature]);
                }
                samples.best.push(optimum.candidate as u32);
                let share = |time: f64| (time - optimum.time) / optimal.time;
                samples.lost.extend(step.times.iter().map(|time| time.map_or(f64::NAN, share)));
            }
        }
        samples
    }

    pub fn len(&self) -> usize {
        self.best.len()
    }

    /// What each candidate loses at a step; NaN for those that could not run.
    pub fn lost(&self, sample: usize) -> &[f64] {
        &self.lost[sample * self.candidates..][..self.candidates]
    }

    pub fn weights(&self, weighting: Weighting) -> Vec<f64> {
        let weight = |sample: usize| {
            let best = self.best[sample] as usize;
            let others = self.lost(sample).iter().enumerate();
            let others = others.filter(|(candidate, lost)| *candidate != best && !lost.is_nan());
            let others = others.map(|(_, &lost)| lost);
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

    /// The candidate that loses the least on average at the first steps of runs, of those that
    /// could run at the most of them.
    pub fn best_first(&self) -> usize {
        let mean = |candidate: usize| {
            let lost = self.first.iter().map(|&sample| self.lost(sample)[candidate]);
            let measured: Vec<f64> = lost.filter(|lost| !lost.is_nan()).collect();
            let missing = self.first.len() - measured.len();
            (missing, measured.iter().sum::<f64>() / measured.len().max(1) as f64)
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
