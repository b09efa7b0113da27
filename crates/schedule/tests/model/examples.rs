//! The examples run, check their results, and are as short as the documentation says.
#![allow(dead_code)]

#[path = "../../examples/connected_components.rs"]
mod connected_components;
#[path = "../../examples/custom_kernel.rs"]
mod custom_kernel;
#[path = "../../examples/custom_schedule.rs"]
mod custom_schedule;
#[path = "../../examples/custom_tile_set.rs"]
mod custom_tile_set;
#[path = "../../examples/custom_work.rs"]
mod custom_work;
#[path = "../../examples/pagerank.rs"]
mod pagerank;
#[path = "../../examples/shortest_paths.rs"]
mod shortest_paths;

/// The software device on a machine without a GPU: mesa-vulkan-drivers on Debian and Ubuntu.
const DEVICE: &str = "wgpu";

#[test]
fn a_work() {
    custom_work::run(DEVICE).unwrap();
}

#[test]
fn a_schedule() {
    custom_schedule::run(DEVICE).unwrap();
}

#[test]
fn a_tile_set() {
    custom_tile_set::run(DEVICE).unwrap();
}

#[test]
fn a_kernel() {
    custom_kernel::run(DEVICE).unwrap();
}

#[test]
fn a_kernel_of_atoms() {
    shortest_paths::run(DEVICE).unwrap();
}

#[test]
fn components() {
    for graph in ["rmat:scale=9", "path:n=400", "isolated:n=1", "er:n=300,m=200,directed=true"] {
        connected_components::run(DEVICE, graph).unwrap();
    }
}

#[test]
fn ranks() {
    for graph in ["rmat:scale=9,directed=true", "star:n=200", "isolated:n=3", "path:n=9"] {
        pagerank::run(DEVICE, graph).unwrap();
    }
}

#[test]
fn without_a_gpu_they_say_so() {
    let problem = custom_work::run("cpu").unwrap_err().to_string();
    assert!(problem.starts_with("this example needs a GPU"), "{problem}");
    let problem = custom_work::run("gpu").unwrap_err().to_string();
    assert!(problem.starts_with("unknown device `gpu`"), "{problem}");
}

/// The number of lines between the markers.
fn lines_of(example: &str) -> usize {
    let (_, from) = example.split_once(", from here\n").unwrap();
    let (part, _) = from.split_once("// to here\n").unwrap();
    part.lines().count()
}

#[test]
fn a_work_takes_fewer_than_30_lines_and_a_schedule_fewer_than_60() {
    let work = lines_of(include_str!("../../examples/custom_work.rs"));
    assert!((10..30).contains(&work), "{work} lines");
    let schedule = lines_of(include_str!("../../examples/custom_schedule.rs"));
    assert!((10..60).contains(&schedule), "{schedule} lines");
}

/// Lines that are neither empty nor comments.
fn lines_of_code(example: &str) -> usize {
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
    example.lines().map(str::trim).filter(is_code).count()
}

#[test]
fn an_algorithm_takes_fewer_than_120_lines_of_code() {
    for example in [
        include_str!("../../examples/connected_components.rs"),
        include_str!("../../examples/pagerank.rs"),
    ] {
        let lines = lines_of_code(example);
        assert!((40..120).contains(&lines), "{lines} lines");
    }
}
