//! Standard output: text for people, or one JSON document for programs.

use std::{
    fmt::Display,
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use serde::Serialize;

use crate::failure::{Failure, Result};

/// Options for the amount and the format of output.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
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

/// Whether standard output is reserved for results.
static IS_FOR_RESULTS: AtomicBool = AtomicBool::new(false);

/// If `is_wanted`, sends reports to standard error from now on, so that they do not mix with
/// results on standard output.
pub fn leave_standard_output_to_results(is_wanted: bool) {
    IS_FOR_RESULTS.store(is_wanted, Relaxed);
}

/// Standard output, or a writer in its place. If the reader of a pipe leaves, as `head` does,
/// printing stops without an error.
///
/// ```
/// use equipoise_terminal::screen::{Screen, ScreenArguments};
///
/// let mut printed = Vec::new();
/// Screen::with_writer(ScreenArguments::default(), &mut printed).fact("depth", 3)?;
/// assert_eq!(printed, b"depth      3\n");
/// # Ok::<(), equipoise_terminal::failure::Failure>(())
/// ```
#[derive(Default)]
pub struct Screen<'a> {
    arguments: ScreenArguments,
    /// The writer in place of standard output.
    out: Option<&'a mut dyn Write>,
    reader_left: bool,
}

impl Screen<'static> {
    /// Creates the screen for the arguments.
    pub fn new(arguments: ScreenArguments) -> Self {
        Self { arguments, ..Self::default() }
    }
}

impl<'a> Screen<'a> {
    /// Creates a screen that prints to `out`.
    pub fn with_writer(arguments: ScreenArguments, out: &'a mut dyn Write) -> Self {
        Self { arguments, out: Some(out), reader_left: false }
    }

    /// Whether all rows and times are requested.
    pub fn is_verbose(&self) -> bool {
        self.arguments.verbose
    }

    /// Whether only errors are printed.
    pub fn is_quiet(&self) -> bool {
        self.arguments.quiet
    }

    /// Whether text is printed at all.
    pub fn shows_text(&self) -> bool {
        !self.arguments.quiet && !self.arguments.json
    }

    /// Whether details within a run are printed: of a single run always, of several if verbose.
    pub fn tells_each(&self, are_several: bool) -> bool {
        self.arguments.json || (self.shows_text() && (self.arguments.verbose || !are_several))
    }

    /// Prints text that is the product of a command, in any mode.
    pub fn product(&mut self, text: &str) -> Result<()> {
        self.print(text.trim_end())
    }

    /// Prints one or several lines of text.
    pub fn line(&mut self, text: impl Display) -> Result<()> {
        if self.shows_text() { self.print(&text.to_string()) } else { Ok(()) }
    }

    /// Prints `name` and `value`, aligned with all other facts.
    pub fn fact(&mut self, name: &str, value: impl Display) -> Result<()> {
        self.line(format_args!("{name:<10} {value}"))
    }

    /// Prints the JSON document, if requested.
    pub fn json(&mut self, document: &impl Serialize) -> Result<()> {
        if !self.arguments.json {
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
        let (printed, name) = match &mut self.out {
            Some(out) => (put(out, text), "standard output"),
            None if IS_FOR_RESULTS.load(Relaxed) => {
                (put(anstream::stderr().lock(), text), "standard error")
            }
            None => (put(anstream::stdout().lock(), text), "standard output"),
        };
        match printed {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.reader_left = true;
                Ok(())
            }
            Err(error) => Err(Failure::new(format!("{name}: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}

fn put(mut stream: impl Write, text: &str) -> io::Result<()> {
    writeln!(stream, "{text}").and_then(|()| stream.flush())
}
