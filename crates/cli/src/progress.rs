//! A progress bar on standard error, where that is a terminal.

use std::sync::Mutex;

use equipoise::graph::io::Progress;
use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{prefix} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";

/// Shows how far a read has come.
pub struct Bar {
    file: String,
    bar: Mutex<ProgressBar>,
}

impl Bar {
    /// A bar for a file, not yet shown. Where standard error is no terminal it never is.
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), bar: Mutex::new(ProgressBar::hidden()) }
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        if let Ok(mut bar) = self.bar.lock() {
            act(&mut bar);
        }
    }
}

impl Progress for Bar {
    fn start(&self, what: &str, total: u64) {
        self.with(|bar| {
            bar.finish_and_clear();
            *bar = ProgressBar::new(total).with_prefix(format!("{what} {}", self.file));
            if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
                bar.set_style(style);
            }
        });
    }

    fn advance(&self, bytes: u64) {
        self.with(|bar| bar.inc(bytes));
    }

    fn finish(&self) {
        self.with(|bar| bar.finish_and_clear());
    }
}

impl Drop for Bar {
    /// A read that failed leaves no bar behind.
    fn drop(&mut self) {
        self.finish();
    }
}
