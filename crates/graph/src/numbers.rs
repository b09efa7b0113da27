//! Numbers formatted for people: three digits and a unit.

use std::{
    fmt::{Display, LowerExp},
    time::Duration,
};

/// A count: exact below 10 000, then such as `1.05 M`.
///
/// ```
/// assert_eq!(equipoise_graph::numbers::count(1_048_576), "1.05 M");
/// ```
pub fn count(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        _ => scaled(count as f64, 1000.0, &["", " k", " M", " G", " T", " P"]),
    }
}

/// A count with its noun: `1 vertex`, `1.05 M vertices`.
///
/// ```
/// assert_eq!(equipoise_graph::numbers::counted(2, "edge", "edges"), "2 edges");
/// ```
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A number in plain digits, or with an exponent if these are more than 20.
///
/// ```
/// assert_eq!([0.25, 1e300, 1e-300].map(|number| equipoise_graph::numbers::short(&number)), ["0.25", "1e300", "1e-300"]);
/// ```
pub fn short<T: Display + LowerExp>(number: &T) -> String {
    const MANY: usize = 20;
    let plain = number.to_string();
    if plain.len() <= MANY { plain } else { format!("{number:e}") }
}

/// The name of a number that is not finite, in JSON as written by Protocol Buffers; `None` for a
/// finite number.
///
/// ```
/// use equipoise_graph::numbers::name_of_not_finite as name;
///
/// assert_eq!([1.0, f64::NAN, f64::NEG_INFINITY].map(name), [None, Some("NaN"), Some("-Infinity")]);
/// ```
pub fn name_of_not_finite(number: f64) -> Option<&'static str> {
    if number.is_nan() {
        Some("NaN")
    } else if number.is_infinite() {
        Some(if number > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        None
    }
}

/// A duration: `740 ns`, `12.3 ms`, `4 min 10 s`.
///
/// ```
/// let time = std::time::Duration::from_secs(250);
/// assert_eq!(equipoise_graph::numbers::time(time), "4 min 10 s");
/// ```
pub fn time(time: Duration) -> String {
    if time.as_secs() >= 100 {
        let seconds = (time.as_secs_f64()).round() as u64;
        return format!("{} min {} s", seconds / 60, seconds % 60);
    }
    match time.as_nanos() {
        0 => "0 ns".into(),
        nanos if nanos < 1000 => format!("{nanos} ns"),
        nanos => scaled(nanos as f64, 1000.0, &[" ns", " µs", " ms", " s"]),
    }
}

/// A size in memory or on disk: `512 B`, `3.40 GiB`.
///
/// ```
/// assert_eq!(equipoise_graph::numbers::bytes(512), "512 B");
/// ```
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        _ => scaled(bytes as f64, 1024.0, &[" B", " KiB", " MiB", " GiB", " TiB", " PiB"]),
    }
}

/// A number per second, such as `1.27 GTEPS`; `None` if no time has passed.
///
/// ```
/// let second = std::time::Duration::from_secs(1);
/// assert_eq!(equipoise_graph::numbers::rate(12, second, "TEPS").as_deref(), Some("12.0 TEPS"));
/// ```
pub fn rate(number: u64, time: Duration, unit: &str) -> Option<String> {
    let per_second = number as f64 / time.as_secs_f64();
    per_second.is_finite().then(|| {
        let scaled = scaled(per_second, 1000.0, &[" ", " k", " M", " G", " T", " P"]);
        format!("{scaled}{unit}")
    })
}

/// A decimal number, such as a mean, with three digits.
///
/// ```
/// assert_eq!(equipoise_graph::numbers::decimal(2.0), "2.00");
/// ```
pub fn decimal(number: f64) -> String {
    match number.abs() {
        0.0..1000.0 => digits(number),
        // Beyond all units.
        1e21.. => format!("{number:.2e}"),
        _ => scaled(number, 1000.0, &["", " k", " M", " G", " T", " P"]),
    }
}

/// `value` in the first unit that leaves no more than three digits before the point.
fn scaled(mut value: f64, base: f64, units: &[&str]) -> String {
    let mut unit = 0;
    while value >= base - 0.5 && unit + 1 < units.len() {
        value /= base;
        unit += 1;
    }
    format!("{}{}", digits(value), units[unit])
}

/// At least three significant digits, and all digits before the point.
fn digits(value: f64) -> String {
    match value.abs() {
        small if small < 9.995 => format!("{value:.2}"),
        middle if middle < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_while_short() {
        assert_eq!(count(0), "0");
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(10_000), "10.0 k");
        assert_eq!(count(262_144), "262 k");
        assert_eq!(count(1_048_576), "1.05 M");
    }

    #[test]
    fn rounding_up_moves_to_the_next_unit() {
        assert_eq!(count(999_499), "999 k");
        assert_eq!(count(999_500), "1.00 M");
        assert_eq!(count(99_960), "100 k");
        assert_eq!(time(Duration::from_nanos(999_999)), "1.00 ms");
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        assert_eq!(time(Duration::ZERO), "0 ns");
        assert_eq!(time(Duration::from_nanos(740)), "740 ns");
        assert_eq!(time(Duration::from_nanos(12_340)), "12.3 µs");
        assert_eq!(time(Duration::from_micros(12_345)), "12.3 ms");
        assert_eq!(time(Duration::from_secs(7)), "7.00 s");
        assert_eq!(time(Duration::from_secs(250)), "4 min 10 s");
    }

    #[test]
    fn sizes_are_binary() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.00 KiB");
        assert_eq!(bytes(3_650_722_202), "3.40 GiB");
    }

    #[test]
    fn rates_need_time() {
        assert_eq!(rate(1_270_000, Duration::from_millis(1), "TEPS").unwrap(), "1.27 GTEPS");
        assert_eq!(rate(12, Duration::from_secs(1), "TEPS").unwrap(), "12.0 TEPS");
        assert_eq!(rate(5, Duration::ZERO, "TEPS"), None);
        assert_eq!(rate(0, Duration::ZERO, "TEPS"), None);
    }

    #[test]
    fn one_of_a_thing_is_singular() {
        assert_eq!(counted(1, "vertex", "vertices"), "1 vertex");
        assert_eq!(counted(0, "vertex", "vertices"), "0 vertices");
    }

    #[test]
    fn decimals_keep_three_digits() {
        assert_eq!(decimal(2.0), "2.00");
        assert_eq!(decimal(31.96), "32.0");
        assert_eq!(decimal(1999.6), "2.00 k");
    }
}
