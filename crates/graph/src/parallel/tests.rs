use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::*;

/// Few and many positions.
const COUNTS: [u32; 8] = [0, 1, 2, 31, 32, 33, 1000, 100_003];

#[test]
fn each_position_is_visited_once() {
    for count in COUNTS {
        for (min, max) in [(1, usize::MAX), (1, 1), (500, usize::MAX), (7, 13)] {
            let visits: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
            let positions = (0..count).into_par_iter().with_min_len(min).with_max_len(max);
            positions.for_each(|at| {
                visits[at as usize].fetch_add(1, Relaxed);
            });
            assert!(visits.iter().all(|visits| visits.load(Relaxed) == 1), "{count} {min} {max}");
        }
    }
}

#[test]
fn items_are_collected_in_order_whatever_they_are() {
    for count in COUNTS {
        let expected: Vec<u32> = (0..count).collect();
        assert_eq!((0..count).into_par_iter().collect::<Vec<_>>(), expected);
        let odd: Vec<u32> = expected.iter().copied().filter(|n| n % 2 == 1).collect();
        assert_eq!(expected.par_iter().copied().filter(|n| n % 2 == 1).collect::<Vec<_>>(), odd);
        let texts: Vec<String> = expected.par_iter().map(u32::to_string).collect();
        assert!(texts.iter().zip(&expected).all(|(text, number)| *text == number.to_string()));
        let back: Vec<u32> = texts.into_par_iter().map(|text| text.len() as u32).collect();
        assert_eq!(back.len(), count as usize);
        let mut twice = expected.clone();
        twice.par_extend(expected.par_iter().copied());
        assert_eq!(twice, [&expected[..], &expected].concat());
        let chained: Vec<u32> = expected.par_iter().chain(&odd).copied().collect();
        assert_eq!(chained, [&expected[..], &odd].concat());
        let flat = expected.par_iter().flat_map_iter(|&n| [n; 2]).collect::<Vec<_>>();
        assert_eq!(flat.len(), 2 * count as usize);
        assert!(flat.is_sorted());
    }
}

#[test]
fn failures_are_the_first_ones() {
    let check = |n: u32| if n % 1000 == 999 { Err(n) } else { Ok(n) };
    let all: Result<Vec<u32>, u32> = (0..10_000u32).into_par_iter().map(check).collect();
    assert_eq!(all, Err(999));
    let all: Option<Vec<u32>> = (0..999u32).into_par_iter().map(|n| check(n).ok()).collect();
    assert_eq!(all.map(|all| all.len()), Some(999));
    assert_eq!((0..10_000u32).into_par_iter().find_first(|&n| n > 4321), Some(4322));
    assert_eq!((0..10_000u32).into_par_iter().find_map_first(|n| check(n).err()), Some(999));
    let numbers: Vec<u32> = (0..10_000).rev().collect();
    assert_eq!(numbers.par_iter().position_first(|&n| n < 5000), Some(5000));
    assert!(numbers.par_iter().any(|&n| n == 0) && !numbers.par_iter().all(|&n| n > 0));
}

#[test]
fn pieces_of_slices_are_those_of_std() {
    for count in COUNTS {
        let mut numbers: Vec<u32> = (0..count).collect();
        for size in [1, 2, 7, 1000] {
            let lists = |slices: Vec<&[u32]>| slices.concat();
            let chunks: Vec<&[u32]> = numbers.par_chunks(size).collect();
            assert_eq!(chunks, numbers.chunks(size).collect::<Vec<_>>());
            assert_eq!(lists(chunks), numbers);
            if size < 1000 {
                let windows: Vec<&[u32]> = numbers.par_windows(size).collect();
                assert_eq!(windows, numbers.windows(size).collect::<Vec<_>>());
            }
            numbers.par_chunks_mut(size).enumerate().for_each(|(at, piece)| {
                piece.iter_mut().for_each(|number| *number += at as u32);
            });
            let shifted = (0..count).map(|n| n + n / size as u32);
            assert!(numbers.iter().copied().eq(shifted));
            numbers.par_iter_mut().enumerate().for_each(|(at, number)| *number = at as u32);
        }
    }
}

#[test]
fn reductions_agree_with_std() {
    for count in COUNTS {
        let numbers: Vec<u64> = (0..count).map(|n| u64::from(n) * 7919 % 101).collect();
        let all = || numbers.par_iter().copied();
        assert_eq!(all().sum::<u64>(), numbers.iter().sum());
        assert_eq!(all().max(), numbers.iter().copied().max());
        assert_eq!(all().min(), numbers.iter().copied().min());
        assert_eq!(all().count(), numbers.len());
        assert_eq!(all().reduce(|| 0, |a, b| a ^ b), numbers.iter().fold(0, |a, b| a ^ b));
        assert_eq!(all().fold(|| 0, |a, b| a + b).sum::<u64>(), numbers.iter().sum());
        let positions = || (0..numbers.len()).into_par_iter();
        let by_std = (0..numbers.len()).max_by_key(|&at| numbers[at]);
        assert_eq!(positions().max_by_key(|&at| numbers[at]), by_std);
        let pairs = numbers.par_iter().zip(&numbers).filter(|(a, b)| a == b).count();
        assert_eq!(pairs, numbers.len());
    }
}

#[test]
fn a_panic_leaves_the_loop() {
    let loops = || (0..1000u32).into_par_iter().for_each(|n| assert_ne!(n, 777));
    assert!(std::panic::catch_unwind(loops).is_err());
    assert_eq!((0..10u32).into_par_iter().sum::<u32>(), 45);
}
