//! Strongly connected components on a GPU: the operations are in [`ops`](super::ops).

use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{BACKWARD, FORWARD, multiplier, ops::*};
use crate::{
    NONE, Result, Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    gpu_graph::GpuGraph,
    run::{buffer_bytes, run_on},
    times::prepared,
};

/// Words per vertex, without the parts of frontiers: labels, degrees, searches, colors, the smallest vertices, five lists
/// of vertices, marks of both directions, and the iterations in which vertices joined a frontier.
const WORDS_PER_VERTEX: u64 = 13;

/// Finds the strongly connected components of a sound graph.
pub(in crate::components) fn components(graph: &GpuGraph) -> Result<Components> {
    let (gpu, vertices) = (&graph.gpu, u64::from(graph.vertices()));
    let lists = buffer_bytes(gpu, vertices, WORDS_PER_VERTEX);
    let parts = buffer_bytes(gpu, parts_words(vertices, graph.graph.edges()), 1);
    let bytes = graph.bytes_missing_entering(false)?.saturating_add(lists).saturating_add(parts);
    gpu.require(&format!("the strongly connected components of {vertices} vertices"), bytes)?;
    let engine_graph = graph.engine_graph()?;
    let (reversed, preparing) = prepared(gpu, || {
        graph.entering()?;
        Ok(engine_graph.reversed()?)
    })?;
    let run = run_on(
        gpu,
        || labels(engine_graph, &reversed),
        |(labels, steps)| Ok((gpu.download(&labels)?, steps)),
    )?;
    let (labels, steps) = run.result;
    let (upload, prepare) = (graph.upload_time(false), preparing.prepare);
    let compile = preparing.compile + run.times.compile;
    let times = Times { upload, prepare, compile, ..run.times };
    Ok(Components::new(labels, ComponentsStrategy::ForwardBackward, Trace { steps }, times))
}

/// The label of each vertex, and the steps.
fn labels(graph: &DeviceGraph, reversed: &DeviceGraph) -> Result<(Buffer<u32>, Vec<Step>)> {
    let mut run = StrongRun::new(graph, reversed)?;
    run.step("trim", |run| run.trim())?;
    if !run.open.is_empty() {
        run.step("forward-backward", |run| run.forward_backward())?;
    }
    if !run.open.is_empty() {
        run.step("coloring", |run| run.color())?;
    }
    run.take_smallest()?;
    Ok((run.labels, run.steps))
}

/// The state of the algorithm.
struct StrongRun<'g> {
    gpu: &'g Gpu,
    /// All vertices, with the edges that leave them, and with those that enter them.
    leaving: Frontier<'g>,
    entering: Frontier<'g>,
    /// For each vertex some vertex of its component, `NONE` while that is unknown.
    labels: Buffer<u32>,
    /// The vertices without a known component, with the edges that leave them.
    open: Frontier<'g>,
    /// For each open vertex a part of the graph that contains its whole component: the searches that have reached it,
    /// then its color of the last round.
    parts: Buffer<u32>,
    steps: Vec<Step>,
}

