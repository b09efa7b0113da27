//! Times every candidate of a policy, one file or folder per policy.

mod bfs;
mod color;
mod color_switch;
mod median;
mod spmv;
mod sssp;

pub use bfs::{MeasureOptions, MeasuredBfs, MeasuredLevel, measure_bfs};
pub use color::{ColorMeasureOptions, MeasuredColor, measure_color};
pub use color_switch::{ColorSwitchPoint, measure_color_switch};
pub use spmv::{measure_spmv, spmv_candidates};
pub use sssp::{MeasuredSssp, SsspMeasureOptions, measure_sssp};
