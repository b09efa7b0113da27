//! The verifier of colorings.

use equipoise_graph::memory;

use super::{Coloring, order::NONE};
use crate::{Comm, DistGraph, Error, Exchange, Reduction, Result, agree};

impl Coloring {
    /// Checks the coloring against its graph; all ranks call it.
    ///
    /// 1. Each vertex has a color, one of `0..count`, and all ranks have the same `count`.
    /// 2. Each of these colors is used, on some rank.
    /// 3. No edge except self-loops joins two vertices of one color.
    ///
    /// Owners send colors to mirrors once; the owner of an edge's source checks the edge. Takes time linear in the edges.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, ColorOptions, DistGraph, EdgeSlice, color};
    ///
    /// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::new(3) };
    /// let path = DistGraph::build(&Alone, slice)?;
    /// let mut coloring = color(&Alone, &path, &ColorOptions::default())?;
    /// coloring.verify(&Alone, &path)?;
    /// coloring.colors[1] = coloring.colors[0];
    /// assert!(coloring.verify(&Alone, &path).is_err());
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn verify(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        agree(comm, self.check_range(graph))?;
        let mut largest = [u64::from(self.count)];
        comm.all_reduce(&mut largest, Reduction::Max);
        agree(
            comm,
            if largest == [u64::from(self.count)] {
                Ok(())
            } else {
                wrong(format!("{} colors; another rank has {}", self.count, largest[0]))
            },
        )?;
        self.check_used(comm)?;
        agree(comm, self.check_edges(comm, graph))
    }

    fn check_range(&self, graph: &DistGraph) -> Result<()> {
        let (owned, vertices) = (graph.owned(), graph.partition.vertices());
        if self.colors.len() as u64 != u64::from(owned) {
            return wrong(format!("{} colors for {owned} vertices", self.colors.len()));
        }
        if u64::from(self.count) > vertices {
            return wrong(format!("{} colors for {vertices} vertices", self.count));
        }
        match (0..).zip(&self.colors).find(|&(_, &color)| color >= self.count) {
            None => Ok(()),
            Some((vertex, &NONE)) => wrong(format!("vertex {} has no color", graph.global(vertex))),
            Some((vertex, color)) => {
                let id = graph.global(vertex);
                wrong(format!("vertex {id} has color {color}, of {}", self.count))
            }
        }
    }

    fn check_used(&self, comm: &dyn Comm) -> Result<()> {
        let bytes = memory::bytes_of::<u64>(self.count.into());
        agree(comm, memory::check("which colors are used", bytes).map_err(Into::into))?;
        let mut used = vec![0u64; self.count as usize];
        self.colors.iter().for_each(|&color| used[color as usize] = 1);
        comm.all_reduce(&mut used, Reduction::Max);
        match used.iter().position(|&used| used == 0) {
            None => Ok(()),
            Some(color) => wrong(format!("no vertex has color {color}, of {}", self.count)),
        }
    }

    fn check_edges(&self, comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
        let mut colors = self.colors.clone();
        colors.resize(graph.local.vertices() as usize, NONE);
        let all: Vec<u32> = (0..graph.owned()).collect();
        Exchange::new(comm, graph).broadcast(
            &all,
            |vertex| self.colors[vertex as usize],
            |mirror, color| colors[mirror as usize] = color,
        );
        for vertex in 0..graph.owned() {
            let color = colors[vertex as usize];
            let same = |&&other: &&u32| other != vertex && colors[other as usize] == color;
            if let Some(&other) = graph.local.neighbors(vertex).iter().find(same) {
                let ends = [vertex, other].map(|end| graph.global(end));
                return wrong(format!(
                    "vertices {} and {} share an edge and color {color}",
                    ends[0], ends[1]
                ));
            }
        }
        Ok(())
    }
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
