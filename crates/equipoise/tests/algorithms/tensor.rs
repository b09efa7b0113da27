//! MTTKRP against a plain loop over all places of a tensor.

use equipoise::{
    Error, LoadedTensor,
    device::OpenDevice,
    graph::{Mode, SparseTensor, load_tensor},
    sparse::{Dense, SparseOptions, SparseSchedule},
    tensor::mttkrp,
};
use proptest::prelude::*;

fn of_cpu() -> impl Iterator<Item = SparseOptions> {
    let schedules = [SparseSchedule::Auto, SparseSchedule::MergePath, SparseSchedule::ThreadMapped];
    schedules.into_iter().map(|schedule| SparseOptions { schedule, ..SparseOptions::default() })
}

/// A factor of whole numbers from -3 to 3: sums of products are exact.
fn factor(rows: u32, rank: u32) -> Dense<f32> {
    let numbers = (0..rows as usize * rank as usize).map(|i| (i * 5 % 7) as f32 - 3.0);
    Dense::new(rows, rank, numbers.collect()).unwrap()
}

/// The product by the definition, over all places (i, j, k), of a tensor as an array of arrays.
fn naive(tensor: &SparseTensor, mode: Mode, factors: [&Dense<f32>; 2], rank: u32) -> Vec<f32> {
    let [first, second, third] = tensor.shape().map(|size| size as usize);
    let mut dense = vec![vec![vec![0.0f64; third]; second]; first];
    for (nonzero, &value) in tensor.values().iter().enumerate() {
        let [i, j, k] = [Mode::First, Mode::Second, Mode::Third]
            .map(|mode| tensor.coordinates(mode)[nonzero] as usize);
        dense[i][j][k] += f64::from(value);
    }
    let mut product = vec![0.0f64; tensor.size(mode) as usize * rank as usize];
    for (i, plane) in dense.iter().enumerate() {
        for (j, line) in plane.iter().enumerate() {
            for (k, value) in line.iter().enumerate() {
                let (row, left, right) = match mode {
                    Mode::First => (i, j, k),
                    Mode::Second => (j, i, k),
                    Mode::Third => (k, i, j),
                };
                for column in 0..rank as usize {
                    let b = factors[0].row(left as u32)[column];
                    let c = factors[1].row(right as u32)[column];
                    product[row * rank as usize + column] += value * f64::from(b) * f64::from(c);
                }
            }
        }
    }
    product.into_iter().map(|value| value as f32).collect()
}

fn check(tensor: &SparseTensor, rank: u32) {
    for &mode in Mode::ALL {
        let [left, right] = mode.others().map(|other| factor(tensor.size(other), rank));
        let factors = [&left, &right];
        let expected = naive(tensor, mode, factors, rank);
        for options in of_cpu() {
            let result = mttkrp(tensor, mode, factors, &options).unwrap();
            assert_eq!(result.product.values(), expected, "mode {mode}, {}", options.schedule);
            result.verify(tensor, mode, factors).unwrap();
        }
    }
}

#[test]
fn odd_tensors() {
    let tensor = |shape, entries: &[_]| SparseTensor::from_entries(shape, entries).unwrap();
    check(&tensor([0, 0, 0], &[]), 3);
    check(&tensor([0, 5, 2], &[]), 3);
    check(&tensor([4, 5, 2], &[]), 0);
    check(&tensor([4, 5, 2], &[]), 16);
    check(&tensor([4, 5, 2], &[(3, 4, 1, -2.0)]), 1);
    check(&tensor([4, 5, 2], &[(3, 4, 1, -2.0)]), 37);
    // Three at one place are their sum.
    check(&tensor([2, 2, 2], &[(1, 0, 1, 1.0), (1, 0, 1, 2.0), (1, 0, 1, 4.0)]), 5);
}

