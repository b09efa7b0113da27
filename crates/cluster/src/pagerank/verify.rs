//! The verifier of ranks.

use super::{PageRank, PageRankOptions};
use crate::{Comm, DistGraph, Error, Exchange, Result, agree};

/// Half the distance from 1 to the next `f64`: the relative error of a rounding.
const ROUNDING: f64 = f64::EPSILON / 2.0;
/// Roundings of a rank in addition to those of sums over edges: both products, the quotient, two factors and the last sum.
const OTHER_ROUNDINGS: f64 = 8.0;

impl PageRank {
    /// Checks the ranks against their graph by one more iteration, along the edges that leave vertices; owners add up the flow
    /// into mirrors.
    ///
    /// With `d` the damping, `change` that of the last iteration, `u` half the epsilon of `f64`, `n` the
    /// number of vertices, and all sums over the vertices of all ranks:
    ///
    /// 1. Each vertex has a rank, which is neither negative nor NaN. All ranks agree on the iterations.
    /// 2. One more iteration changes the ranks by no more than `d·change + r`, with `r = 2u·(n + Σ (k + 8)·rank)` for the
    ///    `k` edges that enter or leave a vertex. An exact iteration brings any two ranks closer by `d`; whatever the order
    ///    of summation, a sum of `k` numbers is off by at most `k` roundings, those over all vertices by at most `n`; and
    ///    both the ranks and this iteration are rounded.
    /// 3. The ranks add up to one within `r / (1 − d)`, because each iteration multiplies earlier rounding errors by `d`.
    /// 4. The ranks have converged, unless the options set a number of iterations.
    ///
    /// So the sum of all differences from the exact ranks is at most `(d·change + r) / (1 − d)`. Takes time linear in vertices
    /// and edges, and 16 bytes per vertex and mirror.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, PageRankOptions, pagerank};
    ///
    /// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![2, 2], ..EdgeSlice::new(3) };
    /// let star = DistGraph::build(&Alone, slice)?;
    /// let options = PageRankOptions::default();
    /// let mut found = pagerank(&Alone, &star, &options)?;
    /// found.verify(&Alone, &star, &options)?;
    /// found.ranks.swap(0, 2);
    /// assert!(found.verify(&Alone, &star, &options).is_err());
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn verify(
        &self,
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &PageRankOptions,
    ) -> Result<()> {
        agree(comm, options.check().and_then(|()| self.check_numbers(graph)))?;
        self.check_alike(comm)?;
        if graph.partition.vertices() == 0 {
            return Ok(());
        }
        let flow = self.flow(comm, graph, options);
        let vertices = graph.partition.vertices() as f64;
        let allowed = 2.0 * ROUNDING * (vertices + flow.roundings);
        let lost = (1.0 / (1.0 - options.damping)).min(f64::from(self.iterations) + 1.0);
        if (flow.sum - 1.0).abs() > allowed * lost {
            return wrong(format!("the ranks add up to {}, not to 1", flow.sum));
        }
        let residual = self.residual(comm, options, &flow, vertices);
        let most = options.damping * self.change * (1.0 + 1e-3) + allowed;
        if residual > most {
            return wrong(format!(
                "one more iteration changes the ranks by {residual}, not by {most} at most"
            ));
        }
        if self.converged != (self.change <= options.tolerance) {
            return wrong(format!("a change of {} is said to be what it is not", self.change));
        }
        if !self.converged && !options.counts_iterations() {
            return wrong(format!("the last iteration changed the ranks by {}", self.change));
        }
        Ok(())
    }

    fn check_numbers(&self, graph: &DistGraph) -> Result<()> {
        let (ranks, owned) = (&self.ranks, graph.owned());
        if ranks.len() as u64 != u64::from(owned) {
            return wrong(format!("{} ranks for {owned} vertices", ranks.len()));
        }
        match ranks.iter().position(|rank| !(0.0..f64::INFINITY).contains(rank)) {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} has the rank {}",
                graph.global(vertex as u32),
                ranks[vertex]
            )),
        }
    }

    fn check_alike(&self, comm: &dyn Comm) -> Result<()> {
        let mine = [self.iterations.into(), self.change.to_bits(), self.converged.into()];
        let all = comm.all_gather(bytemuck::cast_slice::<u64, u8>(&mine));
        if all.iter().all(|other| other == &all[0]) {
            Ok(())
        } else {
            wrong("ranks differ in the iterations, their change or its meaning".into())
        }
    }

    /// The flow into each vertex, along the edges that leave others.
    fn flow(&self, comm: &dyn Comm, graph: &DistGraph, options: &PageRankOptions) -> Flow {
        let csr = graph.local.csr();
        let weights = options.weights(graph);
        // The flow, and how many edges it comes over.
        let mut into = vec![[0.0f64; 2]; graph.local.vertices() as usize];
        let mut dangling = 0.0;
        for (vertex, &rank) in (0..).zip(&self.ranks) {
            let edges = csr.range(vertex);
            let weight = |edge: usize| weights.map_or(1.0, |weights| weights.get(edge));
            let all: f64 = edges.clone().map(weight).sum();
            if all == 0.0 {
                dangling += rank;
            }
            for (edge, &target) in edges.clone().zip(csr.row(vertex)) {
                let share = if all == 0.0 { 0.0 } else { weight(edge) / all };
                let [flow, count] = &mut into[target as usize];
                *flow += rank * share;
                *count += 1.0;
            }
        }
        let (owned, mirrors) = into.split_at_mut(graph.owned() as usize);
        let touched: Vec<u32> = (graph.owned()..graph.local.vertices()).collect();
        Exchange::new(comm, graph).reduce(
            &touched,
            |mirror| mirrors[(mirror - graph.owned()) as usize],
            |vertex, [flow, count]: [f64; 2]| {
                owned[vertex as usize][0] += flow;
                owned[vertex as usize][1] += count;
            },
        );
        let entering = owned.iter().map(|[_, count]| *count);
        let roundings = entering.zip(0..).zip(&self.ranks).map(|((entering, vertex), rank)| {
            (entering + graph.local.degree(vertex) as f64 + OTHER_ROUNDINGS) * rank
        });
        let mut sums = [dangling, roundings.sum(), self.ranks.iter().sum()];
        comm.all_sum(&mut sums);
        let [dangling, roundings, sum] = sums;
        into.truncate(graph.owned() as usize);
        let into = into.into_iter().map(|[flow, _]| flow).collect();
        Flow { into, dangling, roundings, sum }
    }

    /// The change of ranks by one more iteration.
    fn residual(
        &self,
        comm: &dyn Comm,
        options: &PageRankOptions,
        flow: &Flow,
        vertices: f64,
    ) -> f64 {
        let anew = (1.0 - options.damping + options.damping * flow.dangling) / vertices;
        let changes = flow.into.iter().zip(&self.ranks);
        let changes = changes.map(|(flow, rank)| (anew + options.damping * flow - rank).abs());
        let mut residual = [changes.sum()];
        comm.all_sum(&mut residual);
        residual[0]
    }
}

/// The flow along edges in an iteration.
struct Flow {
    /// Into each owned vertex.
    into: Vec<f64>,
    /// The rank of all dangling vertices.
    dangling: f64,
    /// The number of roundings of the ranks, weighted by rank.
    roundings: f64,
    /// The sum of all ranks.
    sum: f64,
}

fn wrong<T>(what: String) -> Result<T> {
    Err(Error::Wrong(what))
}
