//! Results as a file of JSON.

use std::{fs, path::Path};

use serde::Deserialize;

use crate::report::{Error, Result, Results, error::VERSION, measured};

impl Results {
    /// The results as the text of their file.
    ///
    /// ```
    /// let text = equipoise_lab::report::Results::new("Nightly run", "2026-11-15").to_json();
    /// assert!(text.contains("\"version\": 1"));
    /// ```
    pub fn to_json(&self) -> String {
        // Cannot fail: all keys of maps are strings.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Parses the text of a file.
    ///
    /// Fails if the version differs, a field is unknown or missing, or a time is negative.
    ///
    /// ```
    /// use equipoise_lab::report::Results;
    ///
    /// let error = Results::from_json(r#"{"version": 99}"#).unwrap_err();
    /// assert!(error.to_string().contains("version 99"));
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct OnlyVersion {
            version: u64,
        }
        let OnlyVersion { version } = serde_json::from_str(text)?;
        if version != u64::from(VERSION) {
            return Err(Error::Version { found: version });
        }
        let results: Self = serde_json::from_str(text)?;
        for time in measured::times(&results) {
            if time.seconds < 0.0 || time.seconds.is_nan() {
                return Err(Error::Number { what: time.key, value: time.seconds });
            }
        }
        Ok(results)
    }

    /// Reads a file.
    ///
    /// ```no_run
    /// let earlier = equipoise_lab::report::Results::read("earlier.json".as_ref())?;
    /// # Ok::<(), equipoise_lab::report::Error>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .map_err(|source| Error::File { path: path.to_owned(), source })?;
        Self::from_json(&text)
    }
}
