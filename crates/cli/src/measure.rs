//! Output of timed and verified runs.

use std::time::Duration;

use equipoise::{
    Times,
    algorithm::{Verdict, Verification},
};

pub use crate::runs::{Plan, Runs};
use crate::{arguments::RunArguments, failure::Result, numbers, runs::Clock, screen::Screen};

impl From<&RunArguments> for Plan {
    fn from(arguments: &RunArguments) -> Self {
        Self::new(arguments.repeat, arguments.validates())
    }
}

/// Prints the times of runs, and whether they were verified.
impl Runs {
    /// Prints the headline, and the times of the parts if requested.
    pub(crate) fn print(&self, screen: &mut Screen) -> Result<()> {
        self.print_with(Copied::default(), screen)
    }

    /// Like [`Runs::print`], with the bandwidth of copying `copied`.
    pub(crate) fn print_with(&self, copied: Copied, screen: &mut Screen) -> Result<()> {
        let spread = match self.count {
            1 => String::new(),
            _ => {
                format!(", {} to {}", numbers::time(self.min.run()), numbers::time(self.max.run()))
            }
        };
        let (time, note) = (numbers::time(self.time()), self.note());
        let method = match self.method {
            Clock::Host => "",
            Clock::Waits => "; host clock between two waits",
        };
        screen.fact("time", format_args!("{time} ({note}{spread}{method})"))?;
        if screen.is_verbose() { print_parts(self, copied, screen) } else { Ok(()) }
    }

    /// Prints the times, the rate of floating-point operations, with two per multiplication and addition, and the verdict.
    pub(crate) fn print_product(&self, multiplications: u64, screen: &mut Screen) -> Result<()> {
        self.print(screen)?;
        let rate = numbers::rate(multiplications.saturating_mul(2), self.time(), "FLOP/s");
        if let Some(rate) = rate.filter(|_| multiplications > 0) {
            screen.fact("rate", format_args!("{rate} (two for each multiplication)"))?;
        }
        self.print_verdict(screen)
    }

    /// Prints the verdict: the last fact of every report.
    pub(crate) fn print_verdict(&self, screen: &mut Screen) -> Result<()> {
        let Verification { verdict, time } = &self.verification;
        let (text, time) = (verdict.text(), numbers::time(*time));
        match verdict {
            Verdict::Proved { .. } => screen.fact("verified", format_args!("{text}, in {time}")),
            Verdict::Sampled { .. } => screen.fact("sampled", format_args!("{text}, in {time}")),
            Verdict::Off { .. } => screen.fact("unverified", text),
        }
    }
}

/// The bytes copied to a device and back; `None` if unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copied {
    pub up: u64,
    pub down: u64,
}

/// Only a GPU has parts that take no time on the cpu.
fn print_parts(runs: &Runs, copied: Copied, screen: &mut Screen) -> Result<()> {
    let Times { upload, prepare, compile, kernel, overhead, tree, download } = runs.median;
    let on_gpu = runs.method == Clock::Waits;
    let parts = [
        (on_gpu, "  upload", upload, copied.up),
        (true, "  prepare", prepare, 0),
        (on_gpu, "  compile", compile, 0),
        (true, "  kernel", kernel, 0),
        (true, "  overhead", overhead, 0),
        (!tree.is_zero(), "  tree", tree, 0),
        (on_gpu, "  download", download, copied.down),
    ];
    for (_, name, time, bytes) in parts.into_iter().filter(|part| part.0) {
        screen.fact(name, format_args!("{}{}", numbers::time(time), speed(bytes, time)))?;
    }
    Ok(())
}

/// The bandwidth of copying `bytes`, appended to a time.
fn speed(bytes: u64, time: Duration) -> String {
    match numbers::rate(bytes, time, "B/s") {
        Some(rate) if bytes > 0 => format!(" ({}, {rate})", numbers::bytes(bytes)),
        _ => String::new(),
    }
}
