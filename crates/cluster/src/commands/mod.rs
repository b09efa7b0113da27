//! The commands of a program on several ranks. Options, output and exit codes equal those of the program for one machine where
//! they mean the same. One rank prints.

mod apart;
mod arguments;
mod bfs;
mod color;
mod components;
mod convert;
mod device;
mod failure;
mod ids;
mod job;
mod load;
mod output;
mod pagerank;
mod runs;
mod screen;
mod search;
mod sources;
mod spmv;
mod sssp;
mod start;
mod steps;
mod whole_graph;

use std::{ffi::OsString, io::Write, path::Path, time::Duration};

use clap::Parser;
use equipoise_graph::io::descriptor;

pub use failure::{Failure, Result};
pub use job::Job;
pub use start::Start;

use self::{
    arguments::{GraphArguments, JobArguments, OutputArguments},
    screen::{Screen, ScreenArguments},
};

const EXAMPLES: &str = "\
Examples:
  mpirun -n 4 equipoise-mpi bfs rmat:scale=18
  srun --mpi=pmix equipoise-mpi pagerank web.eqp -o ranks.tsv

`equipoise-mpi COMMAND --help` says more of each.";

/// The command line: a command, and options of ranks.
///
/// ```
/// use equipoise_cluster::commands::{Request, Cli};
///
/// let arguments = ["equipoise-mpi", "bfs", "path:n=3", "--threads", "2"];
/// let Ok(Request::Work(cli)) = Cli::read(arguments.map(Into::into)) else { panic!() };
/// assert_eq!(cli.threads(), Some(2));
/// assert_eq!(Cli::read(["equipoise-mpi".into(), "bsf".into()]).unwrap_err().code(), 2);
/// ```
#[derive(Debug, Parser)]
#[command(name = "equipoise-mpi", version, about = "Graph analytics on several machines with MPI: each rank has a part of the graph", long_about = None, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Breadth-first search: the least number of edges from a source to each vertex
    #[command(after_help = bfs::EXAMPLE)]
    Bfs(With<search::Arguments<bfs::Command>>),
    /// Shortest paths from a source to each vertex; without weights, each edge counts 1
    #[command(after_help = sssp::EXAMPLE)]
    Sssp(With<search::Arguments<sssp::Command>>),
    /// Find the connected components, over edges of either direction
    #[command(after_help = components::EXAMPLE)]
    Components(With<whole_graph::Arguments<components::Command>>),
    /// Rank the vertices by PageRank
    #[command(after_help = pagerank::EXAMPLE)]
    Pagerank(With<whole_graph::Arguments<pagerank::Command>>),
    /// Color the vertices so that no two neighbours have the same color
    #[command(after_help = color::EXAMPLE)]
    Color(With<whole_graph::Arguments<color::Command>>),
    /// Multiply the adjacency matrix of a graph by a vector
    #[command(after_help = spmv::EXAMPLE)]
    Spmv(With<whole_graph::Arguments<spmv::Command>>),
    /// Convert a graph to a folder of parts, which opens on any number of ranks
    #[command(after_help = convert::EXAMPLE)]
    Convert(With<convert::Arguments>),
}

/// The particular and the common arguments of a command.
#[derive(Debug, clap::Args)]
struct With<A: clap::Args> {
    #[command(flatten)]
    own: A,
    #[command(flatten)]
    job: JobArguments,
    #[command(flatten)]
    screen: ScreenArguments,
}

/// The request of a command line.
#[derive(Debug)]
pub enum Request {
    /// A command to run.
    Work(Box<Cli>),
    /// A text to print: help or the version.
    Text(String),
}

impl Request {
    /// The limit of waiting for other ranks, if any.
    ///
    /// ```
    /// use equipoise_cluster::commands::Cli;
    ///
    /// let asked = Cli::read(["equipoise-mpi", "bfs", "path:n=3", "--wait-limit", "60"].map(Into::into))?;
    /// assert_eq!(asked.wait_limit().map(|time| time.as_secs()), Some(60));
    /// # Ok::<(), equipoise_cluster::commands::Failure>(())
    /// ```
    pub fn wait_limit(&self) -> Option<Duration> {
        match self {
            Self::Work(cli) => cli.job().wait_limit,
            Self::Text(_) => None,
        }
    }
}

/// Evaluates an expression with the arguments of any command.
macro_rules! each {
    ($command:expr, $with:ident => $work:expr) => {
        match $command {
            Command::Bfs($with) => $work,
            Command::Sssp($with) => $work,
            Command::Components($with) => $work,
            Command::Pagerank($with) => $work,
            Command::Color($with) => $work,
            Command::Spmv($with) => $work,
            Command::Convert($with) => $work,
        }
    };
}

impl Cli {
    /// Parses the arguments, the first of which is the program's name.
    ///
    /// ```
    /// use equipoise_cluster::commands::{Request, Cli};
    ///
    /// let asked = Cli::read(["equipoise-mpi".into(), "--version".into()]);
    /// assert!(matches!(asked, Ok(Request::Text(text)) if text.starts_with("equipoise-mpi ")));
    /// ```
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Request> {
        match Self::try_parse_from(arguments) {
            Ok(cli) => cli.checked().map(|cli| Request::Work(Box::new(cli))),
            Err(error) if error.use_stderr() => Err(Failure::of_arguments(&error)),
            Err(text) => Ok(Request::Text(text.render().ansi().to_string())),
        }
    }

