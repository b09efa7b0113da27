//! How the numbers of neighbours are spread over the vertices.

use equipoise_graph::Csr;
use rayon::prelude::*;

/// How many neighbours the vertices of a graph have.
///
/// ```
/// let degrees = equipoise::color::ColorDegrees { max: 4, mean: 1.5, deviation: 1.2 };
/// assert!(degrees.deviation < degrees.mean);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColorDegrees {
    /// The most that a vertex has.
    pub max: u32,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

impl ColorDegrees {
    pub(crate) fn of(neighbors: &Csr) -> Self {
        let vertices = neighbors.rows();
        // Whole numbers, so that the sums do not depend on the threads.
        let (max, squares) = (0..vertices)
            .into_par_iter()
            .map(|vertex| neighbors.row_len(vertex))
            .map(|degree| (degree, (degree as u128).pow(2)))
            .reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
        let count = f64::from(vertices.max(1));
        let mean = neighbors.entries() as f64 / count;
        let deviation = (squares as f64 / count - mean * mean).max(0.0).sqrt();
        Self { max: max as u32, mean, deviation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_has_one_vertex_with_many() {
        let star = Csr::new(4, vec![0, 3, 4, 5, 6], vec![1, 2, 3, 0, 0, 0]).unwrap();
        let degrees = ColorDegrees::of(&star);
        assert_eq!((degrees.max, degrees.mean), (3, 1.5));
        assert!((degrees.deviation - 0.75f64.sqrt()).abs() < 1e-12);
        let nobody = ColorDegrees::of(&Csr::new(0, vec![0], vec![]).unwrap());
        assert_eq!(nobody, ColorDegrees::default());
    }
}
