//! Every kernel compiles for CUDA, with NVRTC on a machine without a GPU.
//!
//! Each function that launches kernels is called once for each relevant set of types and constants. Nothing runs, and results
//! are ignored.

use cubecl::prelude::*;
use equipoise_conformance::{
    self as conformance, ProbeName, SetName,
    operations::{Discover, DiscoverLaunch},
};
use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::Gpu,
    engine::*,
    lower::{self, Lowered, Nvrtc},
    plan::ScheduleOptions,
    primitives::{self, Max, Min, Sum},
};

use crate::engine::{ByThree, ByThreeLaunch};

fn launch_primitives(gpu: &Gpu) {
    let few = gpu.upload(&[1u32; 3]).unwrap();
    let many = gpu.upload(&[1u32; 5000]).unwrap();
    let floats = gpu.upload(&[1f32; 3]).unwrap();
    primitives::offsets(gpu, &few).unwrap();
    primitives::offsets(gpu, &many).unwrap();
    primitives::reduce::<Min<u32>>(gpu, &few).unwrap();
    primitives::reduce::<Max<u32>>(gpu, &few).unwrap();
    primitives::reduce::<Sum<f32>>(gpu, &floats).unwrap();
    primitives::reduce::<Min<f32>>(gpu, &floats).unwrap();
    primitives::reduce::<Max<f32>>(gpu, &floats).unwrap();
    primitives::histogram(gpu, &few, 2).unwrap();
    primitives::histogram(gpu, &few, 100_000).unwrap();
    primitives::compact(gpu, &few).unwrap();
    primitives::sort_by_class(gpu, &few, 2).unwrap();
}

/// Every schedule with works of every kind on every tile set, and with groups smaller than a cube.
fn launch_schedules(gpu: &Gpu) {
    use ProbeName::{Atoms, Scatter, Shares, SumF32, SumU32, Tileless, Wide4, Wide8};
    use SetName::{Coo, Counted, Csr, Frontier};
    let cases = [
        (Csr, &[SumU32, SumF32, Scatter, Tileless, Wide4, Wide8, Shares, Atoms][..]),
        (Frontier, &[SumU32, Scatter, Tileless, Wide4, Atoms]),
        (Coo, &[SumU32]),
        (Counted, &[SumU32, Scatter, Wide4, Atoms]),
    ];
    for &schedule in ScheduleName::ALL {
        let usual = ScheduleOptions::from(schedule);
        let small = ScheduleOptions { units: 64, group: 4, items: 1, ..usual };
        let launch = |options, set, work| {
            // Results are wrong, because nothing runs.
            conformance::check(gpu, options, set, work, &[3, 0, 400]).unwrap_err();
        };
        for (set, works) in cases {
            works.iter().for_each(|&work| launch(usual, set, work));
        }
        launch(small, Csr, SumU32);
        launch(small, Frontier, Wide8);
    }
}

/// Every operator, checked and not.
fn launch_engine(gpu: &Gpu) {
    let numbers = gpu.upload(&[0u32; 4]).unwrap();
    let graph = DeviceGraph::from_rows(gpu, &[0, 2, 3, 3], &[1, 2, 2]).unwrap();
    let frontier = Frontier::assumed(&graph, 3, 3).unwrap();
    let wide = Frontier::assumed(&graph, 3, 100_000).unwrap();
    let discover = || DiscoverLaunch::new(AtomicArray::bind(gpu, &numbers));
    let by_three = || ByThreeLaunch::new(numbers.arg());
    launch_searches(&wide, &frontier, &Operation::<Discover>::checked(discover));
    // SAFETY: nothing runs.
    launch_searches(&wide, &frontier, &unsafe { Operation::<Discover>::unchecked(discover) });
    for spread in Spread::all() {
        // Gathers and settling launch before they read anything.
        conformance::run_operators(gpu, &spread, |_| ()).unwrap();
    }
    let by_three = Operation::<ByThree>::checked(by_three);
    for_each(&frontier, &by_three);
    filter(&frontier, &by_three).unwrap();
    frontier.flags().unwrap();
    let bitmap = frontier.bitmap().unwrap();
    Frontier::from_bitmap(&graph, &bitmap).unwrap();
    frontier.parts().unwrap();
    let [vertices, begins, lengths] = [0; 3].map(|number| gpu.filled(1, number).unwrap());
    let parts = FrontierParts { vertices, begins, lengths };
    Frontier::from_parts(&graph, &parts).unwrap();
    let undirected = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1)])).unwrap();
    let undirected = DeviceGraph::upload(gpu, &undirected).unwrap();
    let undirected = undirected.in_mode(LoopMode::OneLaunch { cubes: 4 });
    launch_levels(&undirected, &Operation::<Discover>::checked(discover));
    // SAFETY: nothing runs.
    launch_levels(&undirected, &unsafe { Operation::<Discover>::unchecked(discover) });
    Frontier::from_vertices(&graph, &[0]).unwrap();
}

