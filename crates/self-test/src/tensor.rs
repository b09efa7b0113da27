//! Products of tensors of many shapes under every schedule, verified against sums in f64.

use equipoise::{
    LoadedTensor, Result,
    device::OpenDevice,
    graph::{Mode, SparseTensor, load_tensor},
    sparse::{Dense, SparseOptions},
};

use super::{
    Check, Shape, Target,
    sparse::{numbers, schedules},
};

/// Shapes that schedules get wrong.
const SHAPES: &[Shape] = &[
    ("empty", "tensor:i=0,j=3,k=5,nonzeros=0", "tensor:i=0,j=3,k=5,nonzeros=0"),
    ("one", "tensor:i=300,j=2,k=9,nonzeros=1", "tensor:i=100000,j=2,k=9,nonzeros=1"),
    (
        "giant-slice",
        "tensor:i=1,j=70,k=30,nonzeros=2000",
        "tensor:i=1,j=7000,k=3000,nonzeros=200000",
    ),
    (
        "skewed",
        "tensor:i=300,j=200,k=50,nonzeros=5000,skew=4",
        "tensor:i=30000,j=2000,k=500,nonzeros=500000,skew=4",
    ),
    (
        "uniform",
        "tensor:i=300,j=200,k=50,nonzeros=5000",
        "tensor:i=30000,j=2000,k=500,nonzeros=500000",
    ),
];

/// Each mode with a rank: one, a few, and more than one tile.
const RANKS: [(Mode, u32); 3] = [(Mode::First, 37), (Mode::Second, 1), (Mode::Third, 6)];

/// A tensor times two factors.
pub fn mttkrp(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    for &(input, small, large) in SHAPES {
        let tensor = load_tensor(if target.large { large } else { small }, None)?;
        for options in schedules(target) {
            for (mode, rank) in RANKS {
                let outcome = check(&target.device, &tensor, mode, rank, &options);
                let verdict = outcome.map_err(|error| format!("mode {mode}: {error}"));
                report(Check { subject: options.schedule.name(), input, verdict });
            }
        }
    }
    Ok(())
}

fn check(
    device: &OpenDevice,
    tensor: &SparseTensor,
    mode: Mode,
    rank: u32,
    options: &SparseOptions,
) -> Result<()> {
    let [left, right] = mode.others().map(|other| factor(tensor.size(other), rank));
    let (left, right) = (left?, right?);
    let loaded = LoadedTensor::new(device, tensor);
    let product = loaded.mttkrp(mode, rank, options)?.run([&left, &right])?;
    product.verify(tensor, mode, [&left, &right])
}

fn factor(rows: u32, rank: u32) -> Result<Dense<f32>> {
    Dense::new(rows, rank, numbers(rows as usize * rank as usize))
}
