//! Ranges of numeric options.

use std::{
    fmt::{Display, LowerExp},
    ops::RangeInclusive,
};

use equipoise_graph::numbers::short;

use crate::{Error, Result};

/// Fails where the value of an option is outside its range. NaN is outside every range.
pub(crate) fn within<T: PartialOrd + Display + LowerExp>(
    option: &str,
    value: T,
    limits: RangeInclusive<T>,
) -> Result<()> {
    if limits.contains(&value) {
        return Ok(());
    }
    let [value, start, end] = [&value, limits.start(), limits.end()].map(short);
    // The largest number is no limit worth printing.
    let possible = match end.as_str() {
        "inf" | "1.7976931348623157e308" => format!("{start} or more is possible"),
        _ => format!("{start} to {end} are possible"),
    };
    Err(Error::Option(format!("`{option}` is {value}: {possible}")))
}

/// Fails where the value of an option is outside its range or not a power of two.
pub(crate) fn power_within(option: &str, value: u32, limits: RangeInclusive<u32>) -> Result<()> {
    if value.is_power_of_two() && limits.contains(&value) {
        return Ok(());
    }
    let (start, end) = (limits.start(), limits.end());
    Err(Error::Option(format!(
        "`{option}` is {value}: it must be a power of two from {start} to {end}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends_and_nothing_beyond() {
        assert!(within("bins", 1, 1..=3).is_ok() && within("bins", 3, 1..=3).is_ok());
        let error = within("bins", 4, 1..=3).unwrap_err().to_string();
        assert_eq!(error, "`bins` is 4: 1 to 3 are possible");
        let error = within("share", f64::NAN, 0.0..=f64::INFINITY).unwrap_err().to_string();
        assert_eq!(error, "`share` is NaN: 0 or more is possible");
        let error = within("share", -1e300, 0.0..=f64::MAX).unwrap_err().to_string();
        assert_eq!(error, "`share` is -1e300: 0 or more is possible");
        let error = within("share", 1e-300, 0.5..=1.0).unwrap_err().to_string();
        assert_eq!(error, "`share` is 1e-300: 0.5 to 1 are possible");
        assert!(power_within("group", 8, 2..=8).is_ok());
        assert!([0, 1, 6, 16].iter().all(|&group| power_within("group", group, 2..=8).is_err()));
    }
}