#[test]
fn a_skewed_tensor_in_many_parts_is_verified() {
    let tensor = load_tensor("tensor:i=400,j=90,k=50,nonzeros=60000,skew=5", None).unwrap();
    for &mode in Mode::ALL {
        let numbers = |count: usize| (0..count).map(|i| (i * 31 % 101) as f32 / 50.0 - 1.0);
        let factor = |other| {
            let rows = tensor.size(other);
            Dense::new(rows, 19, numbers(rows as usize * 19).collect()).unwrap()
        };
        let [left, right] = mode.others().map(factor);
        for options in of_cpu() {
            let result = mttkrp(&tensor, mode, [&left, &right], &options).unwrap();
            result.verify(&tensor, mode, [&left, &right]).unwrap();
        }
    }
}

#[test]
fn the_verifier_refuses_what_is_wrong() {
    let entries = [(0, 0, 0, 1.0), (0, 1, 1, 2.0), (2, 1, 0, 0.1)];
    let tensor = SparseTensor::from_entries([3, 2, 2], &entries).unwrap();
    let (b, c) = (factor(2, 3), factor(2, 3));
    let right = mttkrp(&tensor, Mode::First, [&b, &c], &SparseOptions::default()).unwrap();
    right.verify(&tensor, Mode::First, [&b, &c]).unwrap();
    for place in 0..9 {
        for change in [1.0, -0.5, 1e-5, f32::INFINITY, f32::NAN] {
            let mut values = right.product.values().to_vec();
            values[place] += change;
            let mut wrong = right.clone();
            wrong.product = Dense::new(3, 3, values).unwrap();
            let error = wrong.verify(&tensor, Mode::First, [&b, &c]).unwrap_err();
            let named = format!("row {}, column {}", place / 3, place % 3);
            assert!(error.to_string().contains(&named), "{error}");
        }
    }
    let mut narrow = right.clone();
    narrow.product = Dense::new(3, 2, vec![0.0; 6]).unwrap();
    assert!(matches!(narrow.verify(&tensor, Mode::First, [&b, &c]), Err(Error::Wrong(_))));
    // Another mode of the same tensor.
    let (a, c) = (factor(3, 3), factor(2, 3));
    assert!(right.verify(&tensor, Mode::Second, [&a, &c]).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let tensor = SparseTensor::from_entries([3, 2, 4], &[(0, 0, 0, 1.0)]).unwrap();
    let options = SparseOptions::default();
    let refused = |left: &Dense<f32>, right: &Dense<f32>| {
        mttkrp(&tensor, Mode::First, [left, right], &options).unwrap_err().to_string()
    };
    let error = refused(&factor(2, 5), &factor(4, 6));
    assert!(error.starts_with("the factor of mode 3 is of 4 × 6: 4 × 5 is needed"), "{error}");
    let error = refused(&factor(3, 5), &factor(4, 5));
    assert!(error.starts_with("the factor of mode 2 is of 3 × 5: 2 × 5 is needed"), "{error}");
    let loaded = LoadedTensor::new(&OpenDevice::Cpu, &tensor);
    let binned = SparseOptions { schedule: SparseSchedule::Binned, ..SparseOptions::default() };
    let error = loaded.mttkrp(Mode::First, 4, &binned).err().unwrap().to_string();
    assert!(error.contains("the schedule `binned` needs a GPU"), "{error}");
    let none = SparseOptions { group: Some(3), ..SparseOptions::default() };
    assert!(loaded.mttkrp(Mode::First, 4, &none).is_err());
    let huge = SparseTensor::from_entries([u32::MAX, 1, 1], &[(0, 0, 0, 1.0)]).unwrap();
    let error = LoadedTensor::new(&OpenDevice::Cpu, &huge).mttkrp(Mode::First, u32::MAX, &options);
    assert!(error.err().unwrap().to_string().contains("bytes of memory"));
}

proptest! {
    #[test]
    fn any_tensor_equals_the_loop_over_all_places(
        shape in prop::array::uniform3(1u32..7),
        places in prop::collection::vec(any::<[u32; 3]>(), 0..80),
        rank in 0u32..22,
    ) {
        let entries: Vec<_> = (0..)
            .zip(&places)
            .map(|(at, [i, j, k])| {
                (i % shape[0], j % shape[1], k % shape[2], (at % 9) as f32 - 4.0)
            })
            .collect();
        check(&SparseTensor::from_entries(shape, &entries).unwrap(), rank);
    }
}
