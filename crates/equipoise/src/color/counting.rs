//! Sums over the vertices of each color or iteration.

use equipoise_graph::parallel::*;

/// Vertices that a thread adds up at once.
const VERTICES_AT_ONCE: usize = 1 << 16;
/// With more numbers, one thread adds up alone: merging the sums of several would take longer.
const FEW_NUMBERS: usize = 1 << 12;

/// For each number below `count`, the sum of a function of the vertices that have it.
pub(super) fn sums_by_number(
    numbers: &[u32],
    count: usize,
    value: impl Fn(u32) -> u64 + Sync,
) -> Vec<u64> {
    let at_once = if count > FEW_NUMBERS { numbers.len().max(1) } else { VERTICES_AT_ONCE };
    let sums_of = |(part, numbers): (usize, &[u32])| {
        let mut sums = vec![0; count];
        let first = (part * at_once) as u32;
        (first..).zip(numbers).for_each(|(vertex, &n)| sums[n as usize] += value(vertex));
        sums
    };
    let add = |mut all: Vec<u64>, more: Vec<u64>| {
        all.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        all
    };
    let parts = numbers.par_chunks(at_once).enumerate();
    parts.map(sums_of).reduce_with(add).unwrap_or_else(|| vec![0; count])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_added_up() {
        for count in [3, FEW_NUMBERS + 1] {
            let numbers: Vec<u32> = (0..200_000).map(|vertex| vertex % 3).collect();
            let sums = sums_by_number(&numbers, count, |vertex| u64::from(vertex % 2) + 1);
            let of = |number: u32| -> u64 {
                (number..200_000).step_by(3).map(|vertex| u64::from(vertex % 2) + 1).sum()
            };
            assert_eq!(sums[..3], [of(0), of(1), of(2)]);
            assert!(sums[3..].iter().all(|&sum| sum == 0));
        }
        assert_eq!(sums_by_number(&[], 2, |_| 1), [0, 0]);
    }
}
