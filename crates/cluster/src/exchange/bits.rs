//! Sets of vertices as bits, from owners to mirrors.

use std::ops::Range;

use super::{Exchange, encoding};

impl Exchange<'_> {
    /// Sends a set of local vertices from owners to mirrors: a mirror is in it afterwards if its owner is.
    pub(crate) fn broadcast_bits(&mut self, set: &mut [u64]) {
        let mut picked = Vec::new();
        let mut outgoing = Vec::with_capacity(self.comm.size());
        for rank in 0..self.comm.size() {
            let mirrored = self.graph.mirrored_by(rank);
            pick(set, mirrored, &mut picked);
            let mut message = Vec::new();
            encoding::write_bits(&mut message, &picked, mirrored.len());
            outgoing.push(message);
        }
        let incoming = self.send(outgoing);
        clear(set, self.graph.owned()..self.graph.local.vertices());
        for (rank, message) in incoming.into_iter().enumerate() {
            let mirrors = self.graph.mirrors_of(rank);
            match encoding::as_bits(&message, mirrors.len()) {
                Some(bits) => insert(set, mirrors.start, bits),
                None => {
                    encoding::read_positions(&message, mirrors.len(), &mut self.positions);
                    for position in &self.positions {
                        let mirror = mirrors.start + position;
                        set[mirror as usize / 64] |= 1 << (mirror % 64);
                    }
                }
            }
        }
    }
}

/// The bits of `vertices`, packed.
fn pick(set: &[u64], vertices: &[u32], picked: &mut Vec<u64>) {
    picked.clear();
    picked.extend(vertices.chunks(64).map(|vertices| {
        let bit = |&vertex: &u32| set[vertex as usize / 64] >> (vertex % 64) & 1;
        vertices.iter().rev().fold(0, |word, vertex| word << 1 | bit(vertex))
    }));
}

/// Removes the vertices of a range from a set.
fn clear(set: &mut [u64], range: Range<u32>) {
    if range.is_empty() {
        return;
    }
    let (first, last) = (range.start as usize / 64, range.end as usize / 64);
    let before = (1u64 << (range.start % 64)) - 1;
    set[first] &= before;
    if first < last {
        set[first + 1..].fill(0);
    }
}

/// Adds packed bits to a set, from vertex `start` on.
fn insert(set: &mut [u64], start: u32, bits: &[u8]) {
    let (first, shift) = (start as usize / 64, start % 64);
    for (word, bytes) in (first..).zip(bits.chunks(8)) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(whole);
        set[word] |= bits << shift;
        if shift > 0 && bits >> (64 - shift) != 0 {
            set[word + 1] |= bits >> (64 - shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_inserted_anywhere() {
        for start in [0, 1, 63, 64, 100] {
            let mut set = vec![0; 6];
            insert(&mut set, start, &[0b101, 0, 0, 0, 0, 0, 0, 0, 0x80]);
            let ones: Vec<u32> =
                (0..384).filter(|&v| set[v as usize / 64] >> (v % 64) & 1 == 1).collect();
            assert_eq!(ones, [start, start + 2, start + 71]);
        }
    }

    #[test]
    fn clearing_leaves_what_is_before() {
        let mut set = vec![u64::MAX; 3];
        clear(&mut set, 70..192);
        assert_eq!(set, [u64::MAX, 0b111111, 0]);
        clear(&mut set, 0..0);
        assert_eq!(set[0], u64::MAX);
    }

    #[test]
    fn bits_are_packed_in_order() {
        let mut picked = Vec::new();
        let vertices: Vec<u32> = (0..70).map(|vertex| vertex * 2).collect();
        pick(&[0b10101, 0, 1 << 10], &vertices, &mut picked);
        assert_eq!(picked, [0b111, 0b100 << 3]);
    }
}
