//! `equipoise-lab bench`: the experiments of the papers on the graphs of a suite.

use std::{fs, path::Path};

use equipoise::{
    bfs::Candidate,
    device::{Device, OpenDevice},
    select::Model,
};
use equipoise_cli::{
    arguments::ThreadArguments,
    endings::{self, Packing},
    failure::{Failure, Result, warn},
    files::{Files, InputFile, InputFolder, OutputFile, Role},
    machine,
    output::{check_folder, write_whole},
    progress::StepBar,
    screen::{Screen, ScreenArguments},
    suite::{self, Entry},
    values::{MOST_REPEATS, whole},
};

use crate::{
    date,
    experiments::bench::{Bench, Section},
    report::{self, ReportFile, Results, SiblingPaths, compare, read_references, sibling_paths},
    summary,
};

/// The examples, which `-h` also shows.
macro_rules! examples {
    () => {
        "\
Examples:
  equipoise-lab bench suites/tiny.txt --device cpu --report out.html
  equipoise-lab bench suites/real.txt --data graphs --device cuda --report out.html
  equipoise-lab bench suites/bench.txt --sections spmv --references suites/cusparse-h200.csv
  equipoise-lab bench suites/bench.txt --sections levels --compare old.json --fail-on-regression"
    };
}

const EXAMPLE: &str = examples!();

const FORMATS: &str = concat!(
    examples!(),
    "

A suite has a line for each graph: its name, its family, and a generator's spec or a file:
  # what comes after this sign is not read
  rmat20  rmat   rmat:scale=20,weights=1..255
  roads   roads  roads.mtx.xz  undirected

Times of other programs are lines of CSV by the names of the suite's graphs: of SpMV as here, or as
`equipoise spmv --csv` writes them,
  library,matrix,seconds
  cuSPARSE,rmat20,0.000227
and of BFS
  library,graph,seconds
  GAP on 16 cores,rmat20,0.0042"
);

/// Run the papers' experiments on a suite of graphs, and draw their figures
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, after_long_help = FORMATS)]
pub struct Arguments {
    /// A file that lists graphs
    suite: InputFile,
    /// The folder of the suite's files; without it, the one of the suite
    #[arg(long, value_name = "FOLDER")]
    data: Option<InputFolder>,
    /// Measure only these; without it, all
    #[arg(long, value_enum, value_name = "SECTIONS", value_delimiter = ',')]
    sections: Vec<Section>,
    /// Where to run: auto is the best device, cuda:1 the second of CUDA's
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Take the median of N runs after one warm-up
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<1, MOST_REPEATS>, help_heading = "Run")]
    repeat: u32,
    /// On a GPU: show the way of this model for BFS through the levels; without it, that of the program's own, if it has one
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    model: Option<InputFile>,
    /// Show these times of other programs, a CSV as --help shows (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    references: Vec<InputFile>,
    /// Write a page to FILE, and beside it its results as JSON and its tables as CSV
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<OutputFile>,
    /// Write the results to FILE, a .json
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    results: Option<OutputFile>,
    /// Say what got slower than in FILE, the JSON of an earlier run
    #[arg(long, value_name = "FILE", help_heading = "Comparison")]
    compare: Option<InputFile>,
    /// How much slower is slower: 0.1 for 10 %
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share, requires = "compare", help_heading = "Comparison")]
    slower_by: f64,
    /// End with exit code 1 where something got slower
    #[arg(long, requires = "compare", help_heading = "Comparison")]
    fail_on_regression: bool,
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, mut files: Files) -> Result<()> {
    let quiet = arguments.quiet;
    let mut screen = Screen::new(ScreenArguments { json: false, quiet, verbose: false });
    check_outputs(&arguments, &mut files)?;
    let suite = suite::read_with_files(&arguments.suite, arguments.data.as_ref(), &mut files)?;
    let earlier = arguments.compare.as_deref().map(read_results).transpose()?;
    let model = model(arguments.model.as_deref())?;
    let device = machine::open(arguments.device)?;
    let (sections, left_out) = sections(&arguments.sections, &device)?;

    let mut results = Results::new(title(&arguments.suite), date::now());
    add_facts(&mut results, &arguments, &device, &suite);
    if let (Some(_), OpenDevice::Gpu(_)) = (&model, &device) {
        let file = arguments.model.as_ref().map(|path| path.to_string());
        results.fact("policy", file.unwrap_or_else(|| "the program's own model for BFS".into()));
    }
    if !left_out.is_empty() {
        results.fact("left out", format!("{}: they need a GPU", left_out.join(", ")));
    }
    add_references(&mut results, &arguments.references)?;
    for fact in &results.facts {
        screen.fact(&fact.name, &fact.value)?;
    }

    let mut bench = Bench::new(&device, model.as_ref(), arguments.repeat, results);
    let bar = StepBar::new(suite.len() * sections.len(), quiet);
    bench.run(&suite, &sections, &bar);
    drop(bar);
    let left_out = bench.left_out();
    let Bench { mut results, failed, .. } = bench;
    if let Some(skipped) = left_out {
        screen.fact("left out", &skipped)?;
        results.fact("left out", skipped);
    }
    if !results.refusals.is_empty() {
        results.fact("no time", distinct_reasons(&results));
    }

    screen.line(format_args!("\n{}\n", summary::table(&results)))?;
    print_refusals(&results, &mut screen)?;
    write(&arguments, &results, &mut screen)?;
    let slower = match &earlier {
        Some(earlier) => print_comparison(&arguments, earlier, &results, &mut screen)?,
        None => 0,
    };
    if !failed.is_empty() {
        return Err(Failure::new(format!("without a time:\n  {}", failed.join("\n  "))));
    }
    match slower {
        0 => Ok(()),
        slower if arguments.fail_on_regression => {
            let than = arguments.slower_by * 100.0;
            Err(Failure::new(format!("{slower} times got slower by more than {than} %")))
        }
        _ => Ok(()),
    }
}

