//! The table of times compared with other programs, for a document.

use std::fmt::Write;

use super::{
    columns::{cells, wrong},
    svg::rounded,
};
use crate::report::Result;

/// The graphs that have a column each, in this order.
const GRAPHS: [&str; 4] = ["rmat20", "rmat22", "er20", "grid"];
/// Cases that a picture shows instead.
const GROWTH: &str = "growth ";

/// A Markdown table of the times that `measurements/peers.py` measured: one row per case and program, in milliseconds, with a
/// column for each of the graphs that most cases share. Other graphs are named in the first column.
///
/// ```
/// let csv = "case,graph,program,milliseconds\nbfs,rmat20,gap,3.6\nbfs,grid,gap,60\n";
/// let table = equipoise_lab::report::peers(csv)?;
/// assert!(table.ends_with("| bfs | gap | 3.6 | | | 60 |\n"));
/// # Ok::<(), equipoise_lab::report::Error>(())
/// ```
pub fn peers(csv: &str) -> Result<String> {
    let mut rows: Vec<([String; 2], [String; 4])> = Vec::new();
    for (line, [case, graph, program, time]) in
        cells(csv, ["case", "graph", "program", "milliseconds"])?
    {
        if case.starts_with(GROWTH) {
            continue;
        }
        let time: f64 = time.parse().map_err(|_| wrong(line, format!("`{time}` is no time")))?;
        let place = GRAPHS.iter().position(|name| *name == graph);
        let case =
            if place.is_some() || graph.is_empty() { case } else { format!("{case}, {graph}") };
        let name = [case, program];
        let row = rows.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            rows.push((name, Default::default()));
            rows.len() - 1
        });
        rows[row].1[place.unwrap_or_default()] = rounded(time);
    }
    // Rows of a case stand together, in the order of their first time.
    let cases: Vec<String> = rows.iter().map(|(name, _)| name[0].clone()).collect();
    rows.sort_by_key(|(name, _)| cases.iter().position(|case| *case == name[0]));
    let mut table =
        format!("| ms | | {} |\n| --- | --- | ---: | ---: | ---: | ---: |\n", GRAPHS.join(" | "));
    for ([case, program], times) in rows {
        // Writing to a string cannot fail.
        let _ = write!(table, "| {case} | {program} |");
        for time in times {
            let _ = write!(table, "{}{time} |", if time.is_empty() { "" } else { " " });
        }
        table.push('\n');
    }
    Ok(table.replace("||", "| |").replace("||", "| |"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_a_case_stand_together_and_other_graphs_are_named() {
        let csv = "case,graph,program,milliseconds\na,rmat20,ours,1\nb,rmat14,ours,2\na,rmat20,gap,3\n\
                   growth a,rmat20,ours,9\n";
        let table = peers(csv).unwrap();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows[0], "| a | ours | 1 | | | |");
        assert_eq!(rows[1], "| a | gap | 3 | | | |");
        assert_eq!(rows[2], "| b, rmat14 | ours | 2 | | | |");
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn a_table_without_times_is_refused() {
        let error = peers("case,graph,program,milliseconds\na,rmat20,ours,fast\n").unwrap_err();
        assert!(error.to_string().contains("`fast` is no time"), "{error}");
    }
}
