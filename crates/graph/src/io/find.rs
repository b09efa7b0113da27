//! Search for a byte.

/// The position of the first byte that equals `byte`. Faster than by single bytes from the second
/// eight on.
#[inline(always)]
pub(super) fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let (windows, rest) = bytes.as_chunks::<8>();
    for (index, &window) in windows.iter().enumerate() {
        // The highest bit of the first equal byte is set, and perhaps those of later ones.
        let others = u64::from_le_bytes(window) ^ (LOW * u64::from(byte));
        let equal = others.wrapping_sub(LOW) & !others & HIGH;
        if equal != 0 {
            return Some(index * 8 + equal.trailing_zeros() as usize / 8);
        }
    }
    let start = bytes.len() - rest.len();
    rest.iter().position(|&other| other == byte).map(|index| start + index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_at_every_position() {
        for length in 0..40 {
            for at in 0..=length {
                for (byte, other) in [(b',', b'-'), (0, 1), (255, 254), (1, 0), (128, 0)] {
                    let mut bytes = vec![other; length];
                    bytes.iter_mut().skip(at).step_by(3).for_each(|found| *found = byte);
                    assert_eq!(find(&bytes, byte), (at < length).then_some(at));
                }
            }
        }
    }
}
