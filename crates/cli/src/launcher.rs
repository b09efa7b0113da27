//! The command that starts this program again, for commands that measure it from start to end.

use std::{ffi::OsString, sync::OnceLock};

use crate::failure::{Failure, Result};

static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command that starts this program if it is not its own executable: for a library within
/// an interpreter, the interpreter and the way it loads the library. Only the first call has an
/// effect.
///
/// ```
/// equipoise_cli::launcher::set(["python", "-m", "equipoise"].map(Into::into).to_vec());
/// ```
pub fn set(command: Vec<OsString>) {
    let _ = COMMAND.set(command);
}

/// The command that starts this program, without its arguments.
pub(crate) fn command() -> Result<Vec<OsString>> {
    match COMMAND.get() {
        Some(command) => Ok(command.clone()),
        None => std::env::current_exe().map(|program| vec![program.into()]).map_err(|error| {
            Failure::new(format!("this program cannot be started again: {error}"))
        }),
    }
}

/// The failure if no command to start this program is known.
pub(crate) fn unknown() -> Failure {
    Failure::new("this program cannot be started again: it is not known what started it")
}
