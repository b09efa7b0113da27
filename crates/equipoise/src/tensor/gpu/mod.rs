//! MTTKRP on a GPU.

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod mttkrp;
mod slices;

pub use mttkrp::MttkrpPlan;
pub use slices::DeviceSlices;