impl<'g> StrongRun<'g> {
    fn new(graph: &'g DeviceGraph, reversed: &'g DeviceGraph) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices() as usize);
        let (labels, parts) = (gpu.filled(vertices, NONE)?, gpu.empty(vertices)?);
        let (leaving, entering) = (Frontier::all(graph)?, Frontier::all(reversed)?);
        let open = leaving.clone();
        Ok(Self { gpu, leaving, entering, labels, open, parts, steps: Vec::new() })
    }

    fn array(&self, buffer: &Buffer<u32>) -> AtomicArrayLaunch<GpuRuntime> {
        AtomicArray::bind(self.gpu, buffer)
    }

    /// The vertices of `open` without a known component.
    fn still_open(&self) -> Result<Frontier<'g>> {
        let keep = || KeepOpenLaunch::new(self.array(&self.labels));
        // SAFETY: each vertex has a label.
        Ok(filter(&self.open, &unsafe { Operation::<KeepOpen>::unchecked(keep) })?)
    }

    /// Runs and records a step. `work` returns its number of rounds.
    fn step(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&mut Self) -> Result<u32>,
    ) -> Result<()> {
        let (frontier, edges) = (u64::from(self.open.len()), self.open.edges().into());
        let stopwatch = self.gpu.stopwatch();
        let sub_steps = work(self)?;
        self.open = self.still_open()?;
        let (found, time) = (frontier - u64::from(self.open.len()), stopwatch.elapsed());
        let step = Step::new(self.steps.len() as u32, name);
        self.steps.push(Step { frontier, edges, found, sub_steps, time, ..step });
        Ok(())
    }

    /// Repeatedly removes vertices without incoming edges, then vertices without outgoing edges. One round.
    fn trim(&self) -> Result<u32> {
        let degrees = self.gpu.empty(self.labels.len())?;
        for (ahead, behind) in [(&self.leaving, &self.entering), (&self.entering, &self.leaving)] {
            let rows = || behind.graph().rows();
            let first = || TakeFirstLaunch::new(rows(), self.array(&self.labels), degrees.arg());
            // SAFETY: each vertex has a label, a degree and offsets of its targets.
            let first = unsafe { Operation::<TakeFirst>::unchecked(first) };
            self.take_away(&filter(ahead, &first)?, &degrees)?;
        }
        Ok(1)
    }

    fn take_away(&self, first: &Frontier, degrees: &Buffer<u32>) -> Result<()> {
        let take = || TakeAwayLaunch::new(self.array(&self.labels), self.array(degrees));
        // SAFETY: each vertex has a label and a degree; edges lead to vertices, and a degree falls from 1 to 0 once.
        until_empty(first, Spread::Parts, &unsafe { Operation::<TakeAway>::unchecked(take) })?;
        Ok(())
    }

    /// Finds the component of the pivot. One round.
    fn forward_backward(&self) -> Result<u32> {
        let pivot = self.pivot()?;
        self.start_searches(pivot);
        for (all, bit) in [(&self.leaving, FORWARD), (&self.entering, BACKWARD)] {
            self.reach(&Frontier::from_vertices(all.graph(), &[pivot])?, bit)?;
        }
        self.close_reached(pivot);
        Ok(1)
    }

    fn start_searches(&self, pivot: u32) {
        let start = || StartLaunch::new(self.array(&self.labels), self.parts.arg(), pivot);
        // SAFETY: each vertex has a label and searches.
        for_each(&self.leaving, &unsafe { Operation::<Start>::unchecked(start) });
    }

    /// Closes the vertices that both searches have reached.
    fn close_reached(&self, pivot: u32) {
        let close = || CloseLaunch::new(self.array(&self.labels), self.parts.arg(), pivot);
        // SAFETY: each vertex has a label and searches.
        for_each(&self.open, &unsafe { Operation::<Close>::unchecked(close) });
    }

    /// The smallest of the open vertices with the largest product of in-degree and out-degree.
    fn pivot(&self) -> Result<u32> {
        let best = self.gpu.upload(&[0, NONE])?;
        for is_score_known in [0, 1] {
            let offsets = |all: &Frontier| all.graph().offsets().arg();
            let pick = || {
                let [leaving, entering] = [&self.leaving, &self.entering].map(offsets);
                PickLaunch::new(leaving, entering, self.array(&best), is_score_known)
            };
            // SAFETY: each vertex has offsets, and `best` has two words.
            for_each(&self.open, &unsafe { Operation::<Pick>::unchecked(pick) });
        }
        Ok(self.gpu.download(&best)?[1])
    }

    fn reach(&self, from: &Frontier, bit: u32) -> Result<()> {
        let reach = || ReachLaunch::new(self.array(&self.parts), bit);
        // SAFETY: each vertex has searches, edges lead to vertices, and a bit is set once.
        until_empty(from, Spread::Parts, &unsafe { Operation::<Reach>::unchecked(reach) })?;
        Ok(())
    }

    /// Finds all other components. Returns the number of rounds.
    fn color(&mut self) -> Result<u32> {
        let mut colors = self.gpu.empty(self.labels.len())?;
        let mut rounds = 0;
        while !self.open.is_empty() {
            let multiplier = multiplier(rounds);
            self.offer_colors(&colors, multiplier)?;
            self.claim(&self.roots(&colors, multiplier)?, &colors, multiplier)?;
            std::mem::swap(&mut colors, &mut self.parts);
            self.open = self.still_open()?;
            rounds += 1;
        }
        Ok(rounds)
    }

    fn offer_colors(&self, colors: &Buffer<u32>, multiplier: u32) -> Result<()> {
        let set = || SetColorLaunch::new(colors.arg(), multiplier);
        // SAFETY: each vertex has a color.
        for_each(&self.open, &unsafe { Operation::<SetColor>::unchecked(set) });
        let labels = || self.labels.arg();
        let offer = || OfferLaunch::new(labels(), self.parts.arg(), self.array(colors));
        // SAFETY: each vertex has a label, a part and a color, and edges lead to vertices.
        until_empty(&self.open, Spread::Parts, &unsafe { Operation::<Offer>::unchecked(offer) })?;
        Ok(())
    }

    /// Closes the vertices that have kept their first color. Returns them, with the edges that enter them.
    fn roots(&self, colors: &Buffer<u32>, multiplier: u32) -> Result<Frontier<'g>> {
        let find = || FindRootsLaunch::new(self.array(&self.labels), colors.arg(), multiplier);
        // SAFETY: each vertex has a label and a color.
        Ok(filter(&self.entering, &unsafe { Operation::<FindRoots>::unchecked(find) })?)
    }

    fn claim(&self, roots: &Frontier, colors: &Buffer<u32>, multiplier: u32) -> Result<()> {
        let claim = || ClaimLaunch::new(self.array(&self.labels), colors.arg(), multiplier);
        // SAFETY: each vertex has a label and a color, edges lead to vertices, and a label is set once.
        until_empty(roots, Spread::Parts, &unsafe { Operation::<Claim>::unchecked(claim) })?;
        Ok(())
    }

    /// Replaces labels by the smallest vertices with the same labels.
    fn take_smallest(&self) -> Result<()> {
        let smallest = self.gpu.filled(self.labels.len(), NONE)?;
        let lower = || LowerLaunch::new(self.labels.arg(), self.array(&smallest));
        // SAFETY: each vertex has a label, itself a vertex.
        for_each(&self.leaving, &unsafe { Operation::<Lower>::unchecked(lower) });
        let take = || TakeSmallestLaunch::new(self.labels.arg(), smallest.arg());
        // SAFETY: as above.
        for_each(&self.leaving, &unsafe { Operation::<TakeSmallest>::unchecked(take) });
        Ok(())
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};
    use equipoise_schedule::lower;

    use super::*;
    use crate::lower::assert_compiles;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (2, 3)])).unwrap();
        let graph = GpuGraph::new(&gpu, &graph);
        graph.entering().unwrap();
        let engine_graph = graph.engine_graph().unwrap();
        let reversed = engine_graph.reversed().unwrap();
        let run = StrongRun::new(engine_graph, &reversed).unwrap();
        let words = gpu.empty(4).unwrap();
        let all = run.leaving.clone();
        run.trim().unwrap();
        run.pivot().unwrap();
        run.start_searches(0);
        run.close_reached(0);
        run.roots(&words, 1).unwrap();
        run.still_open().unwrap();
        run.take_smallest().unwrap();
        // This backend only compiles; the loops never converge.
        let _ = run.take_away(&all, &words);
        let _ = run.reach(&all, FORWARD);
        let _ = run.offer_colors(&words, 1);
        let _ = run.claim(&all, &words, 1);
        let names = "TakeFirst TakeAway KeepOpen Pick Start Reach Close \
                     SetColor Offer FindRoots Claim Lower TakeSmallest";
        assert_compiles(&gpu, names);
    }
}
