//! What was not measured because it takes too long, said once for all graphs that it is true of.

use super::subject::Subject;

/// Something that some graphs are too large for.
pub(super) struct LeftOut {
    /// What it is, such as `apsp`.
    what: String,
    /// Why, such as `more than 4096 vertices`.
    why: String,
    graphs: Vec<String>,
}

/// How many graphs are named.
const MOST_NAMES: usize = 4;

/// Notes that something was left out on a graph.
pub(super) fn add(all: &mut Vec<LeftOut>, subject: &Subject, what: String, why: String) {
    let graph = subject.name.clone();
    match all.iter_mut().find(|known| (&known.what, &known.why) == (&what, &why)) {
        Some(known) => known.graphs.push(graph),
        None => all.push(LeftOut { what, why, graphs: vec![graph] }),
    }
}

/// All of it in one line.
pub(super) fn told(all: &[LeftOut]) -> String {
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

/// Why something is left out that takes up to `most` of something.
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
            told(&all),
            "apsp on a, b, c, d and 2 more (more than 4 edges); coloring on a (more than 4 edges)"
        );
    }
}
