//! [`Algorithm`] for coloring.

use equipoise_graph::{Graph, numbers};

use super::{
    ActiveDegrees, ColorOptions, ColorStrategy, ColorSwitch, Coloring, QueuePass, QueueUse,
};
use crate::{
    Error, LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Sweep, Table, Value, Values, Verdict},
    learned,
};

/// What is proved.
const RULES: &str = "no edge joins two vertices of one color";
/// The strategies that no GPU has.
const CPU_ONLY: [ColorStrategy; 2] = [ColorStrategy::LargestDegreeFirst, ColorStrategy::Greedy];

impl Algorithm for Coloring {
    const NAME: &'static str = "color";
    const SUMMARY: &'static str =
        "Color the vertices so that no two neighbours have the same color";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=16",
        "roads.gr --strategy greedy --device cpu -o colors.csv",
        "rmat:scale=18 --device cuda --strategy work-stealing --queues 16",
        "friends.mtx --strategy hybrid --switch-sweep 12 --repeat 5",
    ];
    const SIDE_TABLE: Option<(&'static str, &'static str)> = Some((
        "active-degrees",
        "Write the number of uncolored vertices per iteration and range of degrees to FILE",
    ));

    type Options = ColorOptions;

    fn find(graph: &LoadedGraph<'_>, options: &ColorOptions) -> Result<Self> {
        graph.color(options)
    }

    fn check(&self, graph: &Graph, _options: &ColorOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(Verdict::proved(RULES))
    }

    fn check_in_place(&self, graph: &LoadedGraph<'_>, options: &ColorOptions) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.passes_on(gpu_graph);
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, _options: &ColorOptions) -> Cost {
        Cost::per_edge(graph, 90.0, 4.0)
    }

    fn resolve(options: ColorOptions, _graph: &Graph) -> Result<ColorOptions> {
        let model = options.model_file.as_deref().map(learned::read).transpose()?;
        let switch = match &options.switch_model {
            Some(path) => ColorSwitch::learned(&*learned::read(path)?)?,
            None => options.switch.clone(),
        };
        Ok(ColorOptions { model, switch, ..options })
    }

    fn runs_anywhere(options: &ColorOptions) -> bool {
        options.strategy == ColorStrategy::Auto
            && options.schedule.is_none()
            && options.model_file.is_none()
            && options.switch_model.is_none()
            && options.switch_sweep.is_none()
    }

    fn settings(options: &ColorOptions) -> Vec<(&'static str, String)> {
        options.policy().map(|path| ("policy", path)).into_iter().collect()
    }

    // The switch points of the paper's Figure 8.
    fn sweep(options: &ColorOptions) -> Result<Option<Sweep<ColorOptions>>> {
        let Some(last) = options.switch_sweep else { return Ok(None) };
        if !matches!(options.strategy, ColorStrategy::Auto | ColorStrategy::Hybrid) {
            let strategy = options.strategy;
            return Err(Error::Option(format!(
                "--switch-sweep runs the strategy hybrid, and not {strategy}: leave out --strategy"
            )));
        }
        options.check()?;
        let point = |after| ColorOptions {
            strategy: ColorStrategy::Hybrid,
            switch: ColorSwitch::After(after),
            switch_sweep: None,
            ..options.clone()
        };
        Ok(Some(Sweep {
            name: "switch_after",
            heading: "switch after",
            points: (0..=last).map(|after| (after, point(after))).collect(),
            facts: &["colors", "iterations"],
            describe: |after| format!("after {after} iterations"),
        }))
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &ColorOptions) -> StepNames {
        StepNames { index: "iteration", strategy: "order", frontier: "uncolored", found: "colored" }
    }

    fn report(&self, _graph: &Graph, options: &ColorOptions) -> Report<'_> {
        let iterations = self.trace.steps.len();
        let in_all = numbers::counted(iterations as u64, "iteration", "iterations");
        let (count, strategy) = (self.count, self.strategy);
        let mut report = Report::default()
            .line("colors", format_args!("{count} ({strategy}), in {in_all}"))
            .fact("strategy", strategy.name());
        if let Some(path) = options.policy() {
            report = report.fact("policy", path);
        }
        report = report.fact("colors", count).fact("iterations", iterations);
        if let Some(queues) = &self.queues {
            report = queues.report(report);
        }
        report.per_vertex([Column::new("color", "colors", Values::U32((&self.colors).into()))])
    }

    fn side_table(&self, graph: &Graph) -> Result<Option<Table<'_>>> {
        let active = self.active_degrees(graph)?;
        // Degrees and numbers of vertices have 32 bits.
        let column = |name, value: fn(&ActiveDegrees) -> u32| {
            Column::in_file(name, Values::U32(active.iter().map(value).collect()))
        };
        let columns = vec![
            column("iteration", |degrees| degrees.iteration),
            column("least_degree", |degrees| degrees.least as u32),
            column("most_degree", |degrees| degrees.most as u32),
            column("vertices", |degrees| degrees.vertices as u32),
        ];
        Ok(Some(Table { is_of_vertices: false, matrix: None, columns }))
    }

    fn tests(on_gpu: bool) -> Vec<(&'static str, ColorOptions)> {
        let missing = if on_gpu { &CPU_ONLY[..] } else { &[ColorStrategy::WorkStealing] };
        let options = |strategy| ColorOptions { strategy, ..ColorOptions::default() };
        let strategies = ColorStrategy::ALL.iter().filter(|strategy| !missing.contains(strategy));
        strategies.map(|&strategy| (strategy.name(), options(strategy))).collect()
    }

    // The chosen strategy, without queues, which do not affect colors.
    fn reference(&self, options: &ColorOptions) -> ColorOptions {
        let strategy = match self.strategy {
            ColorStrategy::WorkStealing => ColorStrategy::JonesPlassmann,
            same => same,
        };
        ColorOptions { strategy, ..options.clone() }
    }

    fn difference(&self, reference: &Self, _options: &ColorOptions) -> Option<String> {
        (self.colors != reference.colors).then(|| "other colors than on the cpu".into())
    }
}

