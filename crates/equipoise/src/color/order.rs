//! In which order vertices are colored: the same on every device.

pub(super) use crate::random::{Random, of_seed};

/// The class of a vertex with so many neighbours: those of a higher class are colored before those
/// of a lower one. Degrees of a class are less than twice as large as each other.
pub(super) fn class_of(degree: usize) -> u32 {
    (degree | 1).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double() {
        let classes: Vec<u32> = [0, 1, 2, 3, 4, 7, 8, 1023, 1024].map(class_of).to_vec();
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, 9, 10]);
    }
}
