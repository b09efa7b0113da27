//! Small matrices, like those behind the speedups of Osama et al. The benchmark skips the largest,
//! which have more than 10,000 entries.

/// Matrices of many shapes and sizes, each with its family.
pub fn specs() -> Vec<(&'static str, String)> {
    let mut specs = Vec::new();
    for rows in [10, 30, 100, 300, 1000, 3000] {
        for mean in [1, 2, 4, 8, 16, 32] {
            let entries = rows * mean;
            for columns in [rows / 4 + 1, rows, 4 * rows] {
                specs.push((
                    "even",
                    format!("matrix:rows={rows},columns={columns},entries={entries}"),
                ));
                specs.push((
                    "skewed",
                    format!("matrix:rows={rows},columns={columns},entries={entries},skew=3"),
                ));
            }
            specs.push((
                "giant row",
                format!("matrix:rows={rows},columns={},entries={entries},giant=0.5", 8 * rows),
            ));
            specs.push((
                "empty rows",
                format!("matrix:rows={rows},columns={rows},entries={entries},empty=0.5"),
            ));
            specs.push((
                "band",
                format!("band:rows={rows},columns={rows},width={}", mean.min(rows)),
            ));
            specs.push(("power-law", format!("power-law:n={rows},m={entries}")));
            if 4 * mean < rows {
                let spec = format!("small-world:n={rows},k={},rewire=0.1", 2 * mean);
                specs.push(("small-world", spec));
            }
        }
    }
    for rows in [2, 5, 10, 50, 100, 500, 1000, 2000, 5000, 9999] {
        specs.push(("one column", format!("blocks:rows={rows},columns=1")));
        specs.push(("one row", format!("blocks:rows=1,columns={rows}")));
    }
    for side in [3, 5, 10, 15, 20, 30, 40] {
        specs.push(("grid", format!("grid:width={side},height={side}")));
        specs.push(("dense", format!("blocks:rows={},columns={}", 2 * side, 2 * side)));
    }
    specs
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use equipoise::graph::{io::ReadOptions, load_matrix};

    use super::*;

    #[test]
    fn every_matrix_can_be_made() {
        let specs = specs();
        for (_, spec) in &specs {
            let made = load_matrix::<f32>(spec, &ReadOptions::default());
            made.unwrap_or_else(|error| panic!("{error}"));
        }
        let families: BTreeSet<_> = specs.iter().map(|(family, _)| family).collect();
        assert!(specs.len() > 400 && families.len() == 11, "{} of {families:?}", specs.len());
    }
}
