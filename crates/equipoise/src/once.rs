//! Values that are built on first use.

use std::{sync::OnceLock, time::Duration};

use equipoise_schedule::device::Gpu;

use crate::Result;

/// The value of a cell, built now if the cell is empty. Where building fails, the cell stays empty.
pub(crate) fn get_or_try_init<T>(
    cell: &OnceLock<T>,
    build: impl FnOnce() -> Result<T>,
) -> Result<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = build()?;
    Ok(cell.get_or_init(|| value))
}

/// A value built on first use with the help of a GPU, and the time that took.
pub(crate) struct TimedOnce<T>(OnceLock<Timed<T>>);

struct Timed<T> {
    value: T,
    time: Duration,
    compile: Duration,
}

impl<T> Default for TimedOnce<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> From<T> for TimedOnce<T> {
    /// A value that took no time to build.
    fn from(value: T) -> Self {
        let (time, compile) = (Duration::ZERO, Duration::ZERO);
        Self(Timed { value, time, compile }.into())
    }
}

impl<T> TimedOnce<T> {
    /// The value, built now if this is the first use.
    pub fn get_or_try_init(&self, gpu: &Gpu, build: impl FnOnce() -> Result<T>) -> Result<&T> {
        let timed = get_or_try_init(&self.0, || {
            let stopwatch = gpu.stopwatch();
            let value = build()?;
            let (time, compile) = (stopwatch.elapsed(), stopwatch.compiled());
            Ok(Timed { value, time, compile })
        })?;
        Ok(&timed.value)
    }

    /// The value, if it was built.
    pub fn get(&self) -> Option<&T> {
        self.0.get().map(|timed| &timed.value)
    }

    /// The value, if it was built.
    pub fn into_inner(self) -> Option<T> {
        self.0.into_inner().map(|timed| timed.value)
    }

    /// The time of building the value without the compilation of kernels; zero if it was not built.
    pub fn time(&self) -> Duration {
        self.0.get().map_or(Duration::ZERO, |timed| timed.time)
    }

    /// The time of compiling kernels while the value was built; zero if it was not built.
    pub fn compile_time(&self) -> Duration {
        self.0.get().map_or(Duration::ZERO, |timed| timed.compile)
    }
}
