//! MTTKRP on a GPU, under every schedule.

use equipoise::{
    LoadedTensor,
    device::OpenDevice,
    graph::{Mode, SparseTensor, load_tensor},
    sparse::{Dense, SparseOptions, SparseSchedule, gpu::DeviceDense},
    tensor::gpu::{DeviceSlices, MttkrpPlan},
};
use equipoise_schedule::ScheduleName;
use proptest::prelude::*;

use crate::common::{device, gpu};

fn factor(rows: u32, rank: u32) -> Dense<f32> {
    let numbers = (0..rows as usize * rank as usize).map(|i| (i * 31 % 101) as f32 / 50.0 - 1.0);
    Dense::new(rows, rank, numbers.collect()).unwrap()
}

fn check(
    device: &OpenDevice,
    tensor: &SparseTensor,
    mode: Mode,
    rank: u32,
    schedule: SparseSchedule,
) {
    let [left, right] = mode.others().map(|other| factor(tensor.size(other), rank));
    let options = SparseOptions { schedule, ..SparseOptions::default() };
    let prepared = LoadedTensor::new(device, tensor);
    let prepared = prepared.mttkrp(mode, rank, &options).unwrap();
    // The second run must not depend on what the first left.
    for _ in 0..2 {
        let result = prepared.run([&left, &right]).unwrap();
        assert_eq!(result.schedule, prepared.choice().schedule);
        result
            .verify(tensor, mode, [&left, &right])
            .unwrap_or_else(|error| panic!("{schedule}, mode {mode}, rank {rank}: {error}"));
    }
}

#[test]
fn every_schedule_multiplies_every_mode() {
    let device = device();
    for spec in [
        "tensor:i=0,j=3,k=5,nonzeros=0",
        "tensor:i=300,j=3,k=5,nonzeros=0",
        "tensor:i=300,j=2,k=9,nonzeros=1",
        "tensor:i=1,j=70,k=30,nonzeros=3000",
        "tensor:i=500,j=200,k=50,nonzeros=6000,skew=5",
    ] {
        let tensor = load_tensor(spec, None).unwrap();
        for &schedule in SparseSchedule::ALL {
            check(&device, &tensor, Mode::First, 16, schedule);
            check(&device, &tensor, Mode::Second, 6, schedule);
            check(&device, &tensor, Mode::Third, 37, schedule);
        }
    }
}

#[test]
fn every_width_of_workers() {
    let device = device();
    let tensor = load_tensor("tensor:i=60,j=20,k=30,nonzeros=900,skew=3", None).unwrap();
    for rank in [1, 4, 5, 8, 12, 32, 33] {
        for &schedule in SparseSchedule::ALL {
            check(&device, &tensor, Mode::First, rank, schedule);
        }
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let gpu = &gpu();
    let tensor = SparseTensor::from_entries([2, 3, 4], &[(1, 2, 3, 1.0)]).unwrap();
    let slices = DeviceSlices::upload(gpu, &tensor.slices(Mode::First).unwrap()).unwrap();
    let plan = MttkrpPlan::new(gpu, &slices, 5, ScheduleName::MergePath.into()).unwrap();
    let dense = |rows, columns| DeviceDense::<f32>::empty(gpu, rows, columns).unwrap();
    let (b, c, product) = (dense(3, 5), dense(4, 5), dense(2, 5));
    plan.run([&b, &c], &product).unwrap();
    let error = plan.run([&b, &b], &product).unwrap_err().to_string();
    assert!(
        error.contains("a factor has 3 rows, but the tensor has nonzeros for row 3"),
        "{error}"
    );
    assert!(plan.run([&b, &dense(4, 4)], &product).is_err());
    assert!(plan.run([&b, &c], &dense(3, 5)).is_err());
    let both = dense(2, 5);
    let square = SparseTensor::from_entries([2, 2, 2], &[(1, 1, 1, 1.0)]).unwrap();
    let slices = DeviceSlices::upload(gpu, &square.slices(Mode::First).unwrap()).unwrap();
    let plan = MttkrpPlan::new(gpu, &slices, 5, ScheduleName::MergePath.into()).unwrap();
    let error = plan.run([&both, &dense(2, 5)], &both).unwrap_err().to_string();
    assert!(error.contains("a factor cannot be multiplied into itself"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_tensor(
        shape in prop::array::uniform3(1u32..80),
        places in prop::collection::vec(any::<[u32; 3]>(), 0..600),
        rank in 1u32..40,
        mode in prop::sample::select(Mode::ALL.to_vec()),
        schedule in prop::sample::select(SparseSchedule::ALL.to_vec()),
    ) {
        let entries: Vec<_> = (0..)
            .zip(&places)
            .map(|(at, [i, j, k])| {
                (i % shape[0], j % shape[1], k % shape[2], (at % 17) as f32 / 8.0 - 1.0)
            })
            .collect();
        let tensor = SparseTensor::from_entries(shape, &entries).unwrap();
        check(&device(), &tensor, mode, rank, schedule);
    }
}
