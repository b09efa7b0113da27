//! Searches from one or several sources: each is timed, verified and written before the next one starts.

use std::sync::Arc;

use equipoise::{
    LoadedGraph,
    algorithm::{Algorithm, SearchOptions, SearchResult, Verdict},
    device::OpenDevice,
    graph::Graph,
    named_vertex,
    select::Model,
    traversal::Strategy,
};
use serde::Serialize;

use super::arguments::{Arguments, SearchArguments};
use crate::{
    arrays::SearchArray,
    columns, edges,
    failure::{Failure, Result},
    files::InputFile,
    ids::Id,
    levels,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::Plan,
    output::{ResultFile, with_rows},
    plan_file,
    rows::Rows,
    screen::Screen,
    search::{self, Search, Target},
    sources::Sources,
    trace_file::TraceFile,
};

#[derive(Serialize)]
struct Document<'a, O> {
    command: &'static str,
    graph: GraphFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a O,
    strategy: Strategy,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<InputFile>,
    searches: &'a [Search],
}

/// Runs a search from each source.
pub fn run<A: Algorithm>(arguments: Arguments<A>, search_arguments: SearchArguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let trace_file = TraceFile::new(&arguments.trace.trace)?;
    let mut options = arguments.options;
    let may_stop_early = search_arguments.target.is_some() || shared::<A>(&mut options)?.is_limited;
    file.as_ref().map_or(Ok(()), |file| file.check_whole(may_stop_early))?;
    *shared::<A>(&mut options)?.plan =
        search_arguments.plan.as_ref().map(plan_file::read).transpose()?;
    let model = search_arguments.model.as_deref().map(Model::read).transpose()?;
    *shared::<A>(&mut options)?.model = model.map(Arc::new);
    let is_plain = A::runs_anywhere(&options) && arguments.memory.memory_limit.is_none();
    let runs = search_arguments.sources.count() * arguments.run.count();
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(A::cost(&loaded.graph, &options).times(runs)),
    )?;
    limit_memory(arguments.memory.memory_limit, &device)?;
    let graph = &loaded.graph;
    let sources = search_arguments.sources.choose(graph)?;
    let target =
        search_arguments.target.as_deref().map(|id| named_vertex(graph, id)).transpose()?;
    *shared::<A>(&mut options)?.target = target;

    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;
    sources.print(graph, &mut screen)?;
    if let Some(path) = &search_arguments.model {
        screen.fact("policy", path)?;
    }
    let SearchOptions { strategy, settings, .. } = shared::<A>(&mut options)?;
    search::print_most_edges(settings, strategy.name(), graph, &mut screen)?;

    let on_device = LoadedGraph::new(&device, graph)?;
    let is_batch = arguments.extra.batch && matches!(device, OpenDevice::Gpu(_));
    let searches = Searches::<A> {
        graph,
        on_device: &on_device,
        options: &options,
        target,
        may_stop_early,
        sources: &sources,
        in_pass: if is_batch { A::BATCH } else { 1 },
        checks_in_place: arguments.validate.is_in_place(&on_device),
        plan: Plan::from(&arguments.run).for_device(&device),
        once: edges::Once::new(graph),
    };
    let header = A::SEARCH_COLUMNS.into_iter().flatten();
    let header: Vec<&str> = std::iter::once("vertex").chain(header).collect();
    let mut array = SearchArray::new(file.as_ref(), graph, sources.vertices.len())?;
    let results = with_rows(file.as_ref(), &sources.header(&header), |rows| {
        searches.run(rows, &mut array, &screen)
    })?;
    array.map_or(Ok(()), SearchArray::write)?;
    if let Some(file) = &trace_file {
        search::write_traces(&results, file)?;
    }
    search::print(&results, graph, &A::step_names(&options), &mut screen)?;
    // The target is named by its id, with each search.
    *shared::<A>(&mut options)?.target = None;
    screen.json(&Document {
        command: A::NAME,
        graph: loaded.facts(),
        machine,
        options: &options,
        strategy: shared::<A>(&mut options.clone())?.strategy,
        policy: search_arguments.model,
        searches: &results,
    })
}

