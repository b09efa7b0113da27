//! What Equipoise measured, for people: one page with the figures of the papers, the tables behind
//! them, and what got slower since an earlier run.
//!
//! [`Results`] is what was measured, and the file that `equipoise-lab bench` writes. [`page`] makes a page
//! of it that needs nothing but a browser, [`tables`] makes a CSV file of each chart, [`write()`] puts
//! all of it into files, and [`compare`] compares two runs.
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
mod compare;
pub mod data;
mod error;
mod figures;
mod files;
mod measured;
mod page;
mod papers;
mod quantity;
mod references;
mod table;

pub use self::{
    bars::bars,
    compare::{Change, Comparison, compare},
    data::Results,
    error::{Error, Result},
    files::{Beside, ReportFile, TableFile, beside, files, tables, write},
    page::page,
    references::read_references,
};
