//! The rows that a rank reads, with about equal numbers of edges.

use std::ops::Range;

use super::{RowFiles, file::OpenFile};
use crate::{Comm, Result, share::share};

/// The rows of this rank.
pub(super) fn rows(comm: &dyn Comm, rows: &RowFiles) -> Result<Range<u64>> {
    let edges = share(comm, rows.edges);
    let start = if comm.rank() == 0 { 0 } else { row_at(rows, edges.start)? };
    let end = if comm.rank() + 1 == comm.size() { rows.vertices } else { row_at(rows, edges.end)? };
    Ok(start..end.max(start))
}

/// The first row whose edges start at `edge` or after it.
fn row_at(rows: &RowFiles, edge: u64) -> Result<u64> {
    let mut before = 0;
    for file in &rows.files {
        if edge > before + file.edges {
            before += file.edges;
            continue;
        }
        let open = OpenFile::open(file)?;
        let (mut low, mut high) = (0, file.rows);
        while low < high {
            let middle = low + (high - low) / 2;
            let starts: Vec<u64> = open.numbers(0, middle..middle + 1)?;
            if starts[0].saturating_add(before) < edge { low = middle + 1 } else { high = middle }
        }
        return Ok(file.first + low);
    }
    Ok(rows.vertices)
}
