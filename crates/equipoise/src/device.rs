//! The devices that algorithms run on.
//!
//! ```
//! use equipoise::device::{self, Device};
//!
//! assert_eq!("cpu".parse(), Ok(Device::Cpu));
//! let devices = device::list();
//! assert_eq!(devices[0].name, "cpu");
//! ```

pub use equipoise_schedule::device::{
    Device, DeviceInfo, Gpu, OpenDevice, PlaneSize, cpu, list, take_cache_problem,
};
