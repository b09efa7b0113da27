//! The files of a report: the page, the results and a table per chart.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use equipoise::graph::io::write_file;

use crate::report::{
    Error, Result,
    chart::{Chart, View},
    data::Results,
    figures, page,
    quantity::titled,
    table::{Cell, Column, Kind, Table},
};

/// The table of one chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    /// The file name, such as `bfs-strategies.csv`.
    pub name: String,
    /// The contents.
    pub csv: String,
}

/// The tables behind the page, one per chart, in seconds and bytes.
///
/// A chart with a view per graph has all of them in its table, with a first column that names the
/// graph. A further view of all graphs with other columns becomes a separate table.
///
/// ```
/// use equipoise_lab::report::{Results, data::ColoringTime, tables};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// let (graph, strategy) = ("dip".into(), "hybrid".into());
/// results.coloring.push(ColoringTime { graph, strategy, seconds: 0.010, colors: 31 });
///
/// let colors = tables(&results).into_iter().find(|table| table.name == "coloring-colors.csv");
/// assert_eq!(colors.unwrap().csv, "graph,hybrid\ndip,31\n");
/// ```
pub fn tables(results: &Results) -> Vec<TableFile> {
    let sections = figures::sections(results);
    sections.iter().flat_map(|section| &section.charts).flat_map(tables_of).collect()
}

fn tables_of(chart: &Chart) -> Vec<TableFile> {
    let mut groups: Vec<(Vec<String>, Vec<&View>)> = Vec::new();
    for view in &chart.views {
        let header = header(&view.plot.table);
        match groups.iter_mut().find(|(known, _)| *known == header) {
            Some((_, views)) => views.push(view),
            None => groups.push((header, vec![view])),
        }
    }
    let name = |index| match index {
        0 => format!("{}.csv", chart.id),
        1 => format!("{}-by-{}.csv", chart.id, chart.views_are),
        _ => format!("{}-by-{}-{index}.csv", chart.id, chart.views_are),
    };
    let file = |(index, (header, views)): (usize, (Vec<String>, Vec<&View>))| {
        let has_views = index > 0 || views.len() > 1;
        let views_are = has_views.then_some(chart.views_are);
        TableFile { name: name(index), csv: csv_of(views_are, &header, &views) }
    };
    groups.into_iter().enumerate().map(file).collect()
}

fn header(table: &Table) -> Vec<String> {
    let title = |column: &Column| match column.kind {
        Kind::Text => column.name.clone(),
        Kind::Along(_, quantity) | Kind::TableOnly(quantity) => {
            titled(&column.name, quantity.base())
        }
    };
    table.columns.iter().map(title).collect()
}

fn csv_of(views_are: Option<&str>, header: &[String], views: &[&View]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut add = |first: Option<&str>, cells: &[String]| {
        // Rows of equal length are written to memory: nothing can fail.
        let _ = writer.write_record(first.into_iter().chain(cells.iter().map(String::as_str)));
    };
    add(views_are, header);
    for view in views {
        for row in &view.plot.table.rows {
            let cells: Vec<String> = row.iter().map(Cell::to_file).collect();
            add(views_are.and(Some(&view.name)), &cells);
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Its path.
    pub path: PathBuf,
    /// Its contents.
    pub text: String,
}

/// The paths of a report's files other than its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiblingPaths {
    /// The file of results.
    pub results: PathBuf,
    /// The folder of tables.
    pub tables: PathBuf,
}

/// The paths of the files next to the page `html`.
///
/// ```
/// let paths = equipoise_lab::report::sibling_paths("pages/out.html".as_ref());
/// assert_eq!(paths.results, std::path::Path::new("pages/out.json"));
/// assert_eq!(paths.tables, std::path::Path::new("pages/out-tables"));
/// ```
pub fn sibling_paths(html: &Path) -> SiblingPaths {
    let mut tables = html.file_stem().unwrap_or_default().to_owned();
    tables.push("-tables");
    SiblingPaths { results: html.with_extension("json"), tables: html.with_file_name(tables) }
}

/// The files of a report whose page is `html`: a folder of tables (`out-tables` for `out.html`),
/// the results (`out.json`) and the page. For programs that write files themselves.
///
/// ```
/// use equipoise_lab::report::{Results, files};
///
/// let results = Results::new("Nightly run", "2026-11-15");
/// let files = files(&results, "out.html".as_ref());
/// let names: Vec<_> = files.iter().map(|file| file.path.to_string_lossy()).collect();
/// assert_eq!(names, ["out.json", "out.html"]);
/// ```
pub fn files(results: &Results, html: &Path) -> Vec<ReportFile> {
    let paths = sibling_paths(html);
    let tables = tables(results);
    let tables = tables.into_iter().map(|table| (paths.tables.join(table.name), table.csv));
    let results_and_page = [(paths.results, results.to_json()), (html.to_owned(), page(results))];
    tables.chain(results_and_page).map(|(path, text)| ReportFile { path, text }).collect()
}

/// Writes the [`files`] of a report, and returns their paths.
///
/// ```no_run
/// use equipoise_lab::report::{Results, write};
///
/// let results = Results::new("Nightly run", "2026-11-15");
/// for file in write(&results, "out.html".as_ref())? {
///     println!("wrote {}", file.display());
/// }
/// # Ok::<(), equipoise_lab::report::Error>(())
/// ```
pub fn write(results: &Results, html: &Path) -> Result<Vec<PathBuf>> {
    let write = |ReportFile { path, text }: ReportFile| {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        if let Err(source) = folder {
            return Err(Error::File { path, source });
        }
        match write_file(&path, |out| out.write_all(text.as_bytes())) {
            Ok(()) => Ok(path),
            Err(equipoise::graph::Error::Io { path, source }) => Err(Error::File { path, source }),
            Err(error) => Err(Error::File { path, source: io::Error::other(error) }),
        }
    };
    files(results, html).into_iter().map(write).collect()
}
