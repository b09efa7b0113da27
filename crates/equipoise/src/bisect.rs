//! Bisection.

/// The largest number up to `most` that satisfies a monotone predicate; 0 if none does.
pub(crate) fn largest(most: u64, is_true: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = high - (high - low) / 2;
        if is_true(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
