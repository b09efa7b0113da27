//! Strongly connected components: vertices that can be reached from each other.
//!
//! In three steps, which leave fewer and fewer vertices whose component is not known (Slota, Rajamanickam and Madduri
//! 2014):
//!
//! 1. `trim`: a vertex that no edge enters is a component of its own. It is taken away with its edges, and so on until
//!    there is none; then the same the other way around. Once each is enough: who has only taken-away vertices
//!    behind it has no edge to one that is left.
//! 2. `forward-backward`: what can be reached from a vertex of many edges, and what reaches it. What is in both is its
//!    component, mostly the giant one. No other component lies in two of the four parts that this makes.
//! 3. `coloring`: each vertex offers a color of its own along the edges within its part, and takes the greatest that it
//!    is offered. The vertex whose color was taken reaches all that took it; those of them that reach it are its
//!    component. The others are left, and colors are the parts of the next round. Colors are ordered anew in each
//!    round, so that a part falls into several of about the same size on average, and rounds are few.
//!
//! Labels are first any vertex of a component, then the smallest.

pub(super) mod cpu;
pub(super) mod gpu;
mod ops;
mod tarjan;

pub(super) use tarjan::check;

/// The searches that have reached a vertex, as bits.
const FORWARD: u32 = 1;
const BACKWARD: u32 = 2;
const BOTH: u32 = FORWARD | BACKWARD;
/// In place of searches: the component of the vertex is known, and no search goes there.
const CLOSED: u32 = 4 | BOTH;

/// What vertices are multiplied by to get their colors in a round: an odd number, so that no two vertices have the same.
fn multiplier(round: u32) -> u32 {
    // Multiples of the golden ratio are spread evenly, and so are those of its odd multiples.
    const GOLDEN: u32 = 0x9e37_79b9;
    GOLDEN.wrapping_mul(2 * (round % 1_000_000) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_a_round_are_all_different_and_rounds_order_them_differently() {
        for round in 0..5 {
            let of = |vertex: u32| vertex.wrapping_mul(multiplier(round));
            let mut colors: Vec<u32> = (0..5000).map(of).collect();
            let next: Vec<u32> =
                (0..5000u32).map(|vertex| vertex.wrapping_mul(multiplier(round + 1))).collect();
            assert!(
                colors.windows(2).zip(next.windows(2)).any(|(a, b)| (a[0] < a[1]) != (b[0] < b[1]))
            );
            colors.sort_unstable();
            assert!(colors.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