/// The model in the file, or else the embedded one for GPUs.
fn model(file: Option<&Path>) -> Result<Option<Model>> {
    let model = match file {
        Some(path) => Some(Model::read(path)?),
        None => Model::embedded("bfs", "gpu").cloned(),
    };
    Ok(model.as_ref().map(Candidate::align).transpose()?)
}

/// Rejects outputs that cannot be written, before anything is run.
fn check_outputs(arguments: &Arguments, files: &mut Files) -> Result<()> {
    if let Some(page) = &arguments.report
        && page.extension().is_none_or(|ending| ending != "html")
    {
        return Err(Failure::usage(format!("--report {page}: the name of a page ends in .html")));
    }
    if let Some(page) = &arguments.report {
        let SiblingPaths { results, tables } = sibling_paths(page);
        let name = |path: &Path| format!("{}, which --report writes", path.display());
        files.claim(name(&results), Role::Output, &results)?;
        files.claim(name(&tables), Role::OutputFolder, &tables)?;
    }
    if let Some(path) = &arguments.results {
        endings::known(path, &["json"], Packing::ByName)?;
    }
    arguments.report.iter().chain(&arguments.results).try_for_each(|path| check_folder(path))
}

fn read_results(path: &Path) -> Result<Results> {
    let text = fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    Results::from_json(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Parses a share of a time.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share >= 0.0 && share.is_finite());
    share.ok_or_else(|| "expected a number of 0 or more, such as 0.1 for 10 %".into())
}

/// The sections to measure, and the names of those that the device does not support.
fn sections(
    requested: &[Section],
    device: &OpenDevice,
) -> Result<(Vec<Section>, Vec<&'static str>)> {
    let is_wanted = |section: &Section| requested.is_empty() || requested.contains(section);
    let on_gpu = matches!(device, OpenDevice::Gpu(_));
    let (run, left_out): (Vec<Section>, Vec<Section>) = Section::ALL
        .iter()
        .copied()
        .filter(is_wanted)
        .partition(|section| on_gpu || !section.needs_gpu());
    let left_out: Vec<&str> = left_out.into_iter().map(Section::name).collect();
    if run.is_empty() {
        Err(Failure::usage(format!("the cpu has nothing of {}", left_out.join(", ")))
            .hint("name a GPU with --device"))
    } else {
        Ok((run, left_out))
    }
}

