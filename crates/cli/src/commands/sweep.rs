//! Runs that differ in one option, as a table.

use equipoise::{
    LoadedGraph,
    algorithm::{Algorithm, Sweep, Value},
};

use crate::{
    failure::Result,
    measure::Plan,
    numbers,
    screen::Screen,
    table::{Column, draw},
};

/// Runs an algorithm with each value, and prints the facts and the time of each.
pub fn run<A: Algorithm>(
    sweep: &Sweep<A::Options>,
    graph: &LoadedGraph,
    plan: &Plan,
    screen: &mut Screen,
) -> Result<()> {
    let columns: Vec<Column> = [sweep.heading]
        .into_iter()
        .chain(sweep.facts.iter().copied())
        .chain(["time"])
        .map(Column::Right)
        .collect();
    let (mut rows, mut documents) = (Vec::new(), Vec::new());
    let mut fastest = None;
    for (value, options) in &sweep.points {
        let measured = plan.measure(
            || A::find(graph, options),
            |result| (result.times(), result.trace().clone()),
            |result| A::check(result, graph.graph(), options),
        )?;
        let time = measured.runs.time();
        let mut facts = measured.result.report(graph.graph(), options).facts;
        facts.retain(|(name, _)| sweep.facts.contains(name));
        let mut row = vec![value.to_string()];
        row.extend(facts.iter().map(|(_, fact)| fact.to_string()));
        row.push(numbers::time(time));
        rows.push(row);
        facts.insert(0, (sweep.name, (*value).into()));
        facts.push(("seconds", time.as_secs_f64().into()));
        documents.push(Value::Object(facts));
        if fastest.is_none_or(|(least, _)| time < least) {
            fastest = Some((time, *value));
        }
    }
    screen.line(format_args!("\n{}\n", draw(&columns, rows)))?;
    if let Some((_, value)) = fastest {
        screen.fact("fastest", (sweep.describe)(value))?;
    }
    screen.json(&documents)
}
