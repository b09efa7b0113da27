//! The edge that a pull looks at first.
//!
//! Of those that enter a vertex, the one from the vertex with the highest degree most likely comes from the frontier. Where
//! it does, the row need not be looked at, which is a miss of all caches for each vertex.

use equipoise_graph::memory::{self, bytes_of};
use rayon::prelude::*;

use crate::{Comm, DistGraph, Error, Exchange, Result, agree};

/// Rows that a thread takes at once.
const ROWS_AT_ONCE: usize = 1 << 10;

/// Of each owned vertex, the local vertex with the highest degree that has an edge to it; 0 where none has.
///
/// Fails on all ranks where memory is short on one.
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
