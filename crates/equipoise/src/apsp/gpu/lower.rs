//! Every kernel of all pairs compiles for CUDA, as NVRTC on a machine without a GPU says.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower::{self, Nvrtc};

use super::{super::ApspOptions, ApspStrategy, apsp};

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let whole = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32)])).unwrap();
    let real = GraphBuilder::new().build(Edges::from(vec![(0, 1, 0.5f32)])).unwrap();
    for strategy in [ApspStrategy::Naive, ApspStrategy::Blocked, ApspStrategy::Sssp] {
        let options = ApspOptions { strategy, ..ApspOptions::default() };
        apsp(&gpu, &whole, &options).unwrap();
        apsp(&gpu, &real, &options).unwrap();
    }
    let kernels = lower::kernels(&gpu).unwrap();
    for name in
        ["go_through", "put_edges", "close_middle", "make_panels", "improve", "begin", "turn"]
    {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}