impl ColorOptions {
    /// The file of the model that chooses.
    fn policy(&self) -> Option<String> {
        let path = self.model_file.as_ref().or(self.switch_model.as_ref());
        path.map(|path| path.display().to_string())
    }
}

impl QueueUse {
    /// Adds the rows of the paper's Table I to a report.
    fn report<'a>(&self, report: Report<'a>) -> Report<'a> {
        let (queues, all) = (self.consumed.len(), self.total());
        let mut report = report.line("queues", format_args!("{queues}: {}", all.text()));
        if let Some(first) = self.passes.first() {
            report = report.line("first pass", first.text());
        }
        if self.stolen_within > 0 {
            let stolen = self.stolen_within;
            report =
                report.line("in cubes", format_args!("{stolen} vertices stolen by other units"));
        }
        let list = |values: &mut dyn Iterator<Item = Value>| Value::List(values.collect());
        let queues = vec![
            ("consumed", list(&mut self.consumed.iter().map(|&count| count.into()))),
            ("stolen", self.stolen.into()),
            ("stolen_within", self.stolen_within.into()),
            ("passes", list(&mut self.passes.iter().map(QueuePass::value))),
        ];
        report.fact("queues", Value::Object(queues))
    }
}

impl QueuePass {
    fn text(&self) -> String {
        let Self { max, min, mean, deviation, stolen } = self;
        format!(
            "elements consumed at most {max}, at least {min}, on average {mean:.1} (σ {deviation:.2}), \
             {stolen} stolen"
        )
    }

    fn value(&self) -> Value {
        let &Self { max, min, mean, deviation, stolen } = self;
        Value::Object(vec![
            ("max", max.into()),
            ("min", min.into()),
            ("mean", mean.into()),
            ("deviation", deviation.into()),
            ("stolen", stolen.into()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_reported_as_in_the_paper() {
        let consumed = vec![81, 75, 78, 78];
        let passes = vec![QueuePass::new(&consumed, 3)];
        let report =
            QueueUse { consumed, stolen: 3, stolen_within: 5, passes }.report(Report::default());
        let names: Vec<&str> = report.lines.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["queues", "first pass", "in cubes"]);
        assert_eq!(
            report.lines[0].1,
            "4: elements consumed at most 81, at least 75, on average 78.0 (σ 2.45), 3 stolen"
        );
        let (name, value) = &report.facts[0];
        assert_eq!(*name, "queues");
        assert!(matches!(value, Value::Object(fields) if fields[1] == ("stolen", Value::U64(3))));
    }
}
