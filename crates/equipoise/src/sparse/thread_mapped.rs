//! Thread-mapped: rows are divided evenly, whatever they hold.

use super::merge_path::Part;

/// Divides rows into one part a thread. No row is ever cut, so the results do not depend on how
/// many there are.
pub(super) fn thread_mapped(offsets: &[u64]) -> Vec<Part> {
    let rows = offsets.len() - 1;
    let count = rayon::current_num_threads();
    let first_row = |part: usize| (rows as u128 * part as u128 / count as u128) as usize;
    (0..count)
        .map(|part| {
            let rows = first_row(part)..first_row(part + 1);
            Part { entries: offsets[rows.start] as usize..offsets[rows.end] as usize, rows }
        })
        .collect()
}
