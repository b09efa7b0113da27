//! Strongly connected components, in three steps after Slota, Rajamanickam and Madduri (2014). Each step reduces the
//! number of open vertices, whose component is unknown:
//!
//! 1. `trim`: a vertex without incoming edges is a component. It is removed with its edges, repeatedly; then the same for
//!    vertices without outgoing edges. One pass per direction suffices: removing a vertex without outgoing edges does
//!    not remove an incoming edge of a remaining vertex.
//! 2. `forward-backward`: a search from a vertex of high degree, and one against the edges. The vertices that both reach
//!    are its component, usually the giant one. Every other component lies in one of the four parts that the searches
//!    divide the graph into.
//! 3. `coloring`: each open vertex starts with a unique color, which propagates along edges within its part; a vertex
//!    takes the largest color that it is offered. A vertex that keeps its color reaches all vertices of this color; those
//!    that also reach it are its component. The colors are the parts of the next round. The order of colors changes from
//!    round to round, so that parts are divided evenly on average, and rounds are few.
//!
//! Labels are first any vertex of a component, then the smallest.

pub(super) mod cpu;
pub(super) mod gpu;
mod ops;

/// The searches that have reached a vertex, as bits.
const FORWARD: u32 = 1;
const BACKWARD: u32 = 2;
const BOTH: u32 = FORWARD | BACKWARD;
/// The bits of a vertex whose component is known, which no search visits.
const CLOSED: u32 = 4 | BOTH;

/// The factor between vertices and their first colors in a round: an odd number, so that colors are unique.
fn multiplier(round: u32) -> u32 {
    // Multiples of the golden ratio, and of its odd multiples, are evenly distributed.
    const GOLDEN: u32 = 0x9e37_79b9;
    GOLDEN.wrapping_mul(2 * (round % 1_000_000) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_unique_and_their_order_changes_with_the_round() {
        let colors = |round| (0..5000u32).map(move |vertex| vertex.wrapping_mul(multiplier(round)));
        let ascents = |round| colors(round).zip(colors(round).skip(1)).map(|(a, b)| a < b);
        for round in 0..5 {
            assert_eq!(colors(round).collect::<std::collections::HashSet<_>>().len(), 5000);
            assert!(ascents(round).ne(ascents(round + 1)));
        }
    }
}
