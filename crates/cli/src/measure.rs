//! What a command says of its runs, which are timed and verified.

use std::time::Duration;

use equipoise::Times;

pub use crate::runs::{Plan, Runs};
use crate::{arguments::RunArguments, failure::Result, numbers, runs::Clock, screen::Screen};

impl From<&RunArguments> for Plan {
    fn from(arguments: &RunArguments) -> Self {
        Self::new(arguments.repeat, arguments.validates())
    }
}

/// Prints how long runs took, and whether they were verified.
pub trait Report {
    /// Prints the headline, and where the time went for those who want to know.
    fn print(&self, screen: &mut Screen) -> Result<()> {
        self.print_with(Copied::default(), screen)
    }

    /// The same, with how fast so much was copied.
    fn print_with(&self, copied: Copied, screen: &mut Screen) -> Result<()>;

    /// Prints how fast it was where a multiplication and an addition are two operations.
    fn print_flops(&self, multiplications: u64, screen: &mut Screen) -> Result<()>;

    /// Prints whether the results were verified: the last fact of every report.
    fn print_verdict(&self, screen: &mut Screen, what: &str) -> Result<()>;

    /// The same where only samples of the results were verified.
    fn print_sampled(&self, screen: &mut Screen, what: &str) -> Result<()>;
}

impl Report for Runs {
    fn print_with(&self, copied: Copied, screen: &mut Screen) -> Result<()> {
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
        match screen.is_verbose() {
            true => print_parts(self, copied, screen),
            false => Ok(()),
        }
    }

    fn print_flops(&self, multiplications: u64, screen: &mut Screen) -> Result<()> {
        match numbers::rate(multiplications.saturating_mul(2), self.time(), "FLOP/s") {
            Some(rate) if multiplications > 0 => {
                screen.fact("rate", format_args!("{rate} (two for each multiplication)"))
            }
            _ => Ok(()),
        }
    }

    fn print_verdict(&self, screen: &mut Screen, what: &str) -> Result<()> {
        match self.verified {
            true => screen
                .fact("verified", format_args!("{what}, in {}", numbers::time(self.verifying))),
            false => screen.fact("verified", "no, as --no-validate was given"),
        }
    }

    fn print_sampled(&self, screen: &mut Screen, what: &str) -> Result<()> {
        screen.fact("sampled", format_args!("{what}, in {}", numbers::time(self.verifying)))
    }
}

/// The bytes that are copied to a device and back; none where that is not known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copied {
    pub up: u64,
    pub down: u64,
}

/// Only a GPU has what the cpu has no time for.
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

/// How fast so many bytes were copied, behind a time.
fn speed(bytes: u64, time: Duration) -> String {
    match numbers::rate(bytes, time, "B/s") {
        Some(rate) if bytes > 0 => format!(" ({}, {rate})", numbers::bytes(bytes)),
        _ => String::new(),
    }
}
