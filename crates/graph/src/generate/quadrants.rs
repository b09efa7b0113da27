//! Random recursive quadrants, which generate RMAT and Kronecker graphs.
//!
//! An edge is a cell of the adjacency matrix, found by halving the matrix `scale` times and
//! choosing one of the four quadrants each time with probabilities a, b, c and d. Several levels
//! are chosen at once, from 32 random bits and an alias table (A. J. Walker, 1977; M. D. Vose,
//! 1991) of all their outcomes.

use rand::Rng;

use super::random::Random;

const LEVELS_AT_ONCE: u32 = 4;

/// Draws cells of a matrix with 2^`scale` rows and columns.
pub(super) struct Quadrants {
    /// The number of draws of `LEVELS_AT_ONCE` levels.
    repeats: u32,
    most: AliasTable,
    /// The remaining levels.
    rest: AliasTable,
}

impl Quadrants {
    /// The quadrants `[a, b, c, d]` are top left, top right, bottom left and bottom right.
    pub(super) fn new(scale: u32, probabilities: [f64; 4]) -> Self {
        Self {
            repeats: scale / LEVELS_AT_ONCE,
            most: AliasTable::new(LEVELS_AT_ONCE, probabilities),
            rest: AliasTable::new(scale % LEVELS_AT_ONCE, probabilities),
        }
    }

    #[inline]
    pub(super) fn choose(&self, random: &mut Random) -> (u32, u32) {
        let mut cell = 0;
        for _ in 0..self.repeats {
            cell = cell << LEVELS_AT_ONCE | self.most.choose(LEVELS_AT_ONCE, random.next_u32());
        }
        if self.rest.levels > 0 {
            cell = cell << self.rest.levels | self.rest.choose(self.rest.levels, random.next_u32());
        }
        ((cell >> 32) as u32, cell as u32)
    }
}

/// An alias table of the outcomes of a few levels.
struct AliasTable {
    levels: u32,
    /// A fixed size avoids bounds checks; only the slots of existing paths are used.
    slots: Box<[Slot; 1 << (2 * LEVELS_AT_ONCE)]>,
}

/// An equal share of the probability, divided between two outcomes.
#[derive(Clone, Copy)]
struct Slot {
    /// The part of the share, in units of 2⁻³², that belongs to the first outcome.
    first_part: u32,
    /// The row bits in the high half, the column bits in the low half.
    outcomes: [u64; 2],
}

impl AliasTable {
    fn new(levels: u32, probabilities: [f64; 4]) -> Self {
        let count = 1usize << (2 * levels);
        // In units of a slot's share; they sum to `count`, up to rounding.
        let mut left: Vec<f64> = (0..count)
            .map(|path| {
                let quarters = (0..levels).map(|level| probabilities[path >> (2 * level) & 3]);
                quarters.product::<f64>() * count as f64
            })
            .collect();
        let mut slots =
            Box::new([Slot { first_part: u32::MAX, outcomes: [0; 2] }; 1 << (2 * LEVELS_AT_ONCE)]);
        for (path, slot) in slots[..count].iter_mut().enumerate() {
            slot.outcomes = [outcome(path, levels); 2];
        }
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..count).partition(|&path| left[path] < 1.0);
        while let (Some(path), Some(&giver)) = (small.pop(), large.last()) {
            slots[path].first_part = (left[path] * 2f64.powi(32)) as u32;
            slots[path].outcomes[1] = outcome(giver, levels);
            left[giver] -= 1.0 - left[path];
            if left[giver] < 1.0 {
                large.pop();
                small.push(giver);
            }
        }
        Self { levels, slots }
    }

    /// Draws an outcome. `levels` is an argument so that most calls pass a constant.
    #[inline]
    fn choose(&self, levels: u32, bits: u32) -> u64 {
        let index_bits = 2 * levels;
        let slot = &self.slots[(u64::from(bits) << index_bits >> 32) as usize];
        // Indexing avoids a branch, which would be mispredicted half of the time.
        slot.outcomes[usize::from(bits << index_bits >= slot.first_part)]
    }
}

/// The row and column bits of a path, whose base-4 digits are quadrants, first level highest.
fn outcome(path: usize, levels: u32) -> u64 {
    let bit = |position: u32| (path >> position & 1) as u64;
    (0..levels).fold(0, |outcome, level| {
        outcome | bit(2 * level + 1) << (32 + level) | bit(2 * level) << level
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each outcome according to the table.
    fn table_probabilities(table: &AliasTable) -> Vec<f64> {
        let mut probabilities = vec![0.0; 256];
        let slots = &table.slots[..1 << (2 * table.levels)];
        let index = |outcome: u64| (outcome >> 32 << LEVELS_AT_ONCE | outcome & 15) as usize;
        for slot in slots {
            let first = f64::from(slot.first_part) / 2f64.powi(32);
            probabilities[index(slot.outcomes[0])] += first / slots.len() as f64;
            probabilities[index(slot.outcomes[1])] += (1.0 - first) / slots.len() as f64;
        }
        probabilities
    }

    #[test]
    fn outcomes_have_the_products_of_their_quarters() {
        for probabilities in [[0.57, 0.19, 0.19, 0.05], [0.25; 4], [1.0, 0.0, 0.0, 0.0]] {
            for levels in 0..=LEVELS_AT_ONCE {
                let table = AliasTable::new(levels, probabilities);
                for (outcome, probability) in table_probabilities(&table).into_iter().enumerate() {
                    let (row, column) = (outcome >> LEVELS_AT_ONCE, outcome & 15);
                    let inside = row >> levels == 0 && column >> levels == 0;
                    let expected = (0..levels)
                        .map(|level| probabilities[2 * (row >> level & 1) + (column >> level & 1)])
                        .product::<f64>()
                        * f64::from(u8::from(inside));
                    assert!(
                        (probability - expected).abs() < 1e-8,
                        "{row} {column}: {probability} {expected}"
                    );
                }
            }
        }
    }
}