    /// The file or folder that is read, unless the input is a generator's spec.
    ///
    /// ```
    /// use equipoise_cluster::commands::{Request, Cli};
    ///
    /// let Ok(Request::Work(cli)) = Cli::read(["equipoise-mpi", "bfs", "roads.gr"].map(Into::into)) else { panic!() };
    /// assert_eq!(cli.input(), Some("roads.gr".as_ref()));
    /// ```
    pub fn input(&self) -> Option<&Path> {
        let graph: &GraphArguments = each!(&self.command, with => with.own.graph());
        let is_spec = graph.graph.parse::<equipoise_graph::generate::Spec>().is_ok();
        let path = Path::new(&graph.graph);
        (!is_spec || path.exists()).then_some(path)
    }

    /// Refuses outputs that are inputs or other outputs.
    fn checked(self) -> Result<Self> {
        let input = self.input().filter(|path| *path == "-" || descriptor(path).is_some());
        if let Some(input) = input {
            return Err(Failure::usage(format!(
                "{}: each rank reads its part of a file, and an input that is open already has no parts",
                input.display()
            ))
            .hint("write it to a file, or use the program `equipoise` on one machine"));
        }
        let screen = each!(&self.command, with => &with.screen);
        match self.on_standard_output() {
            Some(option) if screen.json => Err(Failure::usage(format!(
                "{option}: this is standard output, where --json prints its document"
            ))
            .hint("write the results to a file")),
            _ => Ok(self),
        }
    }

    /// The option whose results go to standard output; then the report goes to standard error.
    ///
    /// ```
    /// use equipoise_cluster::commands::{Request, Cli};
    ///
    /// let arguments = ["equipoise-mpi", "bfs", "path:n=3", "-o", "-"];
    /// let Ok(Request::Work(cli)) = Cli::read(arguments.map(Into::into)) else { panic!() };
    /// # #[cfg(unix)]
    /// assert_eq!(cli.on_standard_output(), Some("--output"));
    /// ```
    pub fn on_standard_output(&self) -> Option<&'static str> {
        let outputs: Option<&OutputArguments> = each!(&self.command, with => with.own.outputs());
        outputs?.on_standard_output()
    }

    /// The requested number of threads per rank.
    ///
    /// ```
    /// use equipoise_cluster::commands::{Request, Cli};
    ///
    /// let Ok(Request::Work(cli)) = Cli::read(["equipoise-mpi", "bfs", "path:n=3"].map(Into::into)) else { panic!() };
    /// assert_eq!(cli.threads(), None);
    /// ```
    pub fn threads(&self) -> Option<u32> {
        self.job().threads
    }

    /// Runs the command; all ranks call it. It prints to `out`, which one rank has.
    ///
    /// ```
    /// use equipoise_cluster::{Comm, commands::{Request, Cli, Job}, run_threads};
    ///
    /// let Ok(Request::Work(cli)) = Cli::read(["equipoise-mpi", "bfs", "path:n=3"].map(Into::into)) else { panic!() };
    /// let printed = run_threads(2, 64, |comm| {
    ///     let mut printed = Vec::new();
    ///     let job = Job { comm, ranks_on_node: 2, rank_on_node: comm.rank(), threads: 1 };
    ///     let out = (comm.rank() == 0).then_some(&mut printed as &mut dyn std::io::Write);
    ///     cli.run(&job, out).unwrap();
    ///     String::from_utf8(printed).unwrap()
    /// });
    /// assert!(printed[0].contains("reached    3 of 3 vertices") && printed[1].is_empty());
    /// ```
    pub fn run(&self, job: &Job, out: Option<&mut dyn Write>) -> Result<()> {
        each!(&self.command, with => with.own.run(job, Screen::new(with.screen, out)))
    }

    fn job(&self) -> &JobArguments {
        each!(&self.command, with => &with.job)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// What is written for who reads the code is not for who runs the program.
    #[test]
    fn help_has_no_code() {
        let mut program = Cli::command();
        let whole = program.render_long_help().to_string();
        assert!(whole.starts_with("Graph analytics on several machines"), "{whole}");
        for command in program.get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            assert!(!help.contains("```") && !help.contains("use equipoise"), "{help}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    fn read(words: &str) -> Result<Request> {
        Cli::read(["equipoise-mpi"].into_iter().chain(words.split(' ')).map(Into::into))
    }

    #[cfg(unix)]
    #[test]
    fn results_on_standard_output_are_alone_there() {
        for option in ["-o -", "-o /dev/stdout", "--output /dev/fd/1", "--trace -"] {
            let call = format!("components path:n=3 {option}");
            let Ok(Request::Work(cli)) = read(&call) else { panic!("{call}") };
            assert!(cli.on_standard_output().is_some(), "{call}");
            let refused = read(&format!("{call} --json")).unwrap_err();
            assert!(refused.code() == 2 && refused.message().contains("standard output"), "{call}");
        }
        let Ok(Request::Work(cli)) = read("bfs path:n=3 -o levels.tsv") else { panic!() };
        assert_eq!(cli.on_standard_output(), None);
    }

    #[test]
    fn standard_input_has_no_parts() {
        let inputs: &[&str] = if cfg!(unix) { &["-", "/dev/stdin", "/dev/fd/0"] } else { &["-"] };
        for command in Cli::command().get_subcommands() {
            let output = if command.get_name() == "convert" { " -o parts" } else { "" };
            for input in inputs {
                let refused = read(&format!("{} {input}{output}", command.get_name())).unwrap_err();
                assert_eq!(refused.code(), 2, "{input}: {refused}");
                assert!(refused.message().contains("each rank reads its part"), "{refused}");
            }
        }
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let call = format!("equipoise-mpi {}", command.get_name());
            assert!(help.contains(&call), "{}: {help}", command.get_name());
        }
    }
}
