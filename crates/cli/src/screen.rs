//! Standard output: text for people, or one JSON document for programs.

use std::{
    fmt::Display,
    io::{self, Write},
};

use serde::Serialize;

use crate::failure::{Failure, Result};

/// How much is said, and to whom.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ScreenArguments {
    /// Print one JSON document instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Print more: all rows of tables and the times of each part
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub verbose: bool,
}

/// Standard output. A reader that goes away, as `head` does, stops what is printed, not the work.
#[derive(Default)]
pub struct Screen {
    reader_left: bool,
    text: bool,
    quiet: bool,
    json: bool,
    verbose: bool,
}

impl Screen {
    /// Standard output, as the arguments want it.
    pub fn new(arguments: ScreenArguments) -> Self {
        Self {
            reader_left: false,
            text: !arguments.quiet && !arguments.json,
            quiet: arguments.quiet,
            json: arguments.json,
            verbose: arguments.verbose,
        }
    }

    /// Whether all rows and times are wanted.
    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Whether nothing but errors is wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether text is wanted at all.
    pub fn shows_text(&self) -> bool {
        self.text
    }

    /// Whether what happened within one of several runs is told, or of a single one.
    pub fn tells_each(&self, are_several: bool) -> bool {
        self.json || (self.text && (self.verbose || !are_several))
    }

    /// Prints what was asked for as such, whoever reads it.
    pub fn product(&mut self, text: &str) -> Result<()> {
        self.print(text.trim_end())
    }

    /// Prints a line, or several, for people.
    pub fn line(&mut self, text: impl Display) -> Result<()> {
        match self.text {
            true => self.print(&text.to_string()),
            false => Ok(()),
        }
    }

    /// Prints `name` and `value`, aligned with all other facts.
    pub fn fact(&mut self, name: &str, value: impl Display) -> Result<()> {
        self.line(format_args!("{name:<10} {value}"))
    }

    /// Prints the document for programs, where it is wanted.
    pub fn json(&mut self, document: &impl Serialize) -> Result<()> {
        if !self.json {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(document)
            .map_err(|error| Failure::new(format!("the result does not fit JSON: {error}")))?;
        self.print(&text)
    }

    fn print(&mut self, text: &str) -> Result<()> {
        if self.reader_left {
            return Ok(());
        }
        let mut output = anstream::stdout().lock();
        match writeln!(output, "{text}").and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.reader_left = true;
                Ok(())
            }
            Err(error) => Err(Failure::new(format!("standard output: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}
