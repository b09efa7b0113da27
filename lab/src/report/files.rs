//! The files of a report: the page, the results and a table for each chart.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

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
    /// The name of its file, such as `bfs-strategies.csv`.
    pub name: String,
    /// Its text.
    pub csv: String,
}

/// The tables behind the page, with seconds and bytes as units: one for each chart.
///
/// A chart with a view for each graph has all of them in its table, and a first column that tells
/// which. Where it also has a view of all graphs with other columns, that is a table of its own.
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
        Kind::Along(_, quantity) | Kind::Beside(quantity) => titled(&column.name, quantity.base()),
    };
    table.columns.iter().map(title).collect()
}

fn csv_of(views_are: Option<&str>, header: &[String], views: &[&View]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut add = |first: Option<&str>, cells: &[String]| {
        // Into memory and with as many cells as the line before: nothing can fail.
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
    /// Where it belongs.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// Where the files of a report belong that are not its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The results.
    pub results: PathBuf,
    /// The folder of tables.
    pub tables: PathBuf,
}

/// Where the files beside the page `html` belong, whatever the results are.
///
/// ```
/// let beside = equipoise_lab::report::beside("pages/out.html".as_ref());
/// assert_eq!(beside.results, std::path::Path::new("pages/out.json"));
/// assert_eq!(beside.tables, std::path::Path::new("pages/out-tables"));
/// ```
pub fn beside(html: &Path) -> Beside {
    let mut tables = html.file_stem().unwrap_or_default().to_owned();
    tables.push("-tables");
    Beside { results: html.with_extension("json"), tables: html.with_file_name(tables) }
}

/// The files of a report whose page is `html`: a folder of tables (`out-tables` for `out.html`), the
/// results (`out.json`) and the page. For programs that write files in a way of their own.
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
    let places = beside(html);
    let tables = tables(results);
    let tables = tables.into_iter().map(|table| (places.tables.join(table.name), table.csv));
    let results_and_page = [(places.results, results.to_json()), (html.to_owned(), page(results))];
    tables.chain(results_and_page).map(|(path, text)| ReportFile { path, text }).collect()
}

/// Writes the [`files`] of a report, and tells which they are.
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
        match folder.and_then(|()| write_whole(&path, &text)) {
            Ok(()) => Ok(path),
            Err(source) => Err(Error::File { path, source }),
        }
    };
    files(results, html).into_iter().map(write).collect()
}

/// Writes a file that is there whole or not at all.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // As any new file, not for its owner alone.
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    let mut file = builder.prefix(".equipoise-").tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
