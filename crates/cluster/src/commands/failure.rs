//! Failures of commands on several ranks.

pub use equipoise_terminal::failure::{Failure, Result};

use crate::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            Error::WeightsTooWide => failure.hint("--weights f32 takes them in 32 bits"),
            _ => failure,
        }
    }
}
