//! Standard output of one rank.

use std::{fmt::Display, io::Write};

use equipoise_terminal::screen;
pub use equipoise_terminal::screen::ScreenArguments;
use serde::Serialize;

use super::failure::Result;

/// Standard output of one rank. Errors are reported at the end, because other ranks wait for this one meanwhile.
pub struct Screen<'a> {
    arguments: ScreenArguments,
    out: Option<screen::Screen<'a>>,
    printed: Result<()>,
}

impl<'a> Screen<'a> {
    /// A screen that prints to `out`, as the arguments want it.
    pub fn new(arguments: ScreenArguments, out: Option<&'a mut dyn Write>) -> Self {
        let out = out.map(|out| screen::Screen::with_writer(arguments, out));
        Self { arguments, out, printed: Ok(()) }
    }

    /// Whether all rows are wanted.
    pub fn is_verbose(&self) -> bool {
        self.arguments.verbose
    }

    /// Prints a line, or several, for people.
    pub fn line(&mut self, text: impl Display) {
        self.print(|screen| screen.line(text));
    }

    /// Prints `name` and `value`, aligned with all other facts.
    pub fn fact(&mut self, name: &str, value: impl Display) {
        self.print(|screen| screen.fact(name, value));
    }

    /// Prints the document for programs, if it is wanted.
    pub fn json(&mut self, document: &impl Serialize) {
        self.print(|screen| screen.json(document));
    }

    /// Fails if anything could not be printed.
    pub fn finish(self) -> Result<()> {
        self.printed
    }

    fn print(&mut self, print: impl FnOnce(&mut screen::Screen<'a>) -> Result<()>) {
        if let (Some(screen), Ok(())) = (&mut self.out, &self.printed) {
            self.printed = print(screen);
        }
    }
}
