//! Measurements skipped because they would take too long, reported once for all affected graphs.

use super::subject::Subject;

/// A measurement that is too slow on some graphs.
pub(super) struct LeftOut {
    /// The measurement, such as `apsp`.
    what: String,
    /// The reason, such as `more than 4096 vertices`.
    why: String,
    graphs: Vec<String>,
}

/// The number of graphs named.
const MOST_NAMES: usize = 4;

/// Records that a measurement was skipped on a graph.
pub(super) fn add(all: &mut Vec<LeftOut>, subject: &Subject, what: String, why: String) {
    let graph = subject.name.clone();
    match all.iter_mut().find(|known| (&known.what, &known.why) == (&what, &why)) {
        Some(known) => known.graphs.push(graph),
        None => all.push(LeftOut { what, why, graphs: vec![graph] }),
    }
}

/// All skipped measurements in one line.
pub(super) fn summary(all: &[LeftOut]) -> String {
    let one = |LeftOut { what, why, graphs }: &LeftOut| {
        let named = &graphs[..graphs.len().min(MOST_NAMES)];
        let more = match graphs.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{what} on {}{more} ({why})", named.join(", "))
    };
    all.iter().map(one).collect::<Vec<String>>().join("; ")
}

/// The reason to skip a measurement that is limited to `most`.
pub(super) fn over(number: u64, most: u64, of: &str) -> Option<String> {
    (number > most).then(|| format!("more than {most} {of}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_with_the_same_reason_are_told_together() {
        let why = over(5, 4, "edges").unwrap();
        assert_eq!((over(4, 4, "edges"), &*why), (None, "more than 4 edges"));
        let graphs = ["a", "b", "c", "d", "e", "f"].map(String::from).to_vec();
        let all = [
            LeftOut { what: "apsp".into(), why: why.clone(), graphs },
            LeftOut { what: "coloring".into(), why, graphs: vec!["a".into()] },
        ];
        assert_eq!(
            summary(&all),
            "apsp on a, b, c, d and 2 more (more than 4 edges); coloring on a (more than 4 edges)"
        );
    }
}
