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
        let (mut row, mut column) = (0, 0);
        let mut descend = |table: &AliasTable| {
            let outcome = u32::from(table.choose(random.next_u32()));
            row = row << table.levels | outcome >> LEVELS_AT_ONCE;
            column = column << table.levels | outcome & ((1 << LEVELS_AT_ONCE) - 1);
        };
        for _ in 0..self.repeats {
            descend(&self.most);
        }
        if self.rest.levels > 0 {
            descend(&self.rest);
        }
        (row, column)
    }
}

/// The outcomes of a few levels: bits of the row in the high half of a byte, of the column in the
/// low half.
struct AliasTable {
    levels: u32,
    slots: Vec<Slot>,
}

/// An equal share of the probability, divided between two outcomes.
#[derive(Clone, Copy)]
struct Slot {
    /// How much of the share, in 2³² parts, is the first outcome's.
    first_part: u32,
    outcomes: [u8; 2],
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
        let mut slots: Vec<Slot> = (0..count)
            .map(|path| Slot { first_part: u32::MAX, outcomes: [outcome(path, levels); 2] })
            .collect();
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

    #[inline]
    fn choose(&self, bits: u32) -> u8 {
        let index_bits = 2 * self.levels;
        let slot = self.slots[(u64::from(bits) << index_bits >> 32) as usize];
        // An index and no branch, which would be guessed wrongly half of the time.
        slot.outcomes[usize::from(bits << index_bits >= slot.first_part)]
    }
}

/// The row and column bits of a path: its digits to the base 4 are quarters, the first level's
/// highest.
fn outcome(path: usize, levels: u32) -> u8 {
    let bit = |position: u32| (path >> position & 1) as u8;
    (0..levels).fold(0, |outcome, level| {
        outcome | bit(2 * level + 1) << (LEVELS_AT_ONCE + level) | bit(2 * level) << level
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each outcome as the table gives it.
    fn given(table: &AliasTable) -> Vec<f64> {
        let mut given = vec![0.0; 256];
        for slot in &table.slots {
            let first = f64::from(slot.first_part) / 2f64.powi(32);
            given[usize::from(slot.outcomes[0])] += first / table.slots.len() as f64;
            given[usize::from(slot.outcomes[1])] += (1.0 - first) / table.slots.len() as f64;
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
