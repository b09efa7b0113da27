//! The edge that a pull examines first.
//!
//! Among the edges that enter a vertex, the one from the vertex of highest degree most likely comes from the frontier. Then
//! the pull does not read the row, which would be a cache miss per vertex.

use equipoise_graph::memory::{self, bytes_of};
use rayon::prelude::*;

use crate::{Comm, DistGraph, Error, Exchange, Result, agree};

/// Rows that a thread takes at once.
const ROWS_AT_ONCE: usize = 1 << 10;

/// The local vertex of highest degree with an edge to each owned vertex; 0 without edges.
///
/// Fails on all ranks if memory is short on one.
pub(super) fn hubs(comm: &dyn Comm, entering: &DistGraph) -> Result<Vec<u32>> {
    let (owned, vertices) = (entering.owned(), entering.local.vertices());
    let bytes = bytes_of::<[u32; 3]>(vertices.into());
    let check = memory::check(format_args!("the hubs beside {owned} vertices"), bytes);
    agree(comm, check.map_err(Error::from))?;
    let degree = |vertex: u32| entering.local.degree(vertex).min(u32::MAX as usize) as u32;
    let mut degrees: Vec<u32> = (0..vertices).map(degree).collect();
    let all: Vec<u32> = (0..owned).collect();
    let receive = |mirror: u32, degree| degrees[mirror as usize] = degree;
    Exchange::new(comm, entering).broadcast(&all, degree, receive);
    let hub = |vertex: u32| {
        let sources = entering.local.neighbors(vertex).iter();
        sources.copied().max_by_key(|&source| degrees[source as usize]).unwrap_or(0)
    };
    Ok((0..owned).into_par_iter().with_min_len(ROWS_AT_ONCE).map(hub).collect())
}
