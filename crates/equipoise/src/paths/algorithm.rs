//! [`Algorithm`] for distances between vertices.

use std::borrow::Cow;

use equipoise_graph::{Graph, numbers};

use super::{Paths, PathsOptions};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{
        Algorithm, Column, Cost, Report, StepNames, Value, Values, Verdict, largest_of,
        with_test_weights,
    },
};

impl Algorithm for Paths {
    const NAME: &'static str = "paths";
    const SUMMARY: &'static str =
        "Find how far vertices are from each other: diameter, closeness, harmonic centrality";
    const EXAMPLES: &'static [&'static str] = &[
        "friends.csv --undirected -o paths.csv",
        "roads.gr --weighted --random-sources 100",
        "friends.csv --within 2 --json",
    ];
    const CAN_SAMPLE: bool = true;

    type Options = PathsOptions;

    fn find(graph: &LoadedGraph<'_>, options: &PathsOptions) -> Result<Self> {
        graph.paths(options)
    }

    fn check(&self, graph: &Graph, options: &PathsOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        if options.diameter {
            return Ok(self.diameter_verdict(graph));
        }
        Ok(match self.checked_share() {
            1.0 => Verdict::proved(
                "eccentricities and centralities are those of searches of another kind",
            ),
            share => Verdict::sampled(
                "eccentricities of 4 sources and centralities of 4 vertices are those of searches of another kind",
                share,
            ),
        })
    }

    // One search per source; for a diameter, that of a typical social network.
    fn cost(graph: &Graph, options: &PathsOptions) -> Cost {
        const SEARCHES_FOR_DIAMETER: usize = 32;
        let all = graph.vertices() as usize;
        let unknown = if options.diameter { SEARCHES_FOR_DIAMETER.min(all) } else { all };
        let sources = options.sources.as_ref().map_or(unknown, Vec::len);
        let search = if options.weighted { Cost::sssp(graph) } else { Cost::bfs(graph) };
        search.times(sources as u64)
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &PathsOptions) -> StepNames {
        StepNames { index: "group", strategy: "by", frontier: "sources", found: "reached" }
    }

    fn report(&self, graph: &Graph, options: &PathsOptions) -> Report<'_> {
        let closest = largest_of(&self.closeness);
        let report = self
            .lines(graph, closest)
            .fact("sources", self.sources.len())
            .fact("exact", self.exact)
            .fact("connected", self.connected)
            .fact("diameter", self.diameter)
            .fact("most_diameter", self.most_diameter)
            .fact("diameter_from", self.ends.map(|[start, _]| Value::id(graph, start)))
            .fact("diameter_to", self.ends.map(|[_, end]| Value::id(graph, end)))
            .fact("radius", self.radius)
            .fact("least_radius", self.least_radius)
            .fact("center", self.exact.then(|| self.center().len()))
            .fact("periphery", self.exact.then(|| self.periphery().len()))
            .fact("closest", closest.map(|(vertex, _)| Value::id(graph, vertex)))
            .fact("closest_is_estimate", !self.exact)
            .rows(self.source_columns());
        if options.diameter {
            return report;
        }
        let mut columns = vec![
            Column::new("closeness", "closeness", Values::F64((&self.closeness).into())),
            Column::new("harmonic", "harmonic", Values::F64((&self.harmonic).into())),
        ];
        // If all vertices are sources, the columns of sources have a row per vertex, too.
        if self.exact {
            let of_sources = self.source_columns().into_iter().skip(1);
            columns.extend(of_sources.map(|column| Column { array: None, ..column }));
        }
        report.per_vertex(columns)
    }

    fn sources(options: &mut PathsOptions) -> Option<&mut Option<Vec<u32>>> {
        // A search for the diameter chooses its sources.
        (!options.diameter).then_some(&mut options.sources)
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, PathsOptions)> {
        let edges = PathsOptions { within: Some(2.0), ..PathsOptions::default() };
        let weights = PathsOptions { weighted: true, ..edges.clone() };
        let diameter = PathsOptions { diameter: true, ..PathsOptions::default() };
        let by_weights = PathsOptions { weighted: true, ..diameter.clone() };
        vec![
            ("edges", edges),
            ("weights", weights),
            ("diameter", diameter),
            ("diameter by weights", by_weights),
        ]
    }

    fn test_graph<'a>(graph: &'a Graph, options: &PathsOptions) -> Result<Option<Cow<'a, Graph>>> {
        if options.diameter && !graph.is_undirected() {
            return Ok(None);
        }
        Ok(Some(if options.weighted { with_test_weights(graph)? } else { Cow::Borrowed(graph) }))
    }

    fn difference(&self, reference: &Self, _options: &PathsOptions) -> Option<String> {
        let are_same = self.closeness == reference.closeness
            && self.harmonic == reference.harmonic
            && self.eccentricities == reference.eccentricities
            && self.within == reference.within
            && (self.diameter, self.ends) == (reference.diameter, reference.ends);
        (!are_same).then(|| "other numbers than on the cpu".into())
    }
}

impl Paths {
    /// The columns with a row per source.
    fn source_columns(&self) -> Vec<Column<'_>> {
        let eccentricities = Values::F64((&self.eccentricities).into());
        let within = self.within.as_ref().map(|within| Values::U32(within.into()));
        let mut columns = vec![
            Column::new("source", "sources", Values::Vertices((&self.sources).into())),
            Column::new("eccentricity", "eccentricities", eccentricities),
        ];
        columns.extend(within.map(|within| Column::new("within", "within", within)));
        columns
    }

    /// A report with the printed lines only.
    fn lines(&self, graph: &Graph, closest: Option<(u32, f64)>) -> Report<'_> {
        let (diameter, radius) = (self.diameter, self.radius);
        let diameter = match (self.exact, self.most_diameter) {
            (true, _) => diameter.to_string(),
            (false, Some(most)) if most == diameter => self.diameter_line(graph),
            (false, Some(most)) => format!("at least {diameter}, at most {most}"),
            (false, None) => format!("at least {diameter}"),
        };
        let radius = match (self.exact, self.least_radius) {
            (true, _) => {
                let center = numbers::counted(self.center().len() as u64, "vertex", "vertices");
                format!("{radius} ({center})")
            }
            (false, Some(least)) if least == radius => radius.to_string(),
            (false, Some(least)) => format!("at least {least}, at most {radius}"),
            (false, None) => format!("at most {radius}"),
        };
        let mut report = Report::default().line("diameter", diameter).line("radius", radius);
        if !self.connected {
            report = report.line("connected", "no: distances are of what can be reached");
        }
        match closest {
            None => report,
            Some((vertex, value)) => {
                let id = graph.ids().id(vertex);
                let estimated = if self.exact { "" } else { "estimated " };
                report.line("closest", format_args!("{id} ({estimated}closeness {value:.3})"))
            }
        }
    }

    fn diameter_line(&self, graph: &Graph) -> String {
        let Some(ends) = self.ends else { return self.diameter.to_string() };
        let [start, end] = ends.map(|end| graph.ids().id(end));
        let searches = numbers::counted(self.sources.len() as u64, "search", "searches");
        format!("{} (from {start} to {end}, by {searches})", self.diameter)
    }

    fn diameter_verdict(&self, graph: &Graph) -> Verdict {
        if self.is_diameter_proved(graph) {
            return Verdict::proved(
                "no vertex has a larger eccentricity, by searches of another kind",
            );
        }
        let share = 4.0 / self.sources.len() as f64;
        Verdict::sampled(
            "the distance of the ends and 4 eccentricities are those of searches of another kind",
            share,
        )
    }
}
