//! Ranks of MPI exchange the same as threads. Started by Cargo, this program starts itself with `mpirun` on several numbers of
//! ranks.
// Clippy's permission for tests does not cover a test without a harness.
#![allow(clippy::unwrap_used)]

mod common;

use std::env;

use equipoise_cluster::{Comm, Reduction, run_threads};
use equipoise_mpi::MpiComm;

/// Set in the environment of ranks.
const RANK: &str = "EQUIPOISE_TEST_RANK";

fn main() {
    if env::var_os(RANK).is_some() {
        return compare();
    }
    if !common::has_mpi() {
        return;
    }
    let program = env::current_exe().unwrap();
    for ranks in [1, 2, 3, 5] {
        common::run(common::job(&common::mpirun(), ranks, &program).env(RANK, "yes")).succeeded();
        println!("{ranks} ranks of MPI exchange what as many threads do");
    }
}

/// Compares the exchanges of this rank with those of a thread.
fn compare() {
    let universe = mpi::initialize().unwrap();
    for round in [1, 7, 64, usize::MAX] {
        let comm = MpiComm::new(&universe).in_rounds_of(round);
        let expected = run_threads(comm.size(), round.min(1 << 20), |comm| exchanged(comm));
        assert_eq!(exchanged(&comm), expected[comm.rank()], "rounds of {round} bytes");
    }
}

/// Everything that a rank receives.
fn exchanged(comm: &dyn Comm) -> Vec<Vec<u8>> {
    let (rank, size) = (comm.rank(), comm.size());
    // Messages of many lengths from 0 on, and a long one.
    let message =
        |to: usize| vec![(10 * rank + to) as u8; (rank * 31 + to * 17) % 50 * (1 + 40 * (to / 2))];
    let mut received = comm.all_to_all(&(0..size).map(message).collect::<Vec<_>>());
    received.extend(comm.all_gather(&vec![rank as u8; 3 * rank]));
    comm.barrier();
    for reduction in [Reduction::Sum, Reduction::Min, Reduction::Max] {
        let mut values: Vec<u64> =
            (0..20).map(|index| (index * 7 + rank as u64 * 13) % 11).collect();
        values.push(u64::MAX / 8 - rank as u64);
        // The mark of no vertex, on some ranks: some MPIs compare such unsigned numbers wrongly.
        if reduction != Reduction::Sum {
            values.extend([[3, u64::MAX][rank % 2], [u64::MAX, 3][rank % 2], u64::MAX]);
        }
        comm.all_reduce(&mut values, reduction);
        received.extend(values.iter().map(|value| value.to_le_bytes().to_vec()));
    }
    // The sum depends on the order.
    let mut values: Vec<f64> =
        [1e16, 1.0, -1e16, 3.0, 1e-3].iter().map(|value| value / (rank + 1) as f64).collect();
    comm.all_sum(&mut values);
    received.extend(values.iter().map(|value| value.to_le_bytes().to_vec()));
    comm.all_reduce(&mut [], Reduction::Sum);
    received
}
