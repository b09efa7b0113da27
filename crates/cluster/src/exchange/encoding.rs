//! Sets of positions as bytes: gaps, bits, or all; followed by values.
//!
//! An empty set is an empty message. Others start with a byte for their form.

use bytemuck::Pod;

const ALL: u8 = 0;
const GAPS: u8 = 1;
const BITS: u8 = 2;

/// Writes `count` positions, ascending and below `length`, in the shortest form.
pub(super) fn write_positions<I: Iterator<Item = u32>>(
    message: &mut Vec<u8>,
    positions: impl Fn() -> I,
    count: usize,
    length: usize,
) {
    if count == 0 {
        return;
    }
    if count == length {
        message.push(ALL);
        return;
    }
    let as_bits = length.div_ceil(8);
    // A gap needs at least one byte.
    if count < as_bits && gaps(positions()).map(bytes_of_gap).sum::<usize>() + 5 < as_bits {
        message.push(GAPS);
        write_gap(message, count as u32);
        gaps(positions()).for_each(|gap| write_gap(message, gap));
    } else {
        message.push(BITS);
        let start = message.len();
        message.resize(start + as_bits, 0);
        let bits = &mut message[start..];
        positions().for_each(|position| bits[position as usize / 8] |= 1 << (position % 8));
    }
}

/// Writes the set of bits in `words`, below `length`, in the shortest form.
pub(super) fn write_bits(message: &mut Vec<u8>, words: &[u64], length: usize) {
    let count: usize = words.iter().map(|word| word.count_ones() as usize).sum();
    let as_bits = length.div_ceil(8);
    // So few positions take so little time that both forms can be compared.
    if count == 0 || count == length || count < as_bits {
        write_positions(message, || ones(words), count, length);
    } else {
        message.push(BITS);
        message.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        message.truncate(1 + as_bits);
    }
}

/// The bits of a message that is written so.
pub(super) fn as_bits(message: &[u8], length: usize) -> Option<&[u8]> {
    match message.split_first() {
        Some((&BITS, rest)) => rest.get(..length.div_ceil(8)),
        _ => None,
    }
}

/// The positions of the bits that are set.
fn ones(words: &[u64]) -> impl Iterator<Item = u32> {
    (0..).step_by(64).zip(words).flat_map(|(start, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let position = (left != 0).then(|| start + left.trailing_zeros());
            left &= left.wrapping_sub(1);
            position
        })
    })
}

/// Reads a set of [`write_positions`] into `positions`. Returns the bytes after it.
pub(super) fn read_positions<'a>(
    message: &'a [u8],
    length: usize,
    positions: &mut Vec<u32>,
) -> &'a [u8] {
    positions.clear();
    let Some((&form, mut rest)) = message.split_first() else { return message };
    match form {
        ALL => positions.extend(0..length as u32),
        GAPS => {
            let count = read_gap(&mut rest);
            let mut next = 0;
            for _ in 0..count {
                let position = next + read_gap(&mut rest);
                positions.push(position);
                next = position + 1;
            }
        }
        _ => {
            let (bits, after) = rest.split_at(length.div_ceil(8));
            for (start, &byte) in (0..).step_by(8).zip(bits) {
                let mut byte = byte;
                while byte != 0 {
                    positions.push(start + byte.trailing_zeros());
                    byte &= byte - 1;
                }
            }
            rest = after;
        }
    }
    rest
}

/// Appends the bytes of values.
pub(super) fn write_values<T: Pod>(message: &mut Vec<u8>, values: impl Iterator<Item = T>) {
    message.reserve(values.size_hint().0 * size_of::<T>());
    values.for_each(|value| message.extend_from_slice(bytemuck::bytes_of(&value)));
}

/// The values of these bytes; endless for values without bytes.
pub(super) fn read_values<T: Pod>(bytes: &[u8]) -> impl Iterator<Item = T> {
    let size = size_of::<T>();
    let value = move |number: usize| bytes.get(number * size..(number + 1) * size);
    (0..).map_while(value).map(bytemuck::pod_read_unaligned)
}

/// The gaps between consecutive positions.
fn gaps(positions: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut next = 0;
    positions.map(move |position| {
        let gap = position - next;
        next = position + 1;
        gap
    })
}

/// Seven bits per byte, the lowest first; the eighth bit says that more follow.
fn write_gap(message: &mut Vec<u8>, mut gap: u32) {
    while gap >= 128 {
        message.push(gap as u8 | 128);
        gap >>= 7;
    }
    message.push(gap as u8);
}

fn bytes_of_gap(gap: u32) -> usize {
    (32 - (gap | 1).leading_zeros()).div_ceil(7) as usize
}

fn read_gap(bytes: &mut &[u8]) -> u32 {
    let (mut gap, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        gap |= u32::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            break;
        }
    }
    gap
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(positions: &[u32], length: usize) -> Vec<u8> {
        let mut message = Vec::new();
        write_positions(&mut message, || positions.iter().copied(), positions.len(), length);
        message
    }

    #[test]
    fn the_shortest_form_is_taken() {
        let all: Vec<u32> = (0..1000).collect();
        assert_eq!(written(&all, 1000).len(), 1);
        assert_eq!(written(&all[..999], 1000).len(), 126);
        assert_eq!(written(&[], 1000).len(), 0);
        assert_eq!(written(&[5, 900], 1000).len(), 5);
        assert_eq!(written(&[], 0).len(), 0);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            bits in proptest::collection::vec(any::<bool>(), 0..300),
            spread in 1..3000u32,
            dense in any::<bool>(),
        ) {
            let ones = bits.iter().zip(0..).filter(|&(&bit, _)| bit != dense).map(|pair| pair.1);
            let positions: Vec<u32> = ones.map(|position: u32| position * spread).collect();
            let length = bits.len() * spread as usize;
            let mut message = written(&positions, length);
            let mut words = vec![0u64; length.div_ceil(64)];
            positions.iter().for_each(|&p| words[p as usize / 64] |= 1 << (p % 64));
            let mut from_bits = Vec::new();
            write_bits(&mut from_bits, &words, length);
            prop_assert_eq!(&from_bits, &message);
            write_values(&mut message, positions.iter().map(|&position| u64::from(position) << 20));
            let mut read = Vec::new();
            let values = read_positions(&message, length, &mut read);
            prop_assert_eq!(&read, &positions);
            let values: Vec<u64> = read_values(values).collect();
            prop_assert!(values.iter().zip(&positions).all(|(&value, &p)| value == u64::from(p) << 20));
            prop_assert_eq!(values.len(), positions.len());
        }
    }
}
