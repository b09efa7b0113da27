//! Runs that differ in one option.

/// Runs that differ in one option, for a table.
///
/// ```
/// use equipoise::algorithm::Algorithm;
/// use equipoise::color::{ColorOptions, Coloring};
///
/// let options = ColorOptions { switch_sweep: Some(3), ..ColorOptions::default() };
/// let sweep = Coloring::sweep(&options)?.unwrap();
/// assert_eq!((sweep.name, sweep.points.len()), ("switch_after", 4));
/// assert_eq!((sweep.describe)(2), "after 2 iterations");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<O> {
    /// The name of the option in JSON.
    pub name: &'static str,
    /// The heading of the option in a table.
    pub heading: &'static str,
    /// The values of the option, each with all options of its run.
    pub points: Vec<(u32, O)>,
    /// The compared [facts](super::Report::facts) of results.
    pub facts: &'static [&'static str],
    /// Describes a value.
    pub describe: fn(u32) -> String,
}
