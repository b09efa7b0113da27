//! The strategies of the papers: how one iteration of a search is done, where the host chooses.
//!
//! Each is a file here, or beside the one algorithm that it is for. To add one: the file, its name in
//! [`Strategy`], and a line in [`all`].

pub(crate) mod decompose;
mod edge;
mod hierarchy;
mod node;
mod scan;
mod scheduled;
mod split;
pub(crate) mod whole;

use equipoise_graph::Graph;
use equipoise_schedule::device::Buffer;

use super::{graph::OnGraph, iteration::Search};
use crate::{
    Result,
    traversal::{Strategy, TraversalSettings},
};

/// A strategy, or several that share what they need.
pub(crate) trait Iterate<'g, Op: OnGraph> {
    /// The names of what it does.
    fn names(&self) -> &'static [Strategy];

    /// The words of memory that it takes beside the graph, labels and two lists of vertices.
    fn words(&self, _name: Strategy, _graph: &Sizes) -> u64 {
        0
    }

    /// Makes what it needs beside labels and lists, unless it is there.
    fn prepare(&mut self, _name: Strategy, _search: &Search<'g, Op>) -> Result<()> {
        Ok(())
    }

    /// Launches what an iteration takes. The number of its steps.
    fn launch(&mut self, name: Strategy, search: &mut Search<'g, Op>) -> Result<u32>;

    /// Makes its own list of the frontier, if it has one that the next iteration can go on from.
    fn make_list(&mut self, _search: &mut Search<'g, Op>) -> Result<()> {
        Ok(())
    }

    /// What an iteration changes beside labels and lists, and another one like it needs.
    fn state(&self) -> Option<&Buffer<u32>> {
        None
    }

    /// Its own list of the frontier, if it has one, for [`Listed::Own`](super::Listed::Own).
    fn list(&self) -> Option<&Buffer<u32>> {
        None
    }

    /// Forgets what an iteration that failed halfway may have left.
    fn forget(&mut self) {}
}

/// A strategy of whichever kind.
pub(crate) type Implementation<'g, Op> = Box<dyn Iterate<'g, Op> + 'g>;

/// What decides how much memory a strategy takes.
pub(crate) struct Sizes<'a> {
    pub graph: &'a Graph,
    pub vertices: u64,
    pub edges: u64,
    /// The words of the graph by the vertices that edges enter, where they are not those they leave.
    pub entering: u64,
    pub settings: &'a TraversalSettings,
}

impl Sizes<'_> {
    /// An array of degrees and the sums of them that scans make.
    pub fn sums(&self) -> u64 {
        2 * self.vertices + self.vertices / 1024 + 2
    }
}

/// All strategies for an operation.
pub(crate) fn all<'g, Op: OnGraph>() -> Vec<Implementation<'g, Op>> {
    // What an algorithm has of its own comes before what all have by the same name.
    let mut all = Op::own_strategies();
    let of_all: [Implementation<Op>; 8] = [
        Box::new(node::Node),
        Box::new(whole::WholeGraph),
        Box::new(edge::EdgeList::default()),
        Box::new(decompose::Decompose::default()),
        Box::new(split::Split::default()),
        Box::new(hierarchy::Hierarchy),
        Box::new(scan::Scan::default()),
        Box::new(scheduled::Scheduled),
    ];
    all.extend(of_all);
    all
}
