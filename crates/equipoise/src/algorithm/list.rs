//! The list of all algorithms on graphs.

use super::Algorithm;
use crate::{
    apsp::Apsp, betweenness::Betweenness, bfs::Bfs, cdlp::Cdlp, color::Coloring,
    communities::Communities, components::Components, kcore::KCore, lcc::Lcc, mis::Mis,
    mst::SpanningForest, pagerank::PageRank, paths::Paths, sssp::Sssp, triangles::Triangles,
};

/// A generic function of every algorithm of the list.
pub trait Visitor {
    /// Visits an algorithm.
    fn visit<A: Algorithm>(&mut self);
}

/// Visits every algorithm, in the order of the program's help.
pub fn each(visitor: &mut impl Visitor) {
    visitor.visit::<Bfs>();
    visitor.visit::<Sssp>();
    visitor.visit::<Coloring>();
    visitor.visit::<Components>();
    visitor.visit::<PageRank>();
    visitor.visit::<Mis>();
    visitor.visit::<Triangles>();
    visitor.visit::<Lcc>();
    visitor.visit::<Betweenness>();
    visitor.visit::<KCore>();
    visitor.visit::<SpanningForest>();
    visitor.visit::<Communities>();
    visitor.visit::<Cdlp>();
    visitor.visit::<Paths>();
    visitor.visit::<Apsp>();
}
