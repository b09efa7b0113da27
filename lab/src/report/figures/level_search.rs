//! The levels of one search with the times of every strategy.

use std::collections::{BTreeMap, HashMap};

use super::grid::{distinct, strategy_of};
use crate::report::data::LevelTime;

/// The name of the policy's path.
pub(super) const PREDICTED: &str = "predicted";
/// The name of the fastest strategy at every level.
pub(super) const OPTIMUM: &str = "fastest at each level";

/// The measured levels of one search.
pub(super) struct Search<'a> {
    pub graph: &'a str,
    pub source: u64,
    pub levels: Vec<&'a LevelTime>,
}

pub(super) fn searches(levels: &[LevelTime]) -> Vec<Search<'_>> {
    let mut searches: Vec<Search> = Vec::new();
    for level in levels {
        let is_of =
            |search: &&mut Search| search.graph == level.graph && search.source == level.source;
        match searches.iter_mut().rev().find(is_of) {
            Some(search) => search.levels.push(level),
            None => {
                let (graph, source) = (&*level.graph, level.source);
                searches.push(Search { graph, source, levels: vec![level] });
            }
        }
    }
    searches
}

impl<'a> Search<'a> {
    pub fn strategies(&self) -> Vec<String> {
        distinct(self.levels.iter().map(|level| strategy_of(&level.strategy)))
    }

    /// The number of measured levels.
    pub fn depth(&self) -> usize {
        self.by_level().len()
    }

    /// Whether no level was skipped, so that the sum is the time of a whole search.
    pub fn is_whole(&self) -> bool {
        let last = self.levels.iter().map(|level| level.level).max();
        last.is_none_or(|last| last as usize + 1 == self.depth())
    }

    pub fn has_path(&self) -> bool {
        self.levels.iter().any(|level| level.chosen)
    }

    /// The policy's choice at each level.
    pub fn path(&self) -> Vec<&'a LevelTime> {
        let mut path: Vec<&LevelTime> =
            self.levels.iter().copied().filter(|level| level.chosen).collect();
        path.sort_by_key(|level| level.level);
        path
    }

    /// The fastest settings of a strategy at each level.
    pub fn fastest_of(&self, strategy: &str) -> Vec<&'a LevelTime> {
        let of_strategy = |level: &&LevelTime| strategy_of(&level.strategy) == strategy;
        let levels = self.by_level();
        let fastest = levels.values().filter_map(|level| {
            let all = level.iter().copied().filter(of_strategy);
            all.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
        });
        fastest.collect()
    }

    /// All measurements by level.
    pub fn by_level(&self) -> BTreeMap<u32, Vec<&'a LevelTime>> {
        let mut levels: BTreeMap<u32, Vec<&LevelTime>> = BTreeMap::new();
        for level in &self.levels {
            levels.entry(level.level).or_default().push(level);
        }
        levels
    }

    /// The time of the search by each strategy with its best fixed settings; by the policy; and
    /// with the fastest at each level.
    pub fn totals(&self) -> Vec<(String, f64)> {
        let depth = self.depth();
        let mut sums: HashMap<&str, (f64, usize)> = HashMap::new();
        for level in &self.levels {
            let (sum, count) = sums.entry(&level.strategy).or_default();
            *sum += level.seconds;
            *count += 1;
        }
        let best = |name: &String| {
            let with_settings =
                self.levels.iter().filter(|level| strategy_of(&level.strategy) == name);
            let sums = with_settings.filter_map(|level| sums.get(&*level.strategy));
            let whole = sums.filter(|(_, count)| *count == depth).map(|(sum, _)| *sum);
            whole.min_by(f64::total_cmp)
        };
        let mut totals: Vec<(String, f64)> = self
            .strategies()
            .into_iter()
            .filter_map(|name| best(&name).map(|total| (name, total)))
            .collect();
        let path = self.path();
        if path.len() == depth {
            totals.push((PREDICTED.into(), path.iter().map(|level| level.seconds).sum()));
        }
        totals.push((OPTIMUM.into(), self.optimum()));
        totals
    }

    /// The fastest of each level.
    fn optimum(&self) -> f64 {
        let fastest = |level: &Vec<&LevelTime>| {
            level.iter().map(|time| time.seconds).fold(f64::INFINITY, f64::min)
        };
        self.by_level().values().map(fastest).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(level: u32, strategy: &str, seconds: f64, chosen: bool) -> LevelTime {
        let (graph, strategy) = ("g".into(), strategy.into());
        LevelTime { graph, source: 1, level, strategy, seconds, chosen }
    }

    #[test]
    fn a_strategy_keeps_its_settings_through_a_search() {
        let levels = [
            level(0, "warp+8", 1.0, false),
            level(0, "warp+16", 4.0, false),
            level(0, "node", 2.0, true),
            level(1, "warp+8", 9.0, false),
            level(1, "warp+16", 3.0, true),
        ];
        let searches = searches(&levels);
        let search = &searches[0];
        assert!(search.is_whole());
        assert_eq!(search.strategies(), ["warp", "node"]);
        let fastest: Vec<&str> =
            search.fastest_of("warp").iter().map(|level| &*level.strategy).collect();
        assert_eq!(fastest, ["warp+8", "warp+16"]);
        let totals = search.totals();
        let total = |name: &str| totals.iter().find(|(known, _)| known == name).map(|it| it.1);
        // `node` has no time at level 1.
        assert_eq!((total("warp"), total("node")), (Some(7.0), None));
        assert_eq!((total(PREDICTED), total(OPTIMUM)), (Some(5.0), Some(4.0)));
    }

    #[test]
    fn a_search_with_levels_left_out_is_not_whole() {
        let levels = [level(0, "node", 1.0, false), level(3, "node", 1.0, false)];
        assert!(!searches(&levels)[0].is_whole());
    }
}
