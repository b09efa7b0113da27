//! The times in results, each with a key that is the same in every run.

use std::collections::BTreeMap;

use crate::report::data::{Chunking, LevelTime, Results};

pub(crate) struct Time {
    /// Words from the general to the specific, such as `spmv / rmat20 / merge-path`.
    pub key: String,
    pub seconds: f64,
}

/// All times except those of other programs. Several may have the same key.
pub(crate) fn times(results: &Results) -> Vec<Time> {
    let mut times = Times(Vec::new());
    times.add_searches(results);
    times.add_spmv(results);
    times.add_levels(&results.levels);
    times.add_coloring(results);
    times.add_basics(results);
    times.0
}

/// The median; 0 of no times.
pub(crate) fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    let middle = seconds.len() / 2;
    match (seconds.len() % 2, middle.checked_sub(1).and_then(|below| seconds.get(below))) {
        (0, Some(below)) => (below + seconds[middle]) / 2.0,
        _ => seconds.get(middle).copied().unwrap_or(0.0),
    }
}

struct Times(Vec<Time>);

impl Times {
    fn add(&mut self, words: &[&str], seconds: f64) {
        self.0.push(Time { key: words.join(" / "), seconds });
    }

    fn add_searches(&mut self, results: &Results) {
        for time in &results.searches {
            let words = [&*time.algorithm, &time.graph, &time.strategy];
            self.add(&words, time.search_seconds());
            if time.prepare_seconds != 0.0 {
                self.add(&[&words[..], &["prepare"]].concat(), time.prepare_seconds);
            }
        }
        for Chunking { algorithm, graph, plain_seconds, chunked_seconds } in &results.chunking {
            self.add(&["chunking", algorithm, graph, "one by one"], *plain_seconds);
            self.add(&["chunking", algorithm, graph, "in chunks"], *chunked_seconds);
        }
    }

    fn add_spmv(&mut self, results: &Results) {
        for time in &results.spmv {
            self.add(&["spmv", &time.matrix, &time.schedule], time.seconds);
        }
    }

    /// Whole searches by each strategy: single levels are too short to be compared.
    fn add_levels(&mut self, levels: &[LevelTime]) {
        let mut totals: BTreeMap<(&str, u64, &str), f64> = BTreeMap::new();
        for level in levels {
            let search = (&*level.graph, level.source, &*level.strategy);
            *totals.entry(search).or_default() += level.seconds;
            if level.chosen {
                let chosen = (&*level.graph, level.source, "predicted");
                *totals.entry(chosen).or_default() += level.seconds;
            }
        }
        for ((graph, source, strategy), seconds) in totals {
            self.add(&["bfs levels", graph, &format!("from {source}"), strategy], seconds);
        }
    }

    fn add_coloring(&mut self, results: &Results) {
        for time in &results.coloring {
            self.add(&["color", &time.graph, &time.strategy], time.seconds);
        }
        for time in &results.stealing {
            let queues = format!("{} queues", time.queues);
            let name = if time.stealing { "stealing" } else { "not stealing" };
            self.add(&["color", &time.graph, &queues, name], time.seconds);
        }
        for time in &results.switch_points {
            let switch = format!("switch after {}", time.switch_after);
            self.add(&["color", &time.graph, &switch], time.seconds);
        }
    }

    fn add_basics(&mut self, results: &Results) {
        for time in &results.three_bfs {
            self.add(&["three bfs", &time.graph, &time.method], time.seconds);
        }
        for time in &results.sssp_speedups {
            self.add(&["sssp", &time.graph, "cpu"], time.cpu_seconds);
            self.add(&["sssp", &time.graph, "gpu"], time.gpu_seconds);
        }
        for time in &results.coarsening {
            let factor = format!("{} vertices a unit", time.factor);
            self.add(&["coarsening", &time.graph, &factor], time.seconds);
        }
        for time in &results.apsp {
            self.add(&["apsp", &time.graph, &time.method], time.seconds);
        }
        for time in &results.whole_graphs {
            self.add(&[&time.method, &time.graph], time.seconds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_whatever_the_order() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![9.0, 1.0, 2.0, 4.0]), 3.0);
    }
}
