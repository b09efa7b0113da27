//! The recursive choice of a quadrant that RMAT and Kronecker graphs are made by.
//!
//! An edge is a cell of the adjacency matrix, found by halving the matrix `scale` times and
//! choosing one of the four quarters each time with the probabilities a, b, c and d. Here several
//! levels are chosen at once, from 32 random bits and an alias table (A. J. Walker, 1977; M. D.
//! Vose, 1991) of all their outcomes.

use rand::Rng;

use super::random::Random;

const LEVELS_AT_ONCE: u32 = 4;

/// Chooses cells of a matrix with 2^`scale` rows and columns.
pub(super) struct Quadrants {
    /// How often to choose `LEVELS_AT_ONCE` levels.
    repeats: u32,
    most: AliasTable,
    /// The levels that are left.
    rest: AliasTable,
}

impl Quadrants {
    /// Quarters `[a, b, c, d]` are above left, above right, below left and below right.
    pub(super) fn new(scale: u32, probabilities: [f64; 4]) -> Self {
        Self {
            repeats: scale / LEVELS_AT_ONCE,
            most: AliasTable::new(LEVELS_AT_ONCE, probabilities),
            rest: AliasTable::new(scale % LEVELS_AT_ONCE, probabilities),
        }
    }

    /// A row and a column.
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

/// The outcomes of a few levels.
struct AliasTable {
    levels: u32,
    /// Always as many, so that no index is checked; only those of all paths are used.
    slots: Box<[Slot; 1 << (2 * LEVELS_AT_ONCE)]>,
}

/// An equal share of the probability, divided between two outcomes.
#[derive(Clone, Copy)]
struct Slot {
    /// How much of the share, in 2³² parts, is the first outcome's.
    first_part: u32,
    /// The bits of the row in the high half, of the column in the low half.
    outcomes: [u64; 2],
}

impl AliasTable {
    fn new(levels: u32, probabilities: [f64; 4]) -> Self {
        let count = 1usize << (2 * levels);
        // In units of a slot's share; together they are `count`, but for rounding.
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

    /// An outcome of the table's `levels`: an argument, as those of most calls are a constant.
    #[inline]
    fn choose(&self, levels: u32, bits: u32) -> u64 {
        let index_bits = 2 * levels;
        let slot = &self.slots[(u64::from(bits) << index_bits >> 32) as usize];
        // An index and no branch, which would be guessed wrongly half of the time.
        slot.outcomes[usize::from(bits << index_bits >= slot.first_part)]
    }
}

/// The row and column bits of a path: its digits to the base 4 are quarters, the first level's
/// highest.
fn outcome(path: usize, levels: u32) -> u64 {
    let bit = |position: u32| (path >> position & 1) as u64;
    (0..levels).fold(0, |outcome, level| {
        outcome | bit(2 * level + 1) << (32 + level) | bit(2 * level) << level
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each outcome as the table gives it.
    fn given(table: &AliasTable) -> Vec<f64> {
        let mut given = vec![0.0; 256];
        let slots = &table.slots[..1 << (2 * table.levels)];
        let place = |outcome: u64| (outcome >> 32 << LEVELS_AT_ONCE | outcome & 15) as usize;
        for slot in slots {
            let first = f64::from(slot.first_part) / 2f64.powi(32);
            given[place(slot.outcomes[0])] += first / slots.len() as f64;
            given[place(slot.outcomes[1])] += (1.0 - first) / slots.len() as f64;
        }
        given
    }

    #[test]
    fn outcomes_have_the_products_of_their_quarters() {
        for probabilities in [[0.57, 0.19, 0.19, 0.05], [0.25; 4], [1.0, 0.0, 0.0, 0.0]] {
            for levels in 0..=LEVELS_AT_ONCE {
                let table = AliasTable::new(levels, probabilities);
                for (outcome, given) in given(&table).into_iter().enumerate() {
                    let (row, column) = (outcome >> LEVELS_AT_ONCE, outcome & 15);
                    let inside = row >> levels == 0 && column >> levels == 0;
                    let expected = (0..levels)
                        .map(|level| probabilities[2 * (row >> level & 1) + (column >> level & 1)])
                        .product::<f64>()
                        * f64::from(u8::from(inside));
                    assert!((given - expected).abs() < 1e-8, "{row} {column}: {given} {expected}");
                }
            }
        }
    }
}