/// The options that all searches have.
fn shared<A: Algorithm>(options: &mut A::Options) -> Result<SearchOptions<'_>> {
    let shared = A::search_options(options);
    shared.ok_or_else(|| Failure::new(format!("`{}` starts from no vertex", A::NAME)))
}

/// Searches of a graph on its device.
struct Searches<'a, A: Algorithm> {
    graph: &'a Graph,
    on_device: &'a LoadedGraph<'a>,
    options: &'a A::Options,
    target: Option<u32>,
    may_stop_early: bool,
    sources: &'a Sources,
    /// The searches per pass.
    in_pass: usize,
    checks_in_place: bool,
    plan: Plan,
    once: edges::Once,
}

impl<A: Algorithm> Searches<'_, A> {
    /// Runs all searches, and writes their rows or adds them to the array.
    fn run(
        &self,
        rows: &mut Rows,
        array: &mut Option<SearchArray>,
        screen: &Screen,
    ) -> Result<Vec<Search>> {
        let mut searches = Vec::new();
        for sources in self.sources.vertices.chunks(self.in_pass) {
            self.pass(sources, rows, array, screen, &mut searches)?;
        }
        Ok(searches)
    }

    /// Runs the searches of one pass as often as planned.
    fn pass(
        &self,
        sources: &[u32],
        rows: &mut Rows,
        array: &mut Option<SearchArray>,
        screen: &Screen,
        searches: &mut Vec<Search>,
    ) -> Result<()> {
        let measured = self.plan.measure(
            || {
                let results = A::find_from(self.on_device, sources, self.options)?;
                results.iter().try_for_each(|result| result.copy())?;
                Ok(results)
            },
            // Searches of one pass share its time.
            |results| match results.first() {
                Some(first) => (first.times(), first.trace().clone()),
                None => Default::default(),
            },
            |results| self.check(results),
        )?;
        for result in measured.result {
            let result = result.download()?;
            let report = result.report(self.graph, self.options);
            let (Some(tree), Some(table)) = (result.tree(), report.tables.last()) else { continue };
            columns::write_search(self.graph, rows, table, &tree, self.sources.are_several())?;
            if let (Some(array), Some(distances)) = (&mut *array, table.columns.first()) {
                array.push(&distances.values)?;
            }
            let (runs, trace) = (measured.runs.clone(), measured.trace.clone());
            // A pass over all vertices takes longer than the search.
            let tells_levels = screen.tells_each(self.sources.are_several());
            let levels = tree.levels.filter(|_| tells_levels);
            let target = |vertex| Target::new(self.graph, &tree, table, vertex);
            searches.push(Search {
                source: Id::new(self.graph, tree.source),
                traversed_edges: (!self.may_stop_early)
                    .then(|| self.once.of(tree.edges, |vertex| tree.reaches(vertex))),
                target: self.target.map(target),
                in_pass: sources.len() as u32,
                levels: levels.map_or(Vec::new(), |all| levels::of_search(self.graph, all, &trace)),
                copied: search::copied(self.on_device),
                reached: tree.reached,
                complete: tree.is_complete,
                lines: report.lines,
                facts: report.facts,
                runs,
                trace,
            });
        }
        Ok(())
    }

    /// The verdict of the results of one pass.
    fn check(&self, results: &[Box<dyn SearchResult<A> + '_>]) -> equipoise::Result<Verdict> {
        let mut last = Verdict::off("no search was made");
        for result in results {
            last = if self.checks_in_place {
                let verdict = result.check_in_place(self.options)?;
                Verdict::proved(format!("{}, checked on the device", verdict.text()))
            } else {
                result.check_on_host(self.options)?
            };
        }
        Ok(last)
    }
}
