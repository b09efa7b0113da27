//! The numbers that options take.

use std::{fmt::Display, ops::RangeInclusive};

use crate::{Error, Result};

/// Fails where a number is not within what an option takes; no range holds what is not a number.
pub(crate) fn within<T: PartialOrd + Display>(
    option: &str,
    given: T,
    limits: RangeInclusive<T>,
) -> Result<()> {
    match limits.contains(&given) {
        true => Ok(()),
        false => Err(Error::Option(format!(
            "`{option}` is {given}: {} to {} are possible",
            limits.start(),
            limits.end()
        ))),
    }
}

/// The same for a number that must be a power of two, too.
pub(crate) fn power_within(option: &str, given: u32, limits: RangeInclusive<u32>) -> Result<()> {
    match given.is_power_of_two() && limits.contains(&given) {
        true => Ok(()),
        false => Err(Error::Option(format!(
            "`{option}` is {given}: it must be a power of two from {} to {}",
            limits.start(),
            limits.end()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_possible_and_nothing_beyond() {
        assert!(within("bins", 1, 1..=3).is_ok() && within("bins", 3, 1..=3).is_ok());
        let error = within("bins", 4, 1..=3).unwrap_err().to_string();
        assert_eq!(error, "`bins` is 4: 1 to 3 are possible");
        assert!(within("share", f64::NAN, 0.0..=f64::INFINITY).is_err());
        assert!(power_within("group", 8, 2..=8).is_ok());
        assert!([0, 1, 6, 16].iter().all(|&group| power_within("group", group, 2..=8).is_err()));
    }
}
