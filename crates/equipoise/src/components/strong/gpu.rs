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
    gpu_graph::{GpuGraph, GraphOnGpu},
    times::{empty_wait, finished, less_wait, prepared, timed_on},
};

/// Words for each vertex beside the parts of frontiers: labels, counts, searches, colors, the smallest vertices, five
/// lists of vertices, marks of the two graphs, and who joined a frontier.
const WORDS_A_VERTEX: u64 = 13;

/// Finds the strongly connected components of a sound graph.
pub(in crate::components) fn components(there: &GraphOnGpu) -> Result<Components> {
    let (vertices, edges) = (u64::from(there.graph.vertices()), there.graph.edges());
    let each = there.gpu.held_by(4 * vertices.max(1)).saturating_mul(WORDS_A_VERTEX);
    let parts = there.gpu.held_by(4 * parts_words(vertices, edges).max(1));
    let beside = each.saturating_add(parts);
    let what = format!("the strongly connected components of {vertices} vertices");
    there.gpu.require(&what, there.bytes_missing_entering(false)?.saturating_add(beside))?;
    run(there.get()?)
}

fn run(graph: &GpuGraph) -> Result<Components> {
    let gpu = &graph.gpu;
    let (reversed, preparing) = prepared(gpu, || {
        graph.entering()?;
        Ok(graph.there.reversed()?)
    })?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let ((labels, steps), time) = finished(gpu, || found(graph, &reversed))?;
    let compile = preparing.compile + stopwatch.compiled();
    let (labels, download) = timed_on(gpu, || gpu.download(&labels));
    let upload = graph.upload_time(false);
    let times = Times { upload, compile, download, ..preparing };
    let times = less_wait(times, time, wait);
    Ok(Components::of(labels?, ComponentsStrategy::ForwardBackward, Trace { steps }, times))
}

/// The label of each vertex, and what was done.
fn found(graph: &GpuGraph, reversed: &DeviceGraph) -> Result<(Buffer<u32>, Vec<Step>)> {
    let mut search = Search::new(graph, reversed)?;
    search.step("trim", |search| search.trim())?;
    if !search.open.is_empty() {
        search.step("forward-backward", |search| search.forward_backward())?;
    }
    if !search.open.is_empty() {
        search.step("coloring", |search| search.color())?;
    }
    search.take_smallest()?;
    Ok((search.labels, search.steps))
}

/// A search for components.
struct Search<'g> {
    gpu: &'g Gpu,
    /// All vertices, with the edges that leave them, and with those that enter them.
    leaving: Frontier<'g>,
    entering: Frontier<'g>,
    /// For each vertex some vertex of its component, `NONE` while that is not known.
    labels: Buffer<u32>,
    /// The vertices whose component is not known, with the edges that leave them.
    open: Frontier<'g>,
    /// The part of the graph that each open vertex is in with all of its component: the searches that have reached it,
    /// then its color of the last round.
    parts: Buffer<u32>,
    steps: Vec<Step>,
}

impl<'g> Search<'g> {
    fn new(graph: &'g GpuGraph, reversed: &'g DeviceGraph) -> Result<Self> {
        let (gpu, vertices) = (&graph.gpu, graph.vertices() as usize);
        let (labels, parts) = (gpu.filled(vertices, NONE)?, gpu.empty(vertices)?);
        let (leaving, entering) = (Frontier::all(&graph.there)?, Frontier::all(reversed)?);
        let open = leaving.clone();
        Ok(Self { gpu, leaving, entering, labels, open, parts, steps: Vec::new() })
    }

    fn array(&self, buffer: &Buffer<u32>) -> AtomicArrayLaunch<GpuRuntime> {
        AtomicArray::of(self.gpu, buffer)
    }

