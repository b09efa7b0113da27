//! Commands with a GPU per rank.

use std::io::Write;

use equipoise_cluster::{
    Comm,
    commands::{Cli, Job, Request},
    run_threads,
};

/// The output of rank 0 of two.
fn run(arguments: &str) -> String {
    let words = ["equipoise-mpi"].into_iter().chain(arguments.split(' '));
    let Ok(Request::Work(cli)) = Cli::read(words.map(Into::into)) else { panic!("{arguments}") };
    let mut printed = run_threads(2, 64, |comm| {
        let mut printed = Vec::new();
        let job = Job { comm, ranks_on_node: 2, rank_on_node: comm.rank(), threads: 1 };
        let out = (comm.rank() == 0).then_some(&mut printed as &mut dyn Write);
        cli.run(&job, out).unwrap();
        String::from_utf8(printed).unwrap()
    });
    printed.swap_remove(0)
}

#[test]
fn every_command_runs_on_gpus_and_is_verified() {
    let commands = [
        "bfs rmat:scale=7 --source 3",
        "sssp rmat:scale=7,weights=1..9 --source 3",
        "components er:n=200,m=180",
        "pagerank rmat:scale=7",
        "color rmat:scale=7",
        "spmv rmat:scale=7,weights=1..9",
    ];
    for command in commands {
        let text = run(&format!("{command} --device wgpu"));
        let has = |start: &str| text.lines().any(|line| line.starts_with(start));
        assert!(has("device     wgpu: ") && has("verified"), "{command}: {text}");
        let json: serde_json::Value =
            serde_json::from_str(&run(&format!("{command} --device wgpu --json"))).unwrap();
        assert_eq!(json["device"], "wgpu", "{command}");
    }
}
