//! What [Equipoise](equipoise) is measured by: the time of every candidate, from which policies are
//! learned, and the experiments of the papers. It uses what every user of the library can use.

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
