//! The primitives equal plain Rust at all lengths around the sizes of their blocks.
//!
//! `LP_NATIVE_VECTOR_WIDTH` (128, 256, 512) in the environment gives the software Vulkan device
//! planes of 4, 8 and 16 units; the results must be the same.

use std::fmt::Debug;

use crate::gpu;
use equipoise_schedule::{
    device::{Element, Gpu},
    primitives::{self, MAX_CLASSES, Max, Min, Reduction, Sum},
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

/// The elements of a cube, which is not public.
const BLOCK: usize = 2048;

/// Lengths around the units of a cube and the elements of a block: no block, one, and many.
const LENGTHS: [usize; 11] =
    [0, 1, 2, 255, 256, 257, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK, 100_003];

#[test]
fn planes_have_the_size_that_the_environment_asks_for() {
    if let Ok(bits) = std::env::var("LP_NATIVE_VECTOR_WIDTH") {
        let bits: u32 = bits.parse().unwrap();
        assert_eq!(gpu().plane_size(), bits / 32, "only the software device has such planes");
    }
}

/// Pseudo-random numbers.
fn numbers(len: usize, seed: u32) -> Vec<u32> {
    let mut state = seed.wrapping_mul(2_654_435_769) ^ len as u32 | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    std::iter::repeat_with(next).take(len).collect()
}

fn running_sums(values: &[u32]) -> Vec<u32> {
    let sums = values.iter().scan(0u32, |sum, &value| {
        *sum = sum.wrapping_add(value);
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

fn check_scans(gpu: &Gpu, values: &[u32]) {
    let len = values.len();
    let input = gpu.upload(values).unwrap();
    let expected = running_sums(values);
    let offsets = primitives::offsets(gpu, &input).unwrap();
    assert!(gpu.download(&offsets).unwrap() == expected, "offsets of {len}");
    let exclusive = primitives::exclusive_scan(gpu, &input).unwrap();
    assert!(gpu.download(&exclusive).unwrap() == expected[..len], "exclusive scan of {len}");
    let inclusive = primitives::inclusive_scan(gpu, &input).unwrap();
    assert!(gpu.download(&inclusive).unwrap() == expected[1..], "inclusive scan of {len}");
    assert!(gpu.download(&input).unwrap() == values, "the input of {len} is unchanged");
}

#[test]
fn scans_equal_running_sums_at_every_length() {
    let gpu = gpu();
    for len in LENGTHS {
        check_scans(&gpu, &numbers(len, 1));
    }
}

fn check_reduce<P: Reduction>(
    gpu: &Gpu,
    values: &[P::Value],
    fold: fn(P::Value, P::Value) -> P::Value,
) where
    P::Value: Element + Debug,
{
    let input = gpu.upload(values).unwrap();
    let reduced = primitives::reduce::<P>(gpu, &input).unwrap();
    let expected = values.iter().copied().fold(P::identity(), fold);
    assert_eq!(gpu.download(&reduced).unwrap(), [expected], "{} values", values.len());
}

#[test]
fn reductions_equal_folds_at_every_length() {
    let gpu = gpu();
    for len in LENGTHS {
        let values = numbers(len, 2);
        check_reduce::<Sum<u32>>(&gpu, &values, u32::wrapping_add);
        check_reduce::<Min<u32>>(&gpu, &values, u32::min);
        check_reduce::<Max<u32>>(&gpu, &values, u32::max);
        // Small whole numbers: their sums are exact in any order.
        let values: Vec<f32> = values.iter().map(|value| (value % 3) as f32 - 1.0).collect();
        check_reduce::<Sum<f32>>(&gpu, &values, |a, b| a + b);
        check_reduce::<Min<f32>>(&gpu, &values, f32::min);
        check_reduce::<Max<f32>>(&gpu, &values, f32::max);
    }
}

#[test]
fn a_reduction_finds_an_extremum_at_any_index() {
    let gpu = gpu();
    for index in [0, 1, 255, 256, BLOCK - 1, BLOCK, 2 * BLOCK + 76] {
        let mut values = vec![f32::INFINITY; 2 * BLOCK + 77];
        check_reduce::<Min<f32>>(&gpu, &values, f32::min);
        values[index] = -3.5;
        check_reduce::<Min<f32>>(&gpu, &values, f32::min);
        let values: Vec<f32> = values.iter().map(|value| -value).collect();
        check_reduce::<Max<f32>>(&gpu, &values, f32::max);
    }
}

#[test]
fn a_sum_of_floats_is_repeatable_and_near_the_exact_one() {
    let gpu = gpu();
    let values: Vec<f32> =
        numbers(100_003, 3).iter().map(|&value| value as f32 / u32::MAX as f32).collect();
    let input = gpu.upload(&values).unwrap();
    let sum = || {
        let sum = primitives::reduce::<Sum<f32>>(&gpu, &input).unwrap();
        gpu.download(&sum).unwrap()[0]
    };
    let first = sum();
    let exact: f64 = values.iter().copied().map(f64::from).sum();
    assert!((f64::from(first) - exact).abs() / exact < 1e-5, "{first} against {exact}");
    assert_eq!(first.to_bits(), sum().to_bits());
}

fn check_histogram(gpu: &Gpu, keys: &[u32], bins: u32) {
    let counts = primitives::histogram(gpu, &gpu.upload(keys).unwrap(), bins).unwrap();
    let mut expected = vec![0; bins as usize];
    for &key in keys {
        if let Some(count) = expected.get_mut(key as usize) {
            *count += 1;
        }
    }
    assert!(gpu.download(&counts).unwrap() == expected, "{} keys, {bins} bins", keys.len());
}

#[test]
fn histograms_in_shared_and_global_memory_count_every_key() {
    let gpu = gpu();
    for len in LENGTHS {
        for bins in [1, 33, 4096, 4097] {
            let keys: Vec<u32> = numbers(len, 4).iter().map(|key| key % bins).collect();
            check_histogram(&gpu, &keys, bins);
        }
    }
    check_histogram(&gpu, &[5; 70_000], 7);
    check_histogram(&gpu, &numbers(1000, 5), 1_000_000);
}

#[test]
fn a_histogram_ignores_keys_without_a_bin() {
    let gpu = gpu();
    check_histogram(&gpu, &[0, 3, 4, u32::MAX], 4);
    check_histogram(&gpu, &[0, 4999, 5000, u32::MAX], 5000);
    check_histogram(&gpu, &[0, 1], 0);
}

fn check_compact(gpu: &Gpu, flags: &[u32]) {
    let len = flags.len();
    let compacted = primitives::compact(gpu, &gpu.upload(flags).unwrap()).unwrap();
    let expected: Vec<u32> =
        flags.iter().zip(0..).filter(|&(&flag, _)| flag != 0).map(|(_, index)| index).collect();
    assert_eq!(gpu.download(&compacted.count).unwrap(), [expected.len() as u32], "count of {len}");
    assert_eq!(compacted.read_count(gpu).unwrap() as usize, expected.len(), "count of {len}");
    let indices = gpu.download(&compacted.indices).unwrap();
    assert_eq!(indices.len(), len);
    assert!(indices[..expected.len()] == expected, "indices of {len}");
}

#[test]
fn compaction_lists_flagged_indices_in_order_at_every_length() {
    let gpu = gpu();
    for len in LENGTHS {
        let flags: Vec<u32> =
            numbers(len, 6).iter().map(|flag| if flag % 3 == 0 { *flag } else { 0 }).collect();
        check_compact(&gpu, &flags);
        check_compact(&gpu, &vec![0; len]);
        check_compact(&gpu, &vec![u32::MAX; len]);
    }
}

fn check_sort(gpu: &Gpu, classes: &[u32], class_count: u32) {
    let what = format!("{} elements in {class_count} classes", classes.len());
    let input = gpu.upload(classes).unwrap();
    let sorted = primitives::sort_by_class(gpu, &input, class_count).unwrap();
    let mut expected: Vec<u32> = (0..classes.len() as u32)
        .filter(|&element| classes[element as usize] < class_count)
        .collect();
    expected.sort_by_key(|&element| classes[element as usize]);
    let order = gpu.download(&sorted.order).unwrap();
    assert_eq!(order.len(), classes.len(), "{what}");
    assert!(order[..expected.len()] == expected, "order of {what}");
    let ends: Vec<u32> = (0..=class_count)
        .map(|class| classes.iter().filter(|&&other| other < class).count() as u32)
        .collect();
    assert_eq!(gpu.download(&sorted.offsets).unwrap(), ends, "offsets of {what}");
}

#[test]
fn a_sort_by_class_is_stable_at_every_length() {
    let gpu = gpu();
    for len in LENGTHS {
        for class_count in [1, 3, MAX_CLASSES] {
            let classes: Vec<u32> = numbers(len, 7).iter().map(|c| c % class_count).collect();
            check_sort(&gpu, &classes, class_count);
        }
        check_sort(&gpu, &vec![2; len], 5);
    }
}

#[test]
fn a_sort_ignores_elements_without_a_class_and_refuses_too_many_classes() {
    let gpu = gpu();
    check_sort(&gpu, &[1, 9, 0, 3, 1, u32::MAX], 3);
    check_sort(&gpu, &[0, 1], 0);
    let classes = gpu.upload(&[0]).unwrap();
    let error = primitives::sort_by_class(&gpu, &classes, 33).err().unwrap().to_string();
    assert!(error.contains("32") && error.contains("33"), "{error}");
}

#[test]
fn millions_of_elements_need_blocks_of_blocks() {
    let gpu = gpu();
    let values = numbers(BLOCK * BLOCK + 1, 8);
    check_scans(&gpu, &values);
    check_reduce::<Sum<u32>>(&gpu, &values, u32::wrapping_add);
    check_reduce::<Max<u32>>(&gpu, &values, u32::max);
    let few: Vec<u32> = values.iter().map(|value| value % 5).collect();
    check_histogram(&gpu, &few, 5);
    check_compact(&gpu, &few);
    check_sort(&gpu, &few, 5);
}

/// Long runs of equal values and noise, of any length.
fn values() -> impl Strategy<Value = Vec<u32>> {
    let runs = prop::collection::vec((prop_oneof![Just(0), any::<u32>()], 1usize..3000), 0..12);
    let noise = prop::collection::vec(any::<u32>(), 0..5000);
    (runs, noise).prop_map(|(runs, noise)| {
        let runs = runs.into_iter().flat_map(|(value, len)| vec![value; len]);
        runs.chain(noise).collect()
    })
}

#[test]
fn random_inputs_of_random_lengths() {
    let gpu = gpu();
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let inputs = (values(), 1..=MAX_CLASSES, 1u32..10_000);
    let outcome = runner.run(&inputs, |(values, class_count, bins)| {
        check_scans(&gpu, &values);
        check_reduce::<Sum<u32>>(&gpu, &values, u32::wrapping_add);
        check_reduce::<Min<u32>>(&gpu, &values, u32::min);
        check_compact(&gpu, &values);
        let keys: Vec<u32> = values.iter().map(|value| value % bins).collect();
        check_histogram(&gpu, &keys, bins);
        let classes: Vec<u32> = values.iter().map(|value| value % class_count).collect();
        check_sort(&gpu, &classes, class_count);
        Ok(())
    });
    outcome.unwrap();
}
