//! The names that most programs need.
//!
//! ```
//! use equipoise::prelude::*;
//!
//! let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
//! let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
//! assert_eq!(loaded.bfs(0, &BfsOptions::default())?.depth(), 2);
//! # Ok::<(), Error>(())
//! ```

pub use crate::{
    Error, LoadedGraph, LoadedMatrix, LoadedVector,
    apsp::ApspOptions,
    betweenness::BetweennessOptions,
    bfs::BfsOptions,
    color::ColorOptions,
    communities::CommunitiesOptions,
    components::ComponentsOptions,
    device::Device,
    graph::{Edges, Graph, GraphBuilder, Matrix},
    mis::MisOptions,
    mst::MstOptions,
    pagerank::PageRankOptions,
    paths::PathsOptions,
    sparse::SparseOptions,
    sssp::SsspOptions,
    triangles::TrianglesOptions,
};
