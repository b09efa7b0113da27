//! A progress bar on standard error, where that is a terminal.

use std::sync::Mutex;

use equipoise::graph::io::Progress;
use indicatif::{ProgressBar, ProgressStyle};

const BYTES: &str = "{prefix} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
const STEPS: &str = "{prefix} {wide_bar} {percent} %, {elapsed} gone, about {eta} left";
const NAMED_STEPS: &str = "{wide_bar} {pos}/{len} {msg}, {elapsed} gone, about {eta} left";

/// Shows how far a read has come, or something else that takes long.
pub struct Bar {
    what_of: String,
    template: &'static str,
    bar: Mutex<ProgressBar>,
}

impl Bar {
    /// A bar for a file, not yet shown. Where standard error is no terminal it never is.
    pub fn new(file: &str) -> Self {
        Self::with(file, BYTES)
    }

    /// The same for the steps of a run on a graph, with an estimate of the time that is left.
    pub fn of_steps(graph: &str) -> Self {
        Self::with(graph, STEPS)
    }

    fn with(what_of: &str, template: &'static str) -> Self {
        Self { what_of: what_of.to_owned(), template, bar: Mutex::new(ProgressBar::hidden()) }
    }

    fn change(&self, act: impl FnOnce(&mut ProgressBar)) {
        if let Ok(mut bar) = self.bar.lock() {
            act(&mut bar);
        }
    }
}

impl Progress for Bar {
    fn start(&self, what: &str, total: u64) {
        self.change(|bar| {
            bar.finish_and_clear();
            *bar = ProgressBar::new(total).with_prefix(format!("{what} {}", self.what_of));
            if let Ok(style) = ProgressStyle::with_template(self.template) {
                bar.set_style(style);
            }
        });
    }

    fn advance(&self, more: u64) {
        self.change(|bar| bar.inc(more));
    }

    fn finish(&self) {
        self.change(|bar| bar.finish_and_clear());
    }
}

impl Drop for Bar {
    /// A read that failed leaves no bar behind.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Shows which of many steps is under way.
pub struct StepBar(ProgressBar);

impl StepBar {
    /// A bar for so many steps. It is shown where standard error is a terminal and nobody asked for
    /// quiet.
    pub fn new(steps: usize, quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(steps as u64) };
        if let Ok(style) = ProgressStyle::with_template(NAMED_STEPS) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows what is done now.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }

    /// One more step is done.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for StepBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
