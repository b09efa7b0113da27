//! The lines of code of each strategy on a GPU: what is neither empty nor a comment nor a test. They
//! are in `lines.csv`, which a test compares with the source.

const LINES: &str = include_str!("lines.csv");

/// The lines of a strategy, with those that it shares with a few others; nothing where they are not
/// known.
pub(super) fn of(strategy: &str) -> Option<u32> {
    let rows = LINES.lines().filter_map(|row| row.split_once(','));
    let (_, lines) = rows.into_iter().find(|(name, _)| *name == strategy)?;
    lines.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use equipoise::traversal::Strategy;

    use super::*;

    /// A file, and the functions of it that belong to a strategy: all of it where none is named.
    type Part = (&'static str, &'static [&'static str]);

    /// A file of the library.
    macro_rules! library {
        ($file:literal) => {
            concat!("equipoise/src/", $file)
        };
    }

    /// A file of the engine.
    macro_rules! engine {
        ($file:literal) => {
            concat!("schedule/src/engine/", $file)
        };
    }

    /// The file of a schedule.
    macro_rules! schedule {
        ($file:literal) => {
            concat!("schedule/src/schedules/", $file)
        };
    }

    const PLAIN: &str = library!("bfs/gpu_plain.rs");
    const WHOLE: &str = library!("traversal/strategies/whole.rs");
    const DECOMPOSE: Part = (library!("traversal/strategies/decompose.rs"), &[]);
    const SCHEDULED: Part = (library!("traversal/strategies/scheduled.rs"), &[]);
    const SEARCH: Part = (schedule!("search.rs"), &[]);
    const ACCUMULATE: Part = (schedule!("accumulate.rs"), &[]);
    const GROUP_REDUCE: Part = (schedule!("group_reduce.rs"), &[]);
    const TILE_BY_TILE: Part = (schedule!("tile_by_tile.rs"), &[]);
    const PLANE_OR_CUBE: &[Part] = &[SCHEDULED, TILE_BY_TILE, GROUP_REDUCE, ACCUMULATE];
    const DEVICE_LOOP: [Part; 8] = [
        (engine!("counts.rs"), &[]),
        (engine!("device_loop.rs"), &[]),
        (engine!("pace.rs"), &[]),
        (engine!("parts.rs"), &[]),
        (engine!("relax.rs"), &[]),
        (engine!("search.rs"), &[]),
        (engine!("start.rs"), &[]),
        (engine!("state.rs"), &[]),
    ];

    /// What a strategy consists of beside what all strategies share.
    fn parts(strategy: &str) -> Vec<Part> {
        match strategy {
            "node" => vec![(library!("traversal/strategies/node.rs"), &[])],
            "topology" => vec![(WHOLE, &["push_vertices", "push_all_vertices"])],
            "pull" => vec![(library!("bfs/gpu_pull.rs"), &[])],
            "virtual-warp" => vec![(WHOLE, &["push_in_groups", "push_all_vertices"])],
            "edge-topology" => vec![(WHOLE, &["push_edges", "push_all_edges"])],
            "edge-reverse" => vec![(WHOLE, &["push_edges", "push_all_edges"])],
            "edge" => vec![(library!("traversal/strategies/edge.rs"), &[])],
            "decompose" => vec![DECOMPOSE],
            "split" => vec![(library!("traversal/strategies/split.rs"), &[])],
            "hierarchy" => vec![(library!("traversal/strategies/hierarchy.rs"), &[]), DECOMPOSE],
            "level-synchronous" => vec![(PLAIN, &["visit_level"])],
            "scan" => vec![(PLAIN, &["next_layer", "count_reached", "populate_next"])],
            "two-phase" => vec![(library!("sssp/two_phase.rs"), &[])],
            "group" => vec![SCHEDULED, (schedule!("group_mapped.rs"), &[]), SEARCH],
            "plane" | "cube" => PLANE_OR_CUBE.to_vec(),
            "binned" => [&[(schedule!("binned.rs"), &[][..])], PLANE_OR_CUBE].concat(),
            "merge-path" => vec![
                SCHEDULED,
                (schedule!("merge_path.rs"), &[]),
                (schedule!("split.rs"), &[]),
                (schedule!("segmented.rs"), &[]),
                GROUP_REDUCE,
                SEARCH,
            ],
            "delta" => {
                vec![
                    (library!("sssp/gpu_delta/mod.rs"), &[]),
                    (library!("sssp/gpu_delta/kernels.rs"), &[]),
                ]
            }
            "direction-optimising" => [
                &[
                    (library!("bfs/gpu.rs"), &[][..]),
                    (engine!("direction.rs"), &[]),
                    (engine!("levels.rs"), &[]),
                    (engine!("pull.rs"), &[]),
                ],
                &DEVICE_LOOP[..],
            ]
            .concat(),
            "near-far" => [
                &[(library!("sssp/gpu.rs"), &[][..]), (engine!("near_far.rs"), &[])],
                &DEVICE_LOOP[..],
            ]
            .concat(),
            _ => Vec::new(),
        }
    }

    fn source_of(file: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn lines_of((file, functions): Part) -> usize {
        let source = source_of(file);
        match functions {
            [] => code_lines(source.lines()),
            named => named.iter().map(|name| code_lines(function(&source, name).into_iter())).sum(),
        }
    }

    /// Counts code up to the tests.
    fn code_lines<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
        let code = lines.take_while(|line| !line.starts_with("#[cfg(test)]")).map(str::trim);
        code.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
    }

    /// A function, from its attributes to its closing brace, which rustfmt puts below its first word.
    fn function<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
        let lines: Vec<&str> = source.lines().collect();
        let starts = |line: &&str| {
            let after = line.split_once("fn ").map_or("", |(_, after)| after);
            after.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', '<']))
        };
        let Some(start) = lines.iter().position(starts) else { return Vec::new() };
        let indent = lines[start].len() - lines[start].trim_start().len();
        let closing = format!("{}}}", " ".repeat(indent));
        let is_attribute = |line: &&&str| line.trim_start().starts_with("#[");
        let attributes = lines[..start].iter().rev().take_while(is_attribute).count();
        let ends = |line: &&str| *line == closing || *line == lines[start] && line.ends_with('}');
        let length = lines[start..].iter().position(ends).map_or(0, |end| end + 1);
        lines[start - attributes..start + length].to_vec()
    }

    #[test]
    fn comments_tests_and_empty_lines_are_no_code() {
        let source = "//! a\n\nfn f() {\n    // why\n}\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(code_lines(source.lines()), 2);
    }

    #[test]
    fn a_function_is_counted_from_its_attributes_to_its_end() {
        let source =
            "fn ab() {}\n/// Why.\n#[cube]\npub fn a<T>(\n    t: T,\n) {\n    {\n    }\n}\nx\n";
        assert_eq!(code_lines(function(source, "a").into_iter()), 7);
        assert_eq!(function(source, "ab"), ["fn ab() {}"]);
        assert!(function(source, "b").is_empty());
    }

    fn strategies() -> impl Iterator<Item = &'static str> {
        let names = Strategy::BFS.iter().map(|strategy| strategy.name());
        names.chain(["two-phase", "near-far", "delta"])
    }

    #[test]
    fn every_function_that_is_named_is_there() {
        for name in strategies() {
            for (file, functions) in parts(name) {
                let source = source_of(file);
                let is_there = |function_name: &&&str| !function(&source, function_name).is_empty();
                assert!(functions.iter().all(|it| is_there(&it)), "{name}: {functions:?}");
            }
        }
    }

    #[test]
    fn the_table_has_what_is_counted() {
        let counted =
            strategies().map(|name| (name, parts(name).into_iter().map(lines_of).sum::<usize>()));
        let rows: String = counted
            .filter(|(_, lines)| *lines > 0)
            .map(|(name, lines)| format!("{name},{lines}\n"))
            .collect();
        if LINES != rows {
            let table =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("src/experiments/bench/lines.csv");
            fs::write(&table, &rows).unwrap();
            panic!("{} was not up to date, and is now: commit it", table.display());
        }
        assert_eq!(of("sorting"), None);
        assert!(of("node") < of("hierarchy"), "{:?} and {:?}", of("node"), of("hierarchy"));
    }
}