fn launch_searches(wide: &Frontier, narrow: &Frontier, op: &Operation<Discover>) {
    for spread in Spread::all() {
        advance(wide, spread, op).unwrap();
    }
    // Nothing runs: the loop never converges.
    until_empty(narrow, Spread::Parts, op).unwrap_err();
}

fn launch_levels(graph: &DeviceGraph, op: &Operation<Discover>) {
    pull(&Frontier::assumed(graph, 1, 1).unwrap(), 0, op).unwrap();
    let search = LevelSearch::new::<Discover>(graph, None).unwrap();
    // Nothing runs: the loop never converges.
    search.run(op, 0, LevelLimits::default()).unwrap_err();
}

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    launch_primitives(&gpu);
    launch_schedules(&gpu);
    launch_engine(&gpu);
    let kernels = lower::kernels(&gpu).unwrap();
    for part in [
        "Advance",
        "Gather<",
        "NarrowIterations<",
        "WideIteration<",
        "AllIterations<",
        "ListVertices",
        "ApplyToAll<",
        "Keep<",
        "SetFlags",
        "SetBits",
        "ReadBits",
        "ListParts",
        "FlagVertices",
        "PullAll<",
        "SettleIteration<",
        "FindClasses",
    ] {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(part)), "{part} is not launched");
    }
    for kernel in kernels.iter().filter(|kernel| kernel.name.contains("AllIterations<")) {
        let fences = without_comments(&kernel.source).matches("fence.acq_rel.gpu").count();
        // Two at the first barrier, two at those between iterations, and two at the one before counters are cleared.
        assert_eq!(fences, 6, "{}", kernel.source);
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}

fn without_comments(source: &str) -> String {
    let mut pieces = source.split("/*");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |seen, piece| match piece.split_once("*/") {
        Some((_, after)) => seen + after,
        None => seen,
    })
}

#[test]
fn a_kernel_that_does_not_compile_is_an_error_with_its_log() {
    let broken = Lowered {
        name: "broken".into(),
        source: "extern \"C\" __global__ void broken() { nothing(); }".into(),
    };
    let error = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&[broken])).unwrap_err().to_string();
    assert!(error.contains("`broken` does not compile"), "{error}");
    assert!(error.contains("identifier \"nothing\" is undefined"), "{error}");
}

#[cube(launch_unchecked)]
fn take_shared_memory(output: &mut Array<u32>, #[comptime] len: usize) {
    comptime!(assert!(len > 0, "shared memory has a length"));
    let mut shared = SharedMemory::<u32>::new(len);
    shared[0] = UNIT_POS;
    output[0] = shared[0];
}

fn lower_shared_memory(len: usize) -> equipoise_schedule::Result<Vec<Lowered>> {
    let gpu = lower::gpu();
    let output = gpu.empty::<u32>(1)?;
    let (count, dim) = (CubeCount::new_single(), CubeDim::new_single());
    // SAFETY: nothing runs.
    unsafe {
        take_shared_memory::launch_unchecked(gpu.client(), count, dim, output.arg(), len);
    }
    lower::kernels(&gpu)
}

#[test]
fn a_kernel_that_cannot_be_lowered_is_an_error_with_the_reason() {
    assert_eq!(lower_shared_memory(227 << 8).unwrap().len(), 1);
    let error = lower_shared_memory((227 << 8) + 1).unwrap_err().to_string();
    assert!(error.contains("take_shared_memory") && error.contains("232452 bytes"), "{error}");
    let error = lower_shared_memory(0).unwrap_err().to_string();
    assert!(error.contains("shared memory has a length"), "{error}");
}
