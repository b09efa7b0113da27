//! The limit on the steps of an iteration.

use std::{fmt, num::NonZeroU32, str::FromStr};

/// The most steps of `hierarchy` per iteration, after which the remaining edges are decomposed; the paper has no limit.
///
/// ```
/// use equipoise::traversal::Steps;
///
/// assert_eq!("unlimited".parse(), Ok(Steps::UNLIMITED));
/// assert_eq!("8".parse::<Steps>().unwrap().most(), 8);
/// assert_eq!(Steps::default().to_string(), "64");
/// assert!("0".parse::<Steps>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Steps(Option<NonZeroU32>);

impl Steps {
    /// No limit.
    pub const UNLIMITED: Self = Self(None);

    /// A limit; 0 counts as 1.
    ///
    /// ```
    /// assert_eq!(equipoise::traversal::Steps::at_most(0).most(), 1);
    /// ```
    pub fn at_most(steps: u32) -> Self {
        Self(NonZeroU32::new(steps.max(1)))
    }

    /// The limit; `u32::MAX` if unlimited.
    ///
    /// ```
    /// assert_eq!(equipoise::traversal::Steps::UNLIMITED.most(), u32::MAX);
    /// ```
    pub fn most(self) -> u32 {
        self.0.map_or(u32::MAX, NonZeroU32::get)
    }
}

impl Default for Steps {
    fn default() -> Self {
        Self::at_most(64)
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(most) => most.fmt(f),
            None => f.pad(UNLIMITED),
        }
    }
}

const UNLIMITED: &str = "unlimited";

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            UNLIMITED => Ok(Self::UNLIMITED),
            _ => match text.parse() {
                Ok(most) => Ok(Self(Some(most))),
                Err(_) => Err("expected a number of steps, 1 to 65536, or `unlimited`".into()),
            },
        }
    }
}
