//! `cargo xtask lines`: the lines of code of each schedule, and of algorithms on the operators.

use std::{fs, path::Path, process::ExitCode};

/// A schedule, its files, and the lines that Osama et al. (table 1) give for theirs and for CUB's.
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

/// Algorithms on the operators, and their files: of the library without their verifiers, the examples
/// with them.
const ALGORITHMS: &[(&str, &str)] = &[
    ("BFS on a GPU", "equipoise/src/bfs/gpu.rs"),
    ("SSSP on a GPU", "equipoise/src/sssp/gpu.rs"),
    ("connected components", "schedule/examples/connected_components.rs"),
    ("PageRank", "schedule/examples/pagerank.rs"),
];

/// Prints tables of them.
pub fn run() -> ExitCode {
    match schedules().and_then(|()| algorithms()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
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
    let text = fs::read_to_string(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
    Ok(code_lines(&text))
}

fn schedules() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schedule/src/schedules");
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

/// Lines that are neither empty nor comments.
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
    fn every_file_that_is_counted_is_there() {
        assert_eq!(run(), ExitCode::SUCCESS);
    }
}