    /// Those of the open vertices whose component is not known yet.
    fn still_open(&self) -> Result<Frontier<'g>> {
        let keep = || KeepOpenLaunch::new(self.array(&self.labels));
        // SAFETY: there is a label for each vertex.
        Ok(filter(&self.open, &unsafe { Operation::<KeepOpen>::unchecked(keep) })?)
    }

    /// Does a step: `work` says in how many rounds. It ends with what is open then.
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

    /// Takes away what has no edges behind it, again and again, and then what has none ahead. One round.
    fn trim(&self) -> Result<u32> {
        let counts = self.gpu.empty(self.labels.len())?;
        for (ahead, behind) in [(&self.leaving, &self.entering), (&self.entering, &self.leaving)] {
            let rows = || behind.graph().rows();
            let first = || TakeFirstLaunch::new(rows(), self.array(&self.labels), counts.arg());
            // SAFETY: there are a label, a count and offsets for each vertex, and targets between these.
            let first = unsafe { Operation::<TakeFirst>::unchecked(first) };
            self.take_away(&filter(ahead, &first)?, &counts)?;
        }
        Ok(1)
    }

    fn take_away(&self, first: &Frontier, counts: &Buffer<u32>) -> Result<()> {
        let take = || TakeAwayLaunch::new(self.array(&self.labels), self.array(counts));
        // SAFETY: there are a label and a count for each vertex, which edges lead to, and counts go from 1 to 0 once.
        until_empty_in_parts(first, &unsafe { Operation::<TakeAway>::unchecked(take) })?;
        Ok(())
    }

    /// Finds the component of the open vertex that has the most ways through it. One round.
    fn forward_backward(&self) -> Result<u32> {
        let pivot = self.pivot()?;
        self.start_searches(pivot);
        for (all, bit) in [(&self.leaving, FORWARD), (&self.entering, BACKWARD)] {
            self.reach(&Frontier::of(all.graph(), &[pivot])?, bit)?;
        }
        self.close_reached(pivot);
        Ok(1)
    }

    fn start_searches(&self, pivot: u32) {
        let start = || StartLaunch::new(self.array(&self.labels), self.parts.arg(), pivot);
        // SAFETY: there are a label and searches for each vertex.
        for_each(&self.leaving, &unsafe { Operation::<Start>::unchecked(start) });
    }

    /// Closes what both searches have reached.
    fn close_reached(&self, pivot: u32) {
        let close = || CloseLaunch::new(self.array(&self.labels), self.parts.arg(), pivot);
        // SAFETY: there are a label and searches for each vertex.
        for_each(&self.open, &unsafe { Operation::<Close>::unchecked(close) });
    }

    /// The open vertex that has the most ways through it, the smallest of several.
    fn pivot(&self) -> Result<u32> {
        let best = self.gpu.upload(&[0, NONE])?;
        for is_score_known in [0, 1] {
            let offsets = |all: &Frontier| all.graph().offsets().arg();
            let pick = || {
                let [leaving, entering] = [&self.leaving, &self.entering].map(offsets);
                PickLaunch::new(leaving, entering, self.array(&best), is_score_known)
            };
            // SAFETY: there are offsets for each vertex, and two words for the best.
            for_each(&self.open, &unsafe { Operation::<Pick>::unchecked(pick) });
        }
        Ok(self.gpu.download(&best)?[1])
    }

    fn reach(&self, from: &Frontier, bit: u32) -> Result<()> {
        let reach = || ReachLaunch::new(self.array(&self.parts), bit);
        // SAFETY: there are searches for each vertex, which edges lead to, and a bit is set once.
        until_empty_in_parts(from, &unsafe { Operation::<Reach>::unchecked(reach) })?;
        Ok(())
    }

    /// Finds all other components. The number of rounds.
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
        // SAFETY: there is a color for each vertex.
        for_each(&self.open, &unsafe { Operation::<SetColor>::unchecked(set) });
        let labels = || self.labels.arg();
        let offer = || OfferLaunch::new(labels(), self.parts.arg(), self.array(colors));
        // SAFETY: there are a label, a part and a color for each vertex, which edges lead to.
        until_empty_in_parts(&self.open, &unsafe { Operation::<Offer>::unchecked(offer) })?;
        Ok(())
    }

    /// The vertices that have kept their own color, which are closed, with the edges that enter them.
    fn roots(&self, colors: &Buffer<u32>, multiplier: u32) -> Result<Frontier<'g>> {
        let find = || FindRootsLaunch::new(self.array(&self.labels), colors.arg(), multiplier);
        // SAFETY: there are a label and a color for each vertex.
        Ok(filter(&self.entering, &unsafe { Operation::<FindRoots>::unchecked(find) })?)
    }

    fn claim(&self, roots: &Frontier, colors: &Buffer<u32>, multiplier: u32) -> Result<()> {
        let claim = || ClaimLaunch::new(self.array(&self.labels), colors.arg(), multiplier);
        // SAFETY: there are a label and a color for each vertex, which edges lead to, and a label is given once.
        until_empty_in_parts(roots, &unsafe { Operation::<Claim>::unchecked(claim) })?;
        Ok(())
    }

    /// Makes labels the smallest vertices that have them.
    fn take_smallest(&self) -> Result<()> {
        let smallest = self.gpu.filled(self.labels.len(), NONE)?;
        let lower = || LowerLaunch::new(self.labels.arg(), self.array(&smallest));
        // SAFETY: there is a label for each vertex, itself a vertex.
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
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (2, 3)])).unwrap();
        let there = GpuGraph::upload(&gpu, &graph).unwrap();
        there.entering().unwrap();
        let reversed = there.there.reversed().unwrap();
        let search = Search::new(&there, &reversed).unwrap();
        let counts = gpu.empty(4).unwrap();
        let all = search.leaving.clone();
        search.trim().unwrap();
        search.pivot().unwrap();
        search.start_searches(0);
        search.close_reached(0);
        search.roots(&counts, 1).unwrap();
        search.still_open().unwrap();
        search.take_smallest().unwrap();
        // Nothing runs here, so that loops do not go on: what is launched until then counts.
        let _ = search.take_away(&all, &counts);
        let _ = search.reach(&all, FORWARD);
        let _ = search.offer_colors(&counts, 1);
        let _ = search.claim(&all, &counts, 1);
        let kernels = lower::kernels(&gpu).unwrap();
        for name in [
            "TakeFirst",
            "TakeAway",
            "Pick",
            "Start",
            "Reach",
            "Close",
            "SetColor",
            "Offer",
            "FindRoots",
            "Claim",
            "KeepOpen",
            "Lower",
            "TakeSmallest",
        ] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
