//! Verdicts of verifiers, and whether results are verified at all.

use std::{env, time::Duration};

use equipoise_graph::Error as GraphError;

use crate::{Error, Result, times::timed};

/// The environment variable that switches verification off.
const VARIABLE: &str = "EQUIPOISE_VERIFY";

/// What a verifier proved about a result. A wrong result is not a verdict, but [`Error::Wrong`].
///
/// ```
/// use equipoise::algorithm::Verdict;
///
/// let verdict = Verdict::sampled("4 of 9 vertices", 4.0 / 9.0);
/// assert_eq!((verdict.name(), verdict.text(), verdict.is_proved()), ("sampled", "4 of 9 vertices", false));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "verdict", rename_all = "lowercase"))]
pub enum Verdict {
    /// The whole result is right.
    Proved {
        /// The rules it keeps.
        what: String,
    },
    /// Samples of the result are right.
    Sampled {
        /// The samples.
        what: String,
        /// The least probability that the check finds one wrong number at a random position.
        confidence: f64,
    },
    /// Nothing was checked.
    Off {
        /// The reason.
        what: String,
    },
}

impl Verdict {
    /// The whole result keeps these rules, which no wrong result does.
    pub fn proved(what: impl Into<String>) -> Self {
        Self::Proved { what: what.into() }
    }

    /// These samples are right.
    pub fn sampled(what: impl Into<String>, confidence: f64) -> Self {
        Self::Sampled { what: what.into(), confidence }
    }

    /// Nothing was checked, for this reason.
    pub fn off(what: impl Into<String>) -> Self {
        Self::Off { what: what.into() }
    }

    /// `proved`, `sampled` or `off`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Proved { .. } => "proved",
            Self::Sampled { .. } => "sampled",
            Self::Off { .. } => "off",
        }
    }

    /// What was checked, or why nothing was.
    pub fn text(&self) -> &str {
        match self {
            Self::Proved { what } | Self::Sampled { what, .. } | Self::Off { what } => what,
        }
    }

    /// Whether the whole result was checked.
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Proved { .. })
    }
}

/// A verdict, and the time it took.
///
/// ```
/// use equipoise::algorithm::Verification;
///
/// let off = Verification::off("switched off");
/// assert_eq!((off.verdict.name(), off.time.as_nanos()), ("off", 0));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Verification {
    /// The outcome.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub verdict: Verdict,
    /// The time of the check, which no other time includes.
    #[cfg_attr(feature = "serde", serde(rename = "seconds", with = "crate::seconds"))]
    pub time: Duration,
}

impl Verification {
    /// No verification, for this reason.
    pub fn off(what: impl Into<String>) -> Self {
        Self { verdict: Verdict::off(what), time: Duration::ZERO }
    }

    /// Runs a check. A check that memory is too short for leaves the result unverified.
    ///
    /// # Errors
    ///
    /// If the result is wrong, and as the check itself.
    ///
    /// ```
    /// use equipoise::algorithm::{Verdict, Verification};
    /// use equipoise::graph::memory;
    ///
    /// let proved = Verification::of(|| Ok(Verdict::proved("1 + 1 = 2")))?;
    /// assert!(proved.verdict.is_proved());
    /// let too_large = Verification::of(|| {
    ///     memory::check("verifying", u64::MAX)?;
    ///     Ok(Verdict::proved("nothing"))
    /// })?;
    /// assert_eq!(too_large.verdict.name(), "off");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn of(check: impl FnOnce() -> Result<Verdict>) -> Result<Self> {
        let (verdict, time) = timed(check);
        let verdict = match verdict {
            Err(Error::Graph(short @ GraphError::OutOfMemory { .. })) => {
                Verdict::off(short.to_string())
            }
            verdict => verdict?,
        };
        Ok(Self { verdict, time })
    }
}

/// Whether whole algorithms verify their results unless a caller decides: yes, unless the environment variable
/// `EQUIPOISE_VERIFY` is `0`, `off`, `no` or `false`.
///
/// ```
/// assert!(equipoise::algorithm::verifies_by_default());
/// ```
pub fn verifies_by_default() -> bool {
    let value = env::var(VARIABLE).unwrap_or_default().to_lowercase();
    !matches!(value.as_str(), "0" | "off" | "no" | "false")
}