fn title(suite: &Path) -> String {
    let name = suite.file_stem().unwrap_or_default().to_string_lossy();
    format!("Equipoise on the suite {name}")
}

fn add_facts(results: &mut Results, arguments: &Arguments, device: &OpenDevice, suite: &[Entry]) {
    let mut families: Vec<&str> = suite.iter().map(|entry| &*entry.family).collect();
    families.sort_unstable();
    families.dedup();
    results.fact("program", concat!("equipoise-lab ", env!("CARGO_PKG_VERSION")));
    results.fact("device", machine::described(arguments.device, device));
    let (graphs, families) = (suite.len(), families.join(", "));
    let path = &arguments.suite;
    results.fact("suite", format!("{path}: {graphs} graphs ({families})"));
    let repeat = arguments.repeat;
    let runs = match repeat {
        1 => "one run after a warm-up".to_owned(),
        _ => {
            format!("the median of {repeat} runs after a warm-up, fewer where these take over 1 s")
        }
    };
    let verified =
        "each result verified, by samples all pairs of dense graphs and paths of large ones";
    results.fact("times", format!("{runs}; {verified}"));
    results.fact("sources", "the vertex with the most edges of each graph");
}

/// A file with a column `graph` is about BFS, others are about SpMV.
fn add_references(results: &mut Results, paths: &[InputFile]) -> Result<()> {
    for path in paths {
        let text = fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
        let references = read_references(&text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        let header = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
        let is_of_bfs = header.split(',').any(|name| name.trim().eq_ignore_ascii_case("graph"));
        if is_of_bfs {
            results.bfs_references.extend(references)
        } else {
            results.spmv_references.extend(references)
        }
    }
    Ok(())
}

/// The number of reasons for missing times on the page; the JSON has all of them.
const MOST_REASONS: usize = 5;

/// The distinct reasons for missing times: most hold for many graphs.
fn distinct_reasons(results: &Results) -> String {
    let mut reasons: Vec<&str> = results.refusals.iter().map(|refusal| &*refusal.reason).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let more = if reasons.len() > MOST_REASONS { "; and more" } else { "" };
    reasons.truncate(MOST_REASONS);
    format!("{} runs: {}{more}", results.refusals.len(), reasons.join("; "))
}

fn print_refusals(results: &Results, screen: &mut Screen) -> Result<()> {
    for refusal in &results.refusals {
        let what = format!("{} / {} / {}", refusal.algorithm, refusal.graph, refusal.strategy);
        screen.fact("no time", format_args!("{what}: {}", refusal.reason))?;
    }
    Ok(())
}

fn write(arguments: &Arguments, results: &Results, screen: &mut Screen) -> Result<()> {
    let report = arguments.report.iter().flat_map(|page| report::files(results, page));
    let json = arguments.results.iter();
    let json = json.map(|path| ReportFile { path: path.to_path_buf(), text: results.to_json() });
    for ReportFile { path, text } in report.chain(json) {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
        write_whole(&path, |out| {
            out.write_all(text.as_bytes()).map_err(|error| Failure::of_file(&path, &error))
        })?;
    }
    for path in arguments.report.iter().chain(&arguments.results) {
        screen.fact("wrote", path)?;
    }
    Ok(())
}

/// Prints the comparison and returns the number of regressions.
fn print_comparison(
    arguments: &Arguments,
    earlier: &Results,
    results: &Results,
    screen: &mut Screen,
) -> Result<usize> {
    let comparison = compare(earlier, results, arguments.slower_by);
    screen.line(format_args!("\n{}", comparison.to_string().trim_end()))?;
    if device_of(earlier) != device_of(results) && !arguments.quiet {
        warn("the earlier run was on another device");
    }
    Ok(comparison.slower.len())
}

fn device_of(results: &Results) -> Option<&str> {
    results.facts.iter().find(|fact| fact.name == "device").map(|fact| &*fact.value)
}
