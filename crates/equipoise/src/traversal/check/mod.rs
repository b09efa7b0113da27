//! Whether the result of a search is right, checked on the device where it and the graph are.
//!
//! The rules are those of the host's verifier, in two passes: over all edges, none of which may be a
//! shortcut, and over all vertices, each of which needs a parent with an edge that adds up. None of
//! it is code of the searches. The pass over the edges also makes a digest of those it saw, which is
//! compared with one that the host makes of its own graph: so it was the right graph, and no edge was
//! left out. The pass over the vertices makes digests of what it judged, for who copies it.

mod kernels;

use cubecl::prelude::*;
use equipoise_schedule::{ScheduleName, device::GpuRuntime, plan::Plan, tiles::CsrRows};

use self::kernels::{
    CheckEdges, CheckEdgesLaunch, DIGESTS, EDGES, IS_FLAT, LABELS, LARGEST, LEADS_OUT, Lengths,
    NUMBERS, OneLength, OneLengthLaunch, PARENTS, REACHED, RealLengths, RealLengthsLaunch,
    SHORTCUT, WRONG_VERTEX, WholeLengths, WholeLengthsLaunch, check_vertices,
};
use super::{Found, UNITS};
use crate::{Error, NONE, Result, gpu_graph::DeviceWeights};

/// What was asked of a search, for its verifier.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// Whether edges have weights; otherwise each is one long.
    pub weighted: bool,
    /// The largest label that was asked for; [`NONE`] for all.
    pub limit: u32,
    /// Whether the result says that all was reached that can be.
    pub complete: bool,
}

/// What a device says of a result.
pub(crate) enum Verdict {
    /// It keeps all rules.
    Right(Digests),
    /// It keeps all rules that are checked on a device. But vertices have the label of their parent,
    /// so that only the host finds out whether their paths lead to the source.
    Flat,
    /// It breaks a rule.
    Wrong(String),
}

impl Verdict {
    /// What comes of it: copies are compared with what was judged, and the host goes over what the
    /// device cannot say. It also says what is wrong, in more words.
    pub fn confirm(
        self,
        check_copies: impl FnOnce(Digests) -> Result<()>,
        verify_on_host: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        match self {
            Self::Right(digests) => check_copies(digests),
            Self::Flat => verify_on_host(),
            Self::Wrong(what) => verify_on_host().and(Err(Error::Wrong(what))),
        }
    }
}

/// Digests of what was judged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digests {
    pub labels: u32,
    pub parents: u32,
}

/// What the passes found.
struct Passes {
    numbers: [u32; NUMBERS],
    edges: u32,
}

/// Checks the result of a search on the device.
pub(crate) fn check(found: &Found, asked: Asked) -> Result<Verdict> {
    let weights = asked.weighted.then(|| found.graph.leaving.weights()).flatten();
    let passes = match weights {
        None => run::<OneLength>(found, asked, || OneLengthLaunch::new(1)),
        Some(DeviceWeights::U32(weights)) => {
            run::<WholeLengths>(found, asked, || WholeLengthsLaunch::new(weights.arg()))
        }
        Some(DeviceWeights::F32(weights)) => {
            run::<RealLengths>(found, asked, || RealLengthsLaunch::new(weights.arg()))
        }
    }?;
    if passes.edges != found.graph.digest(asked.weighted) {
        return Err(Error::Wrong("the graph on the device is not the one on the host".into()));
    }
    Ok(passes.verdict(found, asked))
}

fn run<L: Lengths>(
    found: &Found,
    asked: Asked,
    lengths: impl Fn() -> L::RuntimeArg<GpuRuntime>,
) -> Result<Passes> {
    let graph = found.graph;
    let (gpu, rows, labels) = (&graph.gpu, &graph.leaving, &found.labels);
    let parents = found.parents()?;
    let mut start = [0; NUMBERS];
    (start[SHORTCUT], start[WRONG_VERTEX]) = (NONE, NONE);
    let (numbers, digests) = (gpu.upload(&start)?, gpu.filled(DIGESTS as usize, 0u32)?);
    let tiles = CsrRows::of(&rows.offsets, rows.edges())?;
    let plan = Plan::<CsrRows, CheckEdges<L>>::new(gpu, ScheduleName::MergePath.into(), &tiles)?;
    let edges = || {
        let (targets, labels) = (rows.targets.arg(), labels.arg());
        let (numbers, digests) = (numbers.arg(), digests.arg());
        CheckEdgesLaunch::new(lengths(), targets, labels, numbers, digests, asked.limit)
    };
    // SAFETY: there are a label, a parent and offsets for each vertex, a target, which is a vertex,
    // and a weight for each edge; parents are compared with the vertices before they are one.
    unsafe {
        plan.run(&tiles, edges);
        check_vertices::launch_unchecked::<L, GpuRuntime>(
            gpu.client(),
            graph.vertex_cubes(UNITS),
            CubeDim::new_1d(UNITS),
            lengths(),
            rows.arg(),
            labels.arg(),
            parents.arg(),
            numbers.arg(),
            graph.vertices(),
            found.source,
            asked.limit,
        );
    }
    let (found, digests) = (gpu.download(&numbers)?, gpu.download(&digests)?);
    let mut numbers = [0; NUMBERS];
    numbers.copy_from_slice(&found);
    Ok(Passes { numbers, edges: digests.into_iter().fold(0, u32::wrapping_add) })
}

impl Passes {
    fn verdict(&self, found: &Found, asked: Asked) -> Verdict {
        let of = |index: usize| self.numbers[index];
        let totals = (found.totals.reached, found.totals.edges, found.totals.largest);
        let counted = (of(REACHED), of(EDGES), of(LARGEST));
        let leads_out = of(LEADS_OUT) != 0;
        if of(WRONG_VERTEX) != NONE {
            return Verdict::Wrong(format!("vertex {} is wrong", of(WRONG_VERTEX)));
        }
        if of(SHORTCUT) != NONE {
            return Verdict::Wrong(format!("edge {} is a shortcut", of(SHORTCUT)));
        }
        if totals != counted {
            return Verdict::Wrong(format!("the result says {totals:?}, its labels {counted:?}"));
        }
        if asked.complete == leads_out {
            return Verdict::Wrong(format!("complete is {}, which it is not", asked.complete));
        }
        match of(IS_FLAT) {
            0 => Verdict::Right(Digests { labels: of(LABELS), parents: of(PARENTS) }),
            _ => Verdict::Flat,
        }
    }
}
