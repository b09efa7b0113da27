//! Output of the commands on any number of ranks, which are threads.

use std::{collections::BTreeMap, fs, io::Write, path::Path};

use equipoise_cluster::{
    Comm,
    commands::{Cli, Failure, Job, Request},
    run_threads,
};
use equipoise_graph::io::{ReadOptions, read_graph, write_graph};
use serde_json::Value;

/// The output of rank 0, or its failure; all ranks end in the same way.
fn run(ranks: usize, arguments: &str) -> Result<String, Failure> {
    let words = ["equipoise-mpi"].into_iter().chain(arguments.split(' '));
    let Request::Work(cli) = Cli::read(words.map(Into::into))? else { panic!("{arguments}") };
    let mut outcomes = run_threads(ranks, 64, |comm| {
        let mut printed = Vec::new();
        let job = Job { comm, ranks_on_node: ranks, rank_on_node: comm.rank(), threads: 1 };
        let out = (comm.rank() == 0).then_some(&mut printed as &mut dyn Write);
        cli.run(&job, out).map(|()| String::from_utf8(printed).unwrap())
    });
    let codes: Vec<_> =
        outcomes.iter().map(|outcome| outcome.as_ref().map_err(Failure::code).err()).collect();
    assert!(codes.iter().all(|code| *code == codes[0]), "{arguments}: {codes:?}");
    assert!(outcomes[1..].iter().all(|outcome| outcome.as_ref().map_or(true, String::is_empty)));
    outcomes.swap_remove(0)
}

fn json(ranks: usize, arguments: &str) -> Value {
    let text = run(ranks, &format!("{arguments} --json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The file that a command writes.
fn written(ranks: usize, arguments: &str, name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    assert_eq!(run(ranks, &format!("{arguments} -q -o {}", path.display())).unwrap(), "");
    fs::read_to_string(path).unwrap()
}

#[test]
fn results_do_not_depend_on_the_number_of_ranks() {
    let commands = [
        "sssp rmat:scale=7,weights=1..9 --source 3",
        "components er:n=200,m=180",
        "pagerank rmat:scale=7",
        "color rmat:scale=7",
        "spmv rmat:scale=7,weights=1..9",
    ];
    for command in commands {
        let alone = written(1, command, "result.tsv");
        // Any valid predecessor may be found.
        let compared = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| line.split('\t').take(2).collect::<Vec<_>>().join(" "))
                .collect()
        };
        for ranks in [2, 3, 5] {
            let together = written(ranks, command, "result.tsv");
            assert_eq!(compared(&together), compared(&alone), "{command} on {ranks} ranks");
        }
    }
}

/// Decimal weights have 64 bits by default.
#[test]
fn tenths_add_up_to_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenths.wel");
    let lines: String = (0..2000).map(|edge| format!("{edge} {} 0.1\n", edge + 1)).collect();
    fs::write(&path, lines).unwrap();
    let file = path.display().to_string();
    for input in [&file, "path:n=2001,weights=0.1..0.1"] {
        for (ranks, weights) in [(1, "auto"), (3, "auto"), (2, "f64"), (2, "f32")] {
            let command = format!("sssp {input} --source 0 --weights {weights}");
            let rows = written(ranks, &command, "distances.tsv");
            let last: f64 =
                rows.lines().last().unwrap().split('\t').nth(1).unwrap().parse().unwrap();
            let is_near = (last - 200.0).abs() <= 1e-12 * 200.0;
            assert_eq!(is_near, weights != "f32", "{input} as {weights}: {last}");
            assert!(is_near || (last - 200.0).abs() < 0.01, "{last}");
        }
    }
}

#[test]
fn levels_are_written_with_parents_by_the_ids_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("friends.txt");
    fs::write(&path, "100 7\n7 42\n42 9000\n42 100\n5 5\n").unwrap();
    let command = format!("bfs {} --source 100", path.display());
    for ranks in 1..5 {
        assert_eq!(
            written(ranks, &command, "levels.csv"),
            "vertex,level,parent\n5,,\n7,1,100\n42,2,7\n100,0,100\n9000,3,42\n",
            "{ranks} ranks"
        );
    }
    let value: Value = serde_json::from_str(&written(3, &command, "levels.json")).unwrap();
    assert_eq!((&value[0]["level"], &value[4]["parent"]), (&Value::Null, &42.into()));
    assert_eq!(value.as_array().unwrap().len(), 5);
    let several = written(2, &format!("bfs {} --source 100,7", path.display()), "levels.tsv");
    assert_eq!(several.lines().count(), 11);
    assert_eq!(several.lines().nth(7), Some("7\t7\t0\t7"));
}

