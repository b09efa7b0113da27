//! A browser for the tests of the report's page.

use std::process::Command;

use crate::{command::works, packages};

/// The program names that the tests look for (`lab/tests/lab/report/chromium.rs`).
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const ELSEWHERE: &str = "Chromium, in which the page of the report is tested, is not installed: \
    install it or Chrome, or name one with EQUIPOISE_CHROMIUM";

/// Ensures that a browser is installed. On Ubuntu the package installs a snap.
pub fn ensure() -> Result<(), String> {
    if std::env::var_os("EQUIPOISE_CHROMIUM").is_some() || is_installed() {
        return Ok(());
    }
    let package = if packages::is_ubuntu() { "chromium-browser" } else { "chromium" };
    packages::install(&[package], ELSEWHERE)?;
    if is_installed() {
        Ok(())
    } else {
        Err(format!("{package} is installed, but cannot be started"))
    }
}

fn is_installed() -> bool {
    NAMES.iter().any(|name| works(Command::new(name).arg("--version")))
}
