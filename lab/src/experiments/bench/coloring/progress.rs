//! The vertices colored in each iteration, and the degrees of the uncolored ones (Figures 7 and 9).

use equipoise::{color::Coloring, graph::Graph};

use super::{Bench, Subject};
use crate::report::data::{ActiveBin, ActiveDegrees, Colored, Phase};

/// The number of points in a picture.
const BINS: u64 = 200;
/// The number of sampled iterations, evenly spread.
const SAMPLES: u32 = 4;

pub(super) fn add(bench: &mut Bench, subject: &Subject, coloring: &Coloring) {
    let strategy = coloring.strategy.name();
    for step in &coloring.trace.steps {
        let phase = match &*step.strategy {
            "degree" => Phase::Degree,
            _ => Phase::Random,
        };
        bench.results.colored.push(Colored {
            graph: subject.name.clone(),
            strategy: strategy.into(),
            iteration: step.index + 1,
            phase,
            vertices: step.found,
        });
    }
    for iteration in sampled_iterations(coloring.iterations.iter().max().map_or(0, |last| last + 1))
    {
        let bins = bins(&subject.graph, &coloring.iterations, iteration);
        bench.results.active_degrees.push(ActiveDegrees {
            graph: subject.name.clone(),
            strategy: strategy.into(),
            iteration: iteration + 1,
            active: bins.iter().map(|bin| bin.active).sum(),
            bins,
        });
    }
}

/// Some of `iterations` iterations, starting with the first.
fn sampled_iterations(iterations: u32) -> Vec<u32> {
    let mut sampled_iterations: Vec<u32> =
        (0..SAMPLES).map(|look| look * iterations / SAMPLES).collect();
    sampled_iterations.dedup();
    sampled_iterations.truncate(iterations as usize);
    sampled_iterations
}

/// The vertices that are uncolored at the start of an iteration.
fn bins(graph: &Graph, colored_in: &[u32], iteration: u32) -> Vec<ActiveBin> {
    let width = u64::from(graph.vertices()).div_ceil(BINS).max(1);
    let bin = |(first_vertex, colored_in): (u64, &[u32])| {
        let vertices = (first_vertex as u32..).zip(colored_in);
        let active = vertices.filter(|(_, colored_in)| **colored_in >= iteration);
        let degrees = active.map(|(vertex, _)| graph.degree(vertex) as u64);
        let (active, max_degree) =
            degrees.fold((0, 0), |(count, most), degree| (count + 1, degree.max(most)));
        ActiveBin { first_vertex, active, max_degree }
    };
    (0..).step_by(width as usize).zip(colored_in.chunks(width as usize)).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use equipoise::graph::{io::ReadOptions, load};

    use super::*;

    #[test]
    fn looks_are_spread_over_the_iterations() {
        assert_eq!(sampled_iterations(0), [0u32; 0]);
        assert_eq!(sampled_iterations(1), [0]);
        assert_eq!(sampled_iterations(2), [0, 1]);
        assert_eq!(sampled_iterations(40), [0, 10, 20, 30]);
    }

    #[test]
    fn bins_hold_what_is_not_colored_yet() {
        let star = load("star:n=5", &ReadOptions::default()).unwrap();
        let bins = bins(&star, &[0, 1, 1, 2, 2], 1);
        assert_eq!(bins.iter().map(|bin| bin.active).sum::<u64>(), 4);
        assert_eq!(bins.iter().map(|bin| bin.max_degree).collect::<Vec<_>>(), [0, 1, 1, 1, 1]);
    }
}
