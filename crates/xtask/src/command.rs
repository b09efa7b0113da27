//! Starting programs.

use std::{env, fs, path::Path, process::Command};

/// The cargo that runs this program, so that the selected toolchain is used.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command, which `what` names in errors, and fails unless it succeeds.
pub fn succeed(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} ended with {status}")),
        Err(error) => Err(format!("{what} could not be started: {error}")),
    }
}

/// Whether a command starts and succeeds. Its output is discarded.
pub fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The contents of a text file; the error names the file.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a text file; the error names the file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_is_named() {
        let error = succeed(&mut Command::new("no-such-command"), "something").unwrap_err();
        assert!(error.starts_with("something could not be started"), "{error}");
        assert!(!works(&mut Command::new("no-such-command")));
    }
}
