//! The program under `mpirun` with a GPU per rank, which can be a shared one in software.
#![cfg(feature = "wgpu")]
// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

mod common;

use common::{has_mpi, job, mpirun, run};

#[test]
fn two_ranks_with_a_gpu_each_are_verified() {
    if !has_mpi() {
        return;
    }
    let commands = [
        "bfs rmat:scale=9",
        "sssp rmat:scale=8,weights=1..9",
        "components er:n=500,m=450",
        "pagerank rmat:scale=8",
        "color rmat:scale=8",
        "spmv rmat:scale=8,weights=1..9",
    ];
    for command in commands {
        let mut program = job(&mpirun(), 2, env!("CARGO_BIN_EXE_equipoise-mpi"));
        let ended = run(program.args(command.split(' ')).args(["--device", "wgpu"])).succeeded();
        let is_on_gpu = ended.out.contains("device     wgpu: ");
        assert!(is_on_gpu && ended.out.contains("\nverified "), "{command}: {}", ended.out);
    }
}
