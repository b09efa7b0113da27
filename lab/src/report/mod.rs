//! Reports of measurements: a single page with the papers' figures, the tables behind them, and
//! regressions since an earlier run.
//!
//! [`Results`] is the file that `equipoise-lab bench` writes. [`page`] makes a self-contained page
//! of it, [`tables`] makes a CSV file per chart, [`write()`] writes all of the files, and
//! [`compare`] compares two runs.
//!
//! ```
//! use equipoise_lab::report::{Results, data::ColoringTime};
//!
//! let mut results = Results::new("Nightly run", "2026-11-15");
//! let (graph, strategy) = ("dip".into(), "hybrid".into());
//! results.coloring.push(ColoringTime { graph, strategy, seconds: 0.010, colors: 31 });
//!
//! let page = equipoise_lab::report::page(&results);
//! assert!(page.starts_with("<!doctype html>"));
//! ```

mod bars;
mod chart;
mod columns;
mod compare;
pub mod data;
mod error;
mod figures;
mod files;
mod growth;
mod json;
mod measured;
mod page;
mod papers;
mod peers;
mod quantity;
mod references;
mod svg;
mod table;

pub use self::{
    bars::bars,
    compare::{Change, Comparison, compare},
    data::Results,
    error::{Error, Result},
    files::{ReportFile, SiblingPaths, TableFile, files, sibling_paths, tables, write},
    growth::growth,
    page::page,
    peers::peers,
    references::read_references,
};