#[test]
fn vertices_with_names_are_printed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (table, path) = (folder.path().join("roads.csv"), folder.path().join("roads.eqp"));
    fs::write(&table, "from,to,km\nUlm,Bonn,431\nBonn,Kiel,502\n\"Frankfurt, Main\",Ulm,282\n")
        .unwrap();
    let roads = ReadOptions { undirected: true, ..ReadOptions::default() };
    write_graph(&read_graph(&table, &roads).unwrap(), &path, None).unwrap();
    let command = format!("sssp {} --source Ulm", path.display());
    for ranks in 1..4 {
        assert_eq!(
            written(ranks, &command, "distances.csv"),
            "vertex,distance,predecessor\nBonn,431,Ulm\n\"Frankfurt, Main\",282,Ulm\nKiel,933,Bonn\nUlm,0,Ulm\n"
        );
    }
    let refused = run(2, &format!("sssp {} --source Rom", path.display())).unwrap_err();
    assert_eq!(refused.code(), 1);
    assert!(refused.to_string().contains("vertex Rom does not exist"), "{refused}");
}

#[test]
fn the_report_has_traffic_and_waits() {
    let text = run(3, "bfs star:n=9").unwrap();
    for line in [
        "graph      star:n=9: 9 vertices, 8 edges, undirected\n",
        "device     cpu, 3 ranks of 1 thread\n",
        "source     0 (the largest degree, 8)\n",
        "reached    9 of 9 vertices\n",
        "depth      1\n",
        "(one run, no warm-up)\n",
        "verified   levels and parents keep every rule of a breadth-first search, in ",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let header = text.lines().find(|line| line.contains("frontier")).unwrap();
    let words: Vec<&str> = header.split_whitespace().collect();
    assert_eq!(words, ["level", "strategy", "frontier", "edges", "sent", "waited", "time"]);
    let text = run(2, "components path:n=9 --repeat 3 --no-validate").unwrap();
    assert!(text.contains("(median of 3 runs after a warm-up, "), "{text}");
    assert!(text.ends_with("unverified --no-validate was given\n"), "{text}");
}

#[test]
fn json_has_traffic_and_waits() {
    let document = json(3, "bfs rmat:scale=6 --random-sources 2 --seed 7");
    assert_eq!((&document["command"], &document["ranks"]), (&"bfs".into(), &3.into()));
    assert_eq!(document["graph"]["vertices"], 64);
    let searches = document["searches"].as_array().unwrap();
    assert_eq!(searches.len(), 2);
    assert_eq!(searches[0]["runs"]["verification"]["verdict"], "proved");
    let step = &searches[0]["trace"]["steps"][0];
    assert!(step["bytes"].is_u64() && step["waited_seconds"].is_f64(), "{step}");
    // The vertices do not depend on the number of ranks.
    let alone = json(1, "bfs rmat:scale=6 --random-sources 2 --seed 7");
    assert_eq!(alone["searches"][1]["source"], searches[1]["source"]);

    let ranked = json(2, "pagerank star:n=9");
    assert_eq!(ranked["highest"][0]["vertex"], 0);
    assert_eq!((&ranked["converged"], &ranked["options"]["damping"]), (&true.into(), &0.85.into()));
    assert_eq!(json(2, "color star:n=9")["colors"], 2);
    assert_eq!(json(3, "components isolated:n=4")["components"], 4);
    assert_eq!(json(2, "spmv isolated:n=4")["sum"], 0.0);
}

#[test]
fn a_folder_of_parts_has_all_rows_and_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("levels");
    let command = format!("bfs grid:width=9,height=9 --source 0 -q --parts {}", parts.display());
    run(3, &command).unwrap();
    let manifest: Value =
        serde_json::from_slice(&fs::read(parts.join("manifest.json")).unwrap()).unwrap();
    assert_eq!((&manifest["rows"], &manifest["columns"][1]), (&81.into(), &"level".into()));
    let text =
        |part: &Value| fs::read_to_string(parts.join(part["file"].as_str().unwrap())).unwrap();
    let rows: BTreeMap<String, String> = manifest["parts"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|part| text(part).lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
        .map(|line| (line.split('\t').next().unwrap().to_owned(), line))
        .collect();
    assert_eq!(rows.len(), 81);
    assert!(rows["80"].starts_with("80\t16\t"));
    // Existing files are not overwritten.
    assert!(run(2, &command).unwrap_err().to_string().contains("this folder is not empty"));
}

#[test]
fn a_converted_graph_opens_on_another_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph");
    let command = format!("convert rmat:scale=6 -o {}", path.display());
    assert!(run(3, &command).unwrap().contains(": 3 parts, "));
    let expected = json(1, "components rmat:scale=6");
    let result = json(2, &format!("components {}", path.display()));
    assert_eq!(result["components"], expected["components"]);
    assert_eq!(result["graph"]["directed_edges"], expected["graph"]["directed_edges"]);
}

