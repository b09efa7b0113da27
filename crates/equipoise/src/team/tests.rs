use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
};

use super::*;

/// Runs `work` with teams of several sizes.
fn with_teams(work: impl Fn(&Team) + Sync) {
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&work));
    }
}

#[test]
fn each_number_comes_at_most_once_and_the_caller_always() {
    with_teams(|team| {
        for limit in (1..=team.size()).cycle().take(2_000) {
            let came = Lanes::new(team.size(), || 0);
            team.each(limit, |index| *came.get(index) += 1);
            let came: Vec<u32> = { came }.iter_mut().map(|came| *came).collect();
            assert_eq!(came[0], 1);
            assert!(came.iter().all(|&came| came <= 1));
            assert!(came[limit..].iter().all(|&came| came == 0));
        }
    });
}

#[test]
fn a_helper_comes_where_the_caller_waits_for_it() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let came = AtomicBool::new(false);
    pool.install(|| {
        run(|team| {
            team.each(2, |index| match index {
                0 => {
                    while !came.load(Relaxed) {
                        std::thread::yield_now()
                    }
                }
                _ => came.store(true, Relaxed),
            });
        });
    });
    assert!(came.into_inner());
}

#[test]
fn helpers_that_left_are_called_again() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        run(|team| {
            for _ in 0..3 {
                let came = AtomicBool::new(false);
                team.each(2, |index| match index {
                    0 => {
                        while !came.load(Relaxed) {
                            std::thread::yield_now()
                        }
                    }
                    _ => came.store(true, Relaxed),
                });
                while !team.board.has_absent() {
                    std::thread::yield_now();
                }
            }
        });
    });
}

#[test]
fn parts_cover_every_number_once() {
    with_teams(|team| {
        for end in [0, 1, 7, 64, 65, 10_000] {
            let counts: Vec<AtomicU32> = (0..end).map(|_| AtomicU32::new(0)).collect();
            team.for_parts(end, 16, |_, part| {
                assert!(part.len() <= 16);
                counts[part].iter().for_each(|count| _ = count.fetch_add(1, Relaxed));
            });
            assert!(counts.iter().all(|count| count.load(Relaxed) == 1));
        }
    });
}

#[test]
fn chunks_cover_every_item_once() {
    with_teams(|team| {
        for (threads, len) in [(1, 9), (3, 0), (3, 1), (8, 1_000)] {
            let mut items = vec![0; len];
            team.for_chunks(threads, &mut items, 7, |_, first, chunk| {
                chunk.iter_mut().zip(first..).for_each(|(item, index)| *item += index + 1);
            });
            assert!(items.iter().copied().eq(1..=len));
        }
    });
}

#[test]
fn vectors_are_collected_in_order() {
    with_teams(|team| {
        for len in [0, 1, 8_192, 8_193, 300_000] {
            let (numbers, texts) = collect_pair(team, len, |index| (index, index.to_string()));
            assert!(numbers.iter().copied().eq(0..len));
            assert!(texts.iter().map(String::as_str).eq(numbers.iter().map(usize::to_string)));
            assert_eq!(collect(team, len, |index| index), numbers);
        }
    });
}

#[test]
fn little_work_calls_nobody() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    pool.install(|| {
        run(|team| {
            assert_eq!(team.threads_for(30, 10), 1);
            assert_eq!(team.threads_for(1_000, 10), 4);
            team.each(4, |_| {});
            assert_eq!(team.threads_for(30, 10), 3);
            assert_eq!(team.threads_for(9, 10), 1);
        });
    });
}

#[test]
fn a_job_that_panics_does_not_leave_helpers_behind() {
    with_teams(|team| {
        let panics = || team.each(8, |index| assert!(index > 0, "on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        team.each(8, |_| {});
    });
}

#[test]
fn a_job_that_panics_in_a_helper_ends_the_run() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (came, went_on) = (AtomicBool::new(false), AtomicBool::new(false));
    let each = |team: &Team| {
        team.each(2, |index| {
            came.fetch_or(index == 1, Relaxed);
            assert!(index == 0, "on purpose");
            while !came.load(Relaxed) {
                std::thread::yield_now();
            }
        });
        went_on.store(true, Relaxed);
    };
    assert!(catch_unwind(AssertUnwindSafe(|| pool.install(|| run(each)))).is_err());
    assert!(!went_on.into_inner());
}
