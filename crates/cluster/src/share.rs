//! Division of work among ranks.

use std::ops::Range;

use crate::Comm;

/// The part of `0..total` of this rank.
pub(crate) fn share(comm: &dyn Comm, total: u64) -> Range<u64> {
    share_of(comm.rank(), comm.size(), total)
}

/// The part of `0..total` of one rank.
pub(crate) fn share_of(rank: usize, ranks: usize, total: u64) -> Range<u64> {
    let cut = |rank: usize| (u128::from(total) * rank as u128 / ranks.max(1) as u128) as u64;
    cut(rank)..cut(rank + 1)
}

/// The sum of the values of all ranks before this one, and of all.
pub(crate) fn sum_before(comm: &dyn Comm, value: u64) -> (u64, u64) {
    let values = gather(comm, value);
    (values[..comm.rank()].iter().sum(), values.iter().sum())
}

/// The value of each rank.
pub(crate) fn gather(comm: &dyn Comm, value: u64) -> Vec<u64> {
    let all = comm.all_gather(&value.to_le_bytes());
    all.iter()
        .map(|bytes| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_all_of_it_and_about_as_large() {
        for total in [0, 1, 7, u64::MAX] {
            let mut end = 0;
            for rank in 0..5 {
                let share = share_of(rank, 5, total);
                assert_eq!(share.start, end);
                assert!(share.end - share.start <= total / 5 + 1);
                end = share.end;
            }
            assert_eq!(end, total);
        }
    }
}
