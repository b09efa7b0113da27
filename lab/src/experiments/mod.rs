//! Measurements of [Equipoise](equipoise): training data for policies, and the papers' experiments.
//! They use only the public interface of the library.

pub mod bench;
mod error;
pub mod measuring;
mod timing;

pub use error::{Error, Result};
pub use timing::{
    ColorMeasureOptions, ColorSwitchPoint, MeasureOptions, MeasuredBfs, MeasuredColor,
    MeasuredLevel, MeasuredSssp, SsspMeasureOptions, measure_bfs, measure_color,
    measure_color_switch, measure_spmv, measure_sssp, spmv_candidates,
};
