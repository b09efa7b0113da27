//! Headings of the program's help.

/// The heading of options that only the strategies of the papers read.
///
/// ```
/// assert!(equipoise::algorithm::PAPERS.ends_with("papers"));
/// ```
pub const PAPERS: &str = "Strategies of the papers";
