//! Ranks that are threads.

use equipoise_cluster::{Comm, Error, Reduction, agree, run_threads};
use proptest::prelude::*;

use crate::whole::ranks;

proptest! {
    #[test]
    fn messages_of_any_length_arrive(ranks in ranks(), lengths in proptest::collection::vec(0..60usize, 25)) {
        let message = |from: usize, to: usize| vec![(from * 5 + to) as u8; lengths[from * 5 + to]];
        let all = ranks.run(|comm| {
            let outgoing: Vec<_> = (0..comm.size()).map(|to| message(comm.rank(), to)).collect();
            (comm.all_to_all(&outgoing), comm.all_gather(&message(comm.rank(), 0)))
        });
        for (to, (messages, gathered)) in all.into_iter().enumerate() {
            for from in 0..ranks.ranks {
                prop_assert_eq!(&messages[from], &message(from, to));
                prop_assert_eq!(&gathered[from], &message(from, 0));
            }
        }
    }

    #[test]
    fn values_are_reduced_over_all_ranks(ranks in ranks(), values in proptest::collection::vec(0..1000u64, 5)) {
        let here = &values[..ranks.ranks];
        let all = ranks.run(|comm| {
            let reduced = |reduction| {
                let mut value = [values[comm.rank()], 1];
                comm.all_reduce(&mut value, reduction);
                value[0]
            };
            let mut sum = [values[comm.rank()] as f64 + 0.5];
            comm.all_sum(&mut sum);
            comm.barrier();
            (reduced(Reduction::Sum), reduced(Reduction::Min), reduced(Reduction::Max), sum[0])
        });
        let sum: u64 = here.iter().sum();
        let expected = (
            sum,
            *here.iter().min().unwrap(),
            *here.iter().max().unwrap(),
            sum as f64 + 0.5 * here.len() as f64,
        );
        prop_assert!(all.iter().all(|&result| result == expected));
    }
}

#[test]
fn all_ranks_fail_with_the_message_of_the_first() {
    let outcomes = run_threads(4, 7, |comm| {
        agree(comm, Ok(()))?;
        match comm.rank() {
            1 | 3 => agree(comm, Err(Error::Option(format!("no {}", comm.rank())))),
            _ => agree(comm, Ok(())),
        }
    });
    for outcome in outcomes {
        assert_eq!(outcome.unwrap_err().to_string(), "rank 1: no 1");
    }
}

#[test]
#[should_panic(expected = "only here")]
fn a_rank_that_panics_ends_the_others() {
    run_threads(3, 64, |comm| {
        assert_ne!(comm.rank(), 1, "only here");
        comm.barrier();
    });
}
