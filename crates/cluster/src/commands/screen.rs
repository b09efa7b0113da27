//! Standard output: text for people, or one JSON document for programs.

use std::{
    fmt::Display,
    io::{self, Write},
};

use serde::Serialize;

use super::failure::{Failure, Result};

/// How much is said, and to whom.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ScreenArguments {
    /// Print one JSON document instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Print more: all rows of tables
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,
}

/// Standard output, of which one rank has any. What cannot be printed is told at the end, since other ranks wait for this
/// one meanwhile; a reader that goes away, as `head` does, stops what is printed, not the work.
pub struct Screen<'a> {
    out: Option<&'a mut dyn Write>,
    text: bool,
    json: bool,
    verbose: bool,
    failed: Option<io::Error>,
}

impl<'a> Screen<'a> {
    /// What goes to `out`, as the arguments want it.
    pub fn new(arguments: ScreenArguments, out: Option<&'a mut dyn Write>) -> Self {
        let ScreenArguments { json, quiet, verbose } = arguments;
        Self { out, text: !quiet && !json, json, verbose, failed: None }
    }

    /// Whether all rows are wanted.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Prints a line, or several, for people.
    pub fn line(&mut self, text: impl Display) {
        if self.text {
            self.print(format_args!("{text}"));
        }
    }

    /// Prints `name` and `value`, aligned with all other facts.
    pub fn fact(&mut self, name: &str, value: impl Display) {
        self.line(format_args!("{name:<10} {value}"));
    }

    /// Prints the document for programs, where it is wanted.
    pub fn json(&mut self, document: &impl Serialize) {
        if self.json && self.out.is_some() {
            match serde_json::to_string_pretty(document) {
                Ok(text) => self.print(format_args!("{text}")),
                Err(error) => self.failed = Some(error.into()),
            }
        }
    }

    /// Fails where something could not be printed.
    pub fn finish(self) -> Result<()> {
        match self.failed {
            Some(error) => Err(Failure::new(format!("standard output: {error}"))),
            None => Ok(()),
        }
    }

    fn print(&mut self, text: std::fmt::Arguments) {
        let Some(out) = &mut self.out else { return };
        if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
            self.out = None;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failed.get_or_insert(error);
            }
        }
    }
}
