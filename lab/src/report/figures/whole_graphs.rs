//! Charts of algorithms on whole graphs.

use super::{
    grid::Grid,
    times::{self, Parts},
};
use crate::report::{
    chart::{Axis, Chart, Scale, Section, View},
    data::Results,
    quantity::Quantity,
};

pub(super) fn section(results: &Results) -> Section {
    Section {
        id: "whole-graphs",
        title: "Whole graphs",
        introduction: "Algorithms that look at every vertex and edge of a graph, each in the way that is taken unless another is asked for.",
        charts: chart(results).into_iter().collect(),
    }
}

fn chart(results: &Results) -> Option<Chart> {
    let times = &results.whole_graphs;
    let grid = || Grid::new(times.iter().map(|time| (&*time.graph, &*time.method, time.seconds)));
    let axis = Axis::new("time", Quantity::Seconds, Scale::Log);
    let all = View { name: "all graphs".into(), plot: times::bars(&grid(), "graph", axis) };
    let of_each = Parts { grids: vec![("time", grid())], further: Vec::new() };
    (!times.is_empty()).then(|| Chart {
        id: "whole-graphs-times".into(),
        title: "Time of each algorithm".into(),
        reading: "Kernels and overhead with the graph in the memory of the device; the time is on a logarithmic scale.".into(),
        after: None,
        findings: Vec::new(),
        views_are: "graph",
        is_half: false,
        views: std::iter::once(all).chain(of_each.views("algorithm")).collect(),
    })
}
