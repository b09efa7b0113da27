//! The order in which vertices are colored, equal on every device.

pub(super) use crate::random::{Random, of_seed};

/// The class of a degree: degrees of a class are less than a factor of 2 apart. Higher classes are colored first.
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
