//! Sums over the entries of a row, independent of the number of ranks.

use std::ops::Range;

use crate::DistGraph;

/// The order of local columns by global ids: a row has owned vertices first and then mirrors, some of which have smaller
/// global ids.
#[derive(Clone, Copy)]
pub(crate) struct RowOrder {
    /// The first mirror.
    owned: u32,
    /// The first mirror with a global id after the owned vertices.
    behind: u32,
}

impl RowOrder {
    pub fn of(graph: &DistGraph) -> Self {
        let start = graph.partition.range(graph.rank()).start;
        let before = graph.mirrors.partition_point(|&mirror| mirror < start);
        Self { owned: graph.owned(), behind: graph.owned() + before as u32 }
    }

    /// The sum of `term` over the entries of `row`, in the order of global ids: four independent sums.
    #[inline]
    pub fn sum(self, row: &[u32], term: impl Fn(usize) -> f64) -> f64 {
        let mut sums = [0.0; 4];
        for piece in self.pieces(row) {
            for entry in piece {
                sums = [sums[1], sums[2], sums[3], sums[0] + term(entry)];
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// The indices of a row in the order of global ids.
    fn pieces(self, row: &[u32]) -> [Range<usize>; 3] {
        let owned = row.partition_point(|&column| column < self.owned);
        let behind = owned + row[owned..].partition_point(|&column| column < self.behind);
        [owned..behind, 0..owned, behind..row.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_added_in_the_order_of_global_ids() {
        let order = RowOrder { owned: 4, behind: 6 };
        let indices = |row: &[u32]| order.pieces(row).into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(indices(&[0, 3, 4, 5, 6]), [2, 3, 0, 1, 4]);
        assert_eq!(indices(&[1, 1]), [0, 1]);
        assert_eq!(indices(&[]), [0; 0]);
        // One large number first or last rounds differently.
        let terms = [1.0, 1.0, f64::MAX, -f64::MAX, 3.0];
        let sum = order.sum(&[0, 3, 4, 5, 6], |entry| terms[entry]);
        let in_order = [terms[2] + 3.0, terms[3], 1.0, 1.0];
        assert_eq!(sum, (in_order[1] + in_order[2]) + (in_order[3] + in_order[0]));
    }
}
