//! Ctrl-C: no file is left half written.

use equipoise::graph::io::discard_unfinished;

use crate::failure::{Failure, Result};

/// What a shell reports of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// From now on, Ctrl-C (and a request to terminate) removes unfinished files before it ends the
/// program.
pub fn clean_up_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        discard_unfinished();
        std::process::exit(INTERRUPTED);
    })
    .map_err(|error| Failure::new(format!("Ctrl-C cannot be watched for: {error}")))
}
