//! Conversion of results to charts.

mod basics;
mod coloring;
mod grid;
mod level_search;
mod levels;
mod queues;
mod ranks;
mod search_grids;
mod searches;
mod splitting;
mod spmv;
mod times;
mod whole_graphs;

use crate::report::{chart::Section, data::Results};

/// All sections with results.
pub(crate) fn sections(results: &Results) -> Vec<Section> {
    let sections = [
        searches::section(results),
        spmv::section(results),
        levels::section(results),
        coloring::section(results),
        basics::section(results),
        whole_graphs::section(results),
    ];
    sections.into_iter().filter(|section| !section.charts.is_empty()).collect()
}
