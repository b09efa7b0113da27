//! The current time, for people.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 60 * 60;

/// The time now, such as `2026-11-15 16:44 UTC`.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    from_unix_time(since.as_secs())
}

/// The time `seconds` seconds after the beginning of 1970.
fn from_unix_time(seconds: u64) -> String {
    let (mut days, mut year) = (seconds / DAY, 1970);
    while days >= days_of(year) {
        days -= days_of(year);
        year += 1;
    }
    let february = days_of(year) - 337;
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let (hour, minute) = (seconds % DAY / 3600, seconds / 60 % 60);
    format!("{year}-{:02}-{:02} {hour:02}:{minute:02} UTC", month + 1, days + 1)
}

fn days_of(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    365 + u64::from(is_leap)
}

#[cfg(test)]
mod tests {
    use super::from_unix_time;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(from_unix_time(0), "1970-01-01 00:00 UTC");
        assert_eq!(from_unix_time(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(from_unix_time(1_735_689_599), "2024-12-31 23:59 UTC");
        assert_eq!(from_unix_time(1_794_761_068), "2026-11-15 16:44 UTC");
    }
}