#[test]
fn traces_are_files_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(2, &format!("bfs path:n=4 --source 0 -q --trace {}", path("trace.csv").display())).unwrap();
    let text = fs::read_to_string(path("trace.csv")).unwrap();
    assert!(
        text.starts_with("source,index,strategy,frontier,edges,bytes,waited_seconds,seconds\n0,0,"),
        "{text}"
    );
    run(2, &format!("color path:n=4 -q --trace {}", path("trace.json").display())).unwrap();
    let value: Value = serde_json::from_slice(&fs::read(path("trace.json")).unwrap()).unwrap();
    assert!(value[0]["steps"][0]["bytes"].is_u64());
}

#[test]
fn invalid_arguments_are_refused_on_all_ranks_before_any_work() {
    for (arguments, code, message) in [
        ("bfs path:n=3 --parts a -o b.tsv", 2, "cannot be used with"),
        ("bfs path:n=3 -o levels.npy", 2, ".npy is no format for this file; known are: .tsv"),
        ("bfs path:n=3 -o /no/such/levels.tsv", 1, "no such folder to write to"),
        ("bfs path:n=3 --trace trace.txt", 2, ".txt is no format for this file; known are: .json"),
        ("bfs path:n=3 --source 4", 1, "vertex 4 does not exist"),
        ("bfs path:n=3 --random-sources 9", 1, "only 3 vertices have an outgoing edge"),
        ("bfs isolated:n=0", 1, "no vertices"),
        ("bfs path:n=3 --device gpu", 2, "invalid value"),
        ("sssp path:n=3 --delta 0", 1, "`delta` is 0"),
        ("pagerank path:n=3 --damping 2", 1, "`damping` is 2"),
        ("bfs no-such-file.gr", 1, "no-such-file.gr"),
        ("bsf path:n=3", 2, "unrecognized subcommand"),
    ] {
        let refused = run(3, arguments).unwrap_err();
        assert_eq!(refused.code(), code, "{arguments}: {refused}");
        assert!(refused.to_string().contains(message), "{arguments}: {refused}");
        assert!(!Path::new("levels.npy").exists());
    }
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (roads, levels, linked) = (path("roads.tsv"), path("levels.csv"), path("linked.tsv"));
    fs::write(&roads, "1\t2\n2\t3\n").unwrap();
    fs::hard_link(&roads, &linked).unwrap();
    for arguments in [
        format!("bfs {roads} -o {roads}"),
        format!("pagerank {roads} -o {linked}"),
        format!("bfs {roads} -o {levels} --trace {levels}"),
    ] {
        let refused = run(2, &arguments).unwrap_err().to_string();
        assert!(refused.contains("this is the file of"), "{arguments}: {refused}");
    }
    assert_eq!(fs::read_to_string(&roads).unwrap(), "1\t2\n2\t3\n");
    assert!(!Path::new(&levels).exists());
}

#[test]
fn guesses_about_a_table_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("roads.csv");
    fs::write(&path, "from,to,km\n1,2,5\n2,3,7\n").unwrap();
    let guess = "header \"from,to,km\"; columns 1, 2; weights from 3";
    let text = run(2, &format!("sssp {}", path.display())).unwrap();
    assert!(text.contains(&format!("\nread       {guess}\n")), "{text}");
    let document = json(2, &format!("sssp {}", path.display()));
    assert_eq!(document["graph"]["read"], serde_json::json!([guess]));
    assert!(json(2, "bfs path:n=3")["graph"].get("read").is_none());
}

#[test]
fn options_without_an_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("parts").display().to_string();
    run(2, &format!("convert path:n=9 -o {parts}")).unwrap();
    for (graph, option) in [
        ("path:n=9", "--ids names"),
        ("path:n=9", "--format csv"),
        (&parts, "--edge-columns 2,1"),
        (&parts, "--header no"),
    ] {
        let refused = run(2, &format!("bfs {graph} {option}")).unwrap_err().to_string();
        assert!(refused.contains("it has no columns, no header"), "{graph} {option}: {refused}");
    }
}

#[test]
fn infinities_differ_from_missing_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.wel");
    fs::write(&path, "0 1 inf\n1 0 1.5\n").unwrap();
    let sum = &json(2, &format!("spmv {}", path.display()))["sum"];
    assert!(sum == "Infinity" || sum == "-Infinity", "{sum}");
    let rows = written(2, &format!("spmv {}", path.display()), "y.json");
    assert!(
        rows.contains("\"value\": \"Infinity\"") || rows.contains("\"value\": \"-Infinity\""),
        "{rows}"
    );
}
