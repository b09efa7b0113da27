//! A Python subprocess that answers requests, one line each, and times its work itself.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::Result;

/// A running Python program.
pub struct Python {
    script: PathBuf,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Python {
    /// Starts `python peers/SCRIPT`, which imports its packages.
    ///
    /// Fails with advice if Python is missing; the script itself reports missing packages.
    pub fn start(python: &str, script: &str) -> Result<Self> {
        // Next to the program's sources, or where the sources were copied with it.
        let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = if sources.exists() { sources } else { Path::new("benches") };
        let script = folder.join("peers").join(script);
        let mut child = Command::new(python)
            .arg(&script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                format!("{python}: {error}; install Python 3, or name one with --python")
            })?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the Python program has no pipes".into());
        };
        let mut python = Self { script, child, requests, answers: BufReader::new(answers) };
        python.answer()?;
        Ok(python)
    }

    /// Sends a request; returns the words of the answer.
    pub fn ask(&mut self, request: &str) -> Result<Vec<String>> {
        writeln!(self.requests, "{request}")
            .map_err(|error| format!("{}: {error}", self.script.display()))?;
        self.answer()
    }

    fn answer(&mut self) -> Result<Vec<String>> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            let status = self.child.wait()?;
            return Err(
                format!("{} ended ({status}); it said why above", self.script.display()).into()
            );
        }
        Ok(line.split_whitespace().map(str::to_owned).collect())
    }
}
