//! The verifier of searches on a GPU. It shares no code with the searches.
//!
//! It checks the rules of the host's verifier in two passes: no edge may be a shortcut, and each vertex needs a parent with
//! a tight edge. The pass over the edges also computes a digest of the edges, which is compared with the digest of the
//! host's graph: it proves that the graph is the right one and that no edge was left out. The pass over the vertices
//! computes digests of the labels and parents, with which copies on the host are compared.

mod kernels;

use cubecl::prelude::*;
use equipoise_schedule::{ScheduleName, device::GpuRuntime, plan::Plan, tiles::CsrRows};

use self::kernels::{
    CheckEdges, CheckEdgesLaunch, DIGESTS, EDGES, IS_FLAT, LABELS, LARGEST, LEADS_OUT, Lengths,
    NUMBERS, OneLength, OneLengthLaunch, PARENTS, REACHED, RealLengths, RealLengthsLaunch,
    SHORTCUT, WRONG_VERTEX, WholeLengths, WholeLengthsLaunch, check_vertices,
};
use super::{
    device_result::{DeviceResult, Digests},
    iteration::UNITS,
};
use crate::{Error, NONE, Result, gpu_graph::DeviceWeights};

/// The claim of a result that is verified.
#[derive(Clone, Copy)]
pub(crate) struct Claim {
    /// Whether edges have weights; otherwise each has length 1.
    pub weighted: bool,
    /// Vertices with larger labels need not be reached; [`NONE`] for no limit.
    pub limit: u32,
    /// Whether all reachable vertices were reached.
    pub complete: bool,
}

pub(crate) enum DeviceVerdict {
    /// The result keeps all rules.
    Right(Digests),
    /// The result keeps all rules that the device checks. Some vertices have the label of their parent: only the host can
    /// decide whether their paths lead to the source.
    Flat,
    /// The result breaks a rule.
    Wrong(String),
}

impl DeviceVerdict {
    /// The final verdict. Compares copies on the host with the digests, and lets the host verify what the device cannot
    /// decide. The host's message about a wrong result is preferred, as it has more details.
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

/// The results of the two passes.
struct Passes {
    numbers: [u32; NUMBERS],
    edges: u32,
}

/// Checks the result of a search on the device.
pub(crate) fn check(result: &DeviceResult, claim: Claim) -> Result<DeviceVerdict> {
    let rows = result.graph.leaving()?;
    let passes = match rows.weights().filter(|_| claim.weighted) {
        None => run::<OneLength>(result, claim, || OneLengthLaunch::new(1)),
        Some(DeviceWeights::U32(weights)) => {
            run::<WholeLengths>(result, claim, || WholeLengthsLaunch::new(weights.arg()))
        }
        Some(DeviceWeights::F32(weights)) => {
            run::<RealLengths>(result, claim, || RealLengthsLaunch::new(weights.arg()))
        }
    }?;
    if passes.edges != result.graph.digest(claim.weighted) {
        return Err(Error::Wrong("the graph on the device is not the one on the host".into()));
    }
    Ok(passes.verdict(result, claim))
}

fn run<L: Lengths>(
    result: &DeviceResult,
    claim: Claim,
    lengths: impl Fn() -> L::RuntimeArg<GpuRuntime>,
) -> Result<Passes> {
    let graph = result.graph;
    let (gpu, rows, labels) = (&graph.gpu, graph.leaving()?, &result.labels);
    let parents = result.parents()?;
    let mut start = [0; NUMBERS];
    (start[SHORTCUT], start[WRONG_VERTEX]) = (NONE, NONE);
    let (numbers, digests) = (gpu.upload(&start)?, gpu.filled(DIGESTS as usize, 0u32)?);
    let tiles = CsrRows::from_offsets(&rows.offsets, rows.edges())?;
    let plan = Plan::<CsrRows, CheckEdges<L>>::new(gpu, ScheduleName::MergePath.into(), &tiles)?;
    let edges = || {
        let (targets, labels) = (rows.targets.arg(), labels.arg());
        let (numbers, digests) = (numbers.arg(), digests.arg());
        CheckEdgesLaunch::new(lengths(), targets, labels, numbers, digests, claim.limit)
    };
    // SAFETY: each vertex has a label, a parent and offsets; each edge has a target, which is a vertex, and a weight;
    // parents are compared with the number of vertices before they are an index.
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
            result.source,
            claim.limit,
        );
    }
    let (counted, digests) = (gpu.download(&numbers)?, gpu.download(&digests)?);
    let mut numbers = [0; NUMBERS];
    numbers.copy_from_slice(&counted);
    Ok(Passes { numbers, edges: digests.into_iter().fold(0, u32::wrapping_add) })
}

impl Passes {
    fn verdict(&self, result: &DeviceResult, claim: Claim) -> DeviceVerdict {
        let number = |index: usize| self.numbers[index];
        let totals = (result.totals.reached, result.totals.edges, result.totals.largest);
        let counted = (number(REACHED), number(EDGES), number(LARGEST));
        let leads_out = number(LEADS_OUT) != 0;
        if number(WRONG_VERTEX) != NONE {
            return DeviceVerdict::Wrong(format!("vertex {} is wrong", number(WRONG_VERTEX)));
        }
        if number(SHORTCUT) != NONE {
            return DeviceVerdict::Wrong(format!("edge {} is a shortcut", number(SHORTCUT)));
        }
        if totals != counted {
            return DeviceVerdict::Wrong(format!(
                "the result says {totals:?}, its labels {counted:?}"
            ));
        }
        if claim.complete == leads_out {
            return DeviceVerdict::Wrong(format!(
                "complete is {}, which it is not",
                claim.complete
            ));
        }
        match number(IS_FLAT) {
            0 => DeviceVerdict::Right(Digests { labels: number(LABELS), parents: number(PARENTS) }),
            _ => DeviceVerdict::Flat,
        }
    }
}
