//! `cargo xtask lines`: the lines of code of each schedule.

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
        files: &["group_mapped.rs", "search.rs"],
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
        name: "binned",
        files: &["binned.rs", "tile_by_tile.rs", "group_reduce.rs", "accumulate.rs"],
        theirs: "-",
        cub: "-",
    },
];

/// Prints a table of them.
pub fn run() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schedule/src/schedules");
    println!("| schedule | own file | with what it shares | Osama et al. | CUB |");
    println!("| --- | --- | --- | --- | --- |");
    for schedule in SCHEDULES {
        let count = |file: &&str| match fs::read_to_string(folder.join(file)) {
            Ok(text) => Ok(code_lines(&text)),
            Err(error) => Err(format!("{file}: {error}")),
        };
        match schedule.files.iter().map(count).collect::<Result<Vec<usize>, String>>() {
            Ok(lines) => println!(
                "| {} | {} | {} | {} | {} |",
                schedule.name,
                lines[0],
                lines.iter().sum::<usize>(),
                schedule.theirs,
                schedule.cub
            ),
            Err(message) => {
                eprintln!("error: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
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
