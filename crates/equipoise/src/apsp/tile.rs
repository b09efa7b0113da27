//! Min-plus arithmetic on square tiles, in the widest vectors of the processor.
//!
//! The loops are plain Rust over arrays of fixed length, which the compiler vectorises. Each is
//! compiled for AVX2 and AVX-512, too; the processor is queried at run time.

use super::length::Length;

/// The side of a tile: three of them, of 32-bit numbers, fit a first-level cache of 48 KiB.
pub(super) const SIDE: usize = 64;

/// The numbers in a tile.
pub(super) const AREA: usize = SIDE * SIDE;

/// The vector instructions to use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Vectors {
    /// Those of every processor of this architecture.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Declares a method that runs the function of its name, compiled for each kind of vectors.
macro_rules! vectorised {
    ($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*)) => {
        $(#[$doc])*
        pub fn $name<T: Length>(self, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2<T: Length>($($argument: $type),*) {
                $name($($argument),*);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512<T: Length>($($argument: $type),*) {
                $name($($argument),*);
            }

            match self {
                Vectors::Plain => $name($($argument),*),
                // SAFETY: only `available` makes this variant, where the processor has the feature.
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx2 => unsafe { avx2($($argument),*) },
                // SAFETY: only `available` makes this variant, where the processor has the feature.
                #[cfg(target_arch = "x86_64")]
                Vectors::Avx512 => unsafe { avx512($($argument),*) },
            }
        }
    };
}

impl Vectors {
    /// The widest of this processor.
    pub fn widest() -> Self {
        Self::available().last().copied().unwrap_or(Self::Plain)
    }

    /// All of this processor, widest last.
    fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut available = vec![Vectors::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                available.push(Vectors::Avx2);
            }
            if is_x86_feature_detected!("avx512f") {
                available.push(Vectors::Avx512);
            }
        }
        available
    }

    vectorised! {
        /// `c[i][j] = min(c[i][j], a[i][k] + b[k][j])` over all `k`.
        product(c: &mut [T], a: &[T], b: &[T])
    }

    vectorised! {
        /// Floyd and Warshall's algorithm on a diagonal tile.
        close(tile: &mut [T])
    }
}

/// Two rows of `c` and four of `b` at a time, so that each load serves several sums, with an inner loop
/// over lanes that compilers vectorise.
#[inline(always)]
fn product<T: Length>(c: &mut [T], a: &[T], b: &[T]) {
    let (c, a, b) = (&mut c[..AREA], &a[..AREA], &b[..AREA]);
    for (c, a) in c.chunks_exact_mut(2 * SIDE).zip(a.chunks_exact(2 * SIDE)) {
        let (upper, lower) = c.split_at_mut(SIDE);
        for (k, b) in (0..SIDE).step_by(4).zip(b.chunks_exact(4 * SIDE)) {
            let to_upper = [a[k], a[k + 1], a[k + 2], a[k + 3]];
            let to_lower = [a[SIDE + k], a[SIDE + k + 1], a[SIDE + k + 2], a[SIDE + k + 3]];
            for lane in 0..SIDE {
                let on = [b[lane], b[SIDE + lane], b[2 * SIDE + lane], b[3 * SIDE + lane]];
                upper[lane] = shortest(to_upper, on).smaller(upper[lane]);
                lower[lane] = shortest(to_lower, on).smaller(lower[lane]);
            }
        }
    }
}

#[inline(always)]
fn shortest<T: Length>(to: [T; 4], on: [T; 4]) -> T {
    let first = to[0].plus(on[0]).smaller(to[1].plus(on[1]));
    let second = to[2].plus(on[2]).smaller(to[3].plus(on[3]));
    first.smaller(second)
}

#[inline(always)]
fn close<T: Length>(tile: &mut [T]) {
    let tile = &mut tile[..AREA];
    for k in 0..SIDE {
        let mut through = [T::FAR; SIDE];
        through.copy_from_slice(&tile[k * SIDE..][..SIDE]);
        for row in tile.chunks_exact_mut(SIDE) {
            let first = row[k];
            for (best, &rest) in row.iter_mut().zip(&through) {
                *best = first.plus(rest).smaller(*best);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small lengths, with every fifth pair unconnected.
    fn tile<T: Length>(seed: usize, length: impl Fn(usize) -> T) -> Vec<T> {
        let hash = |index: usize| index * 7919 + seed * 31;
        let number = |index| match hash(index) % 5 {
            0 => T::FAR,
            _ => length(hash(index) % 1009),
        };
        (0..AREA).map(number).collect()
    }

    fn check<T: Length + std::fmt::Debug>(length: impl Fn(usize) -> T) {
        let [a, b, before] = [1, 2, 3].map(|seed| tile(seed, &length));
        let mut closed = tile(4, &length);
        (0..SIDE).for_each(|k| closed[k * SIDE + k] = T::default());
        let open = closed.clone();
        let mut expected = before.clone();
        for i in 0..SIDE {
            for j in 0..SIDE {
                for k in 0..SIDE {
                    let over = a[i * SIDE + k].plus(b[k * SIDE + j]);
                    expected[i * SIDE + j] = over.smaller(expected[i * SIDE + j]);
                }
            }
        }
        for k in 0..SIDE {
            for i in 0..SIDE {
                for j in 0..SIDE {
                    let over = closed[i * SIDE + k].plus(closed[k * SIDE + j]);
                    closed[i * SIDE + j] = over.smaller(closed[i * SIDE + j]);
                }
            }
        }
        for vectors in Vectors::available() {
            let mut c = before.clone();
            vectors.product(&mut c, &a, &b);
            assert!(c == expected, "product with {vectors:?}");
            let mut center = open.clone();
            vectors.close(&mut center);
            assert!(center == closed, "closing with {vectors:?}");
        }
    }

    #[test]
    fn all_vectors_give_what_plain_loops_give() {
        check(|length| length as u32);
        check(|length| length as u64 * 1_000_000_007);
        check(|length| length as f32 * 0.1);
    }
}
