//! The check that a device can hold a graph.

use crate::{Error, Graph, MAX_ON_DEVICE, Result};

impl Graph {
    /// Checks that devices can hold the graph: they number vertices plus edges by 32 bits, minus a
    /// margin for the strides of loops.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// assert!(graph.check_fits_device().is_ok());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn check_fits_device(&self) -> Result<()> {
        fits_device(self.vertices().into(), self.edges())
    }
}

fn fits_device(vertices: u64, edges: u64) -> Result<()> {
    if vertices.saturating_add(edges) < MAX_ON_DEVICE {
        Ok(())
    } else {
        Err(Error::TooManyForDevice { vertices, edges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_and_edges_fit_a_device_together() {
        assert!(fits_device(1 << 20, MAX_ON_DEVICE - (1 << 20) - 1).is_ok());
        let error = fits_device(1 << 20, MAX_ON_DEVICE - (1 << 20)).unwrap_err().to_string();
        assert_eq!(
            error,
            "1048576 vertices and 4277141503 edges are too many for a device: together they must be \
             fewer than 4278190079"
        );
        assert!(fits_device(u64::MAX, u64::MAX).is_err());
    }
}
