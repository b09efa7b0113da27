//! `cargo xtask lines`: lines of code of each schedule, and of algorithms on the operators.

use std::path::Path;

use crate::command::read;

/// A schedule, its files, and the lines that Osama et al. (table 1) report for theirs and for
/// CUB's.
struct Schedule {
    name: &'static str,
    files: &'static [&'static str],
    theirs: &'static str,
    cub: &'static str,
}

const SCHEDULES: &[Schedule] = &[
    Schedule {
        name: "thread-mapped",
        files: &["thread_mapped.rs", "accumulate.rs"],
        theirs: "21",
        cub: "22",
    },
    Schedule {
        name: "group-mapped",
        files: &["group_mapped.rs", "group_tiles.rs", "search.rs"],
        theirs: "30",
        cub: "-",
    },
    Schedule {
        name: "plane-mapped, cube-mapped",
        files: &["tile_by_tile.rs", "group_reduce.rs", "accumulate.rs"],
        theirs: "30",
        cub: "-",
    },
    Schedule {
        name: "merge-path",
        files: &["merge_path.rs", "split.rs", "segmented.rs", "group_reduce.rs", "search.rs"],
        theirs: "36",
        cub: "503",
    },
    Schedule {
        name: "nonzero-split",
        files: &["nonzero_split.rs", "split.rs", "segmented.rs", "group_reduce.rs", "search.rs"],
        theirs: "-",
        cub: "-",
    },
    Schedule {
        name: "persistent, work-stealing",
        files: &["dynamic.rs", "tile_by_tile.rs", "group_reduce.rs", "accumulate.rs"],
        theirs: "-",
        cub: "-",
    },
    Schedule {
        name: "binned",
        files: &["binned.rs", "tile_by_tile.rs", "group_reduce.rs", "accumulate.rs"],
        theirs: "-",
        cub: "-",
    },
];

/// Algorithms on the operators, and their files: of the library without verifiers, examples with
/// them.
const ALGORITHMS: &[(&str, &str)] = &[
    ("BFS on a GPU", "equipoise/src/bfs/gpu.rs"),
    ("SSSP on a GPU", "equipoise/src/sssp/gpu.rs"),
    ("connected components", "schedule/examples/connected_components.rs"),
    ("PageRank", "schedule/examples/pagerank.rs"),
];

/// Prints the tables.
pub fn run() -> Result<(), String> {
    schedules()?;
    algorithms()
}

fn algorithms() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    println!("\n| algorithm on the operators | lines |");
    println!("| --- | --- |");
    for (name, file) in ALGORITHMS {
        println!("| {name} | {} |", lines_of(&folder, file)?);
    }
    Ok(())
}

fn lines_of(folder: &Path, file: &str) -> Result<usize, String> {
    Ok(code_lines(&read(&folder.join(file))?))
}

fn schedules() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schedule/src/model/schedules");
    println!("| schedule | own file | with what it shares | Osama et al. | CUB |");
    println!("| --- | --- | --- | --- | --- |");
    for schedule in SCHEDULES {
        let count = |file: &&str| lines_of(&folder, file);
        let lines = schedule.files.iter().map(count).collect::<Result<Vec<usize>, String>>()?;
        println!(
            "| {} | {} | {} | {} | {} |",
            schedule.name,
            lines[0],
            lines.iter().sum::<usize>(),
            schedule.theirs,
            schedule.cub
        );
    }
    Ok(())
}

/// The number of lines that are neither empty nor comments.
fn code_lines(text: &str) -> usize {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    text.lines().filter(is_code).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_no_code() {
        assert_eq!(code_lines("//! a\n\nfn f() {\n    // why\n}\n"), 2);
    }

    #[test]
    fn every_counted_file_exists() {
        assert_eq!(run(), Ok(()));
    }
}
