//! Tests that every kernel of MTTKRP compiles for CUDA, with NVRTC and without a GPU.

use equipoise_graph::{Mode, SparseTensor};
use equipoise_schedule::{
    ScheduleName,
    lower::{self, Nvrtc},
};

use super::{DeviceSlices, MttkrpPlan};
use crate::sparse::gpu::DeviceDense;

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let entries = [(0, 0, 0, 1.0), (1, 0, 0, 2.0)];
    let tensor = SparseTensor::from_entries([2, 1, 1], &entries).unwrap();
    let slices = DeviceSlices::upload(&gpu, &tensor.slices(Mode::First).unwrap()).unwrap();
    for rank in [1, 8, 16, 32] {
        let factor = DeviceDense::empty(&gpu, 1, rank).unwrap();
        let product = DeviceDense::empty(&gpu, 2, rank).unwrap();
        for &schedule in ScheduleName::ALL {
            let plan = MttkrpPlan::new(&gpu, &slices, rank, schedule.into()).unwrap();
            plan.run([&factor, &factor], &product).unwrap();
        }
    }
    let kernels = lower::kernels(&gpu).unwrap();
    for name in ["run", "do_bins", "do_pieces", "do_blocks"] {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}
