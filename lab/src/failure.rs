//! Conversion of errors of experiments and of learning to failures of the program.

use equipoise_cli::failure::Failure;

use crate::{experiments, learn};

impl From<experiments::Error> for Failure {
    fn from(error: experiments::Error) -> Self {
        match error {
            experiments::Error::Candidates(problem) => {
                Self::usage(format!("--candidates: {problem}"))
            }
            error => Self::new(error.to_string()),
        }
    }
}

impl From<learn::Error> for Failure {
    fn from(error: learn::Error) -> Self {
        Self::new(error.to_string())
    }
}
