//! A progress bar on standard error, if that is a terminal.

use std::sync::Mutex;

use equipoise::graph::io::Progress;
use indicatif::{ProgressBar, ProgressStyle};

const BYTES: &str = "{prefix} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
const STEPS: &str = "{prefix} {wide_bar} {percent} %, {elapsed} gone, about {eta} left";
const NAMED_STEPS: &str = "{wide_bar} {pos}/{len} {msg}, {elapsed} gone, about {eta} left";

/// Shows the progress of a long operation.
pub struct Bar {
    what_of: String,
    template: &'static str,
    bar: Mutex<ProgressBar>,
    notes: Mutex<Vec<String>>,
}

impl Bar {
    /// Creates a bar for a file, not yet shown. It is never shown unless standard error is a
    /// terminal.
    pub fn new(file: &str) -> Self {
        Self::with(file, BYTES)
    }

    /// Creates a bar for the steps of a run on a graph, with an estimate of the remaining time.
    pub fn of_steps(graph: &str) -> Self {
        Self::with(graph, STEPS)
    }

    fn with(what_of: &str, template: &'static str) -> Self {
        Self {
            what_of: what_of.to_owned(),
            template,
            bar: Mutex::new(ProgressBar::hidden()),
            notes: Mutex::default(),
        }
    }

    /// The notes of the reader on what it guessed, assumed or skipped.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().map_or(Vec::new(), |notes| notes.clone())
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

    fn note(&self, note: &str) {
        if let Ok(mut notes) = self.notes.lock() {
            notes.push(note.to_owned());
        }
    }
}

impl Drop for Bar {
    /// Removes the bar after a failed read.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Shows which of many steps is running.
pub struct StepBar(ProgressBar);

impl StepBar {
    /// Creates a bar for `steps` steps. It is shown if standard error is a terminal and `quiet` is
    /// false.
    pub fn new(steps: usize, quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(steps as u64) };
        if let Ok(style) = ProgressStyle::with_template(NAMED_STEPS) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows the name of the current step.
    pub fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }

    /// Advances by one step.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for StepBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
