//! The arguments of the commands of algorithms.

use std::marker::PhantomData;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use equipoise::algorithm::Algorithm;

use crate::{
    arguments::{
        GraphArguments, MemoryArgument, OutputArgument, RunArguments, TraceArgument,
        ValidateArgument,
    },
    failure::Result,
    files::{InputFile, OutputFile},
    screen::ScreenArguments,
    sources::SourceArguments,
    values::at_least_one,
};

/// The arguments of an algorithm's command.
#[derive(Args)]
pub struct Arguments<A: Algorithm> {
    #[command(flatten)]
    pub graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    pub options: A::Options,
    #[command(flatten)]
    pub memory: MemoryArgument,
    #[command(flatten)]
    pub run: RunArguments,
    #[command(flatten)]
    pub validate: ValidateArgument,
    #[command(flatten)]
    pub output: OutputArgument,
    #[command(flatten)]
    pub extra: Extra<A>,
    #[command(flatten)]
    pub trace: TraceArgument,
    #[command(flatten)]
    pub screen: ScreenArguments,
}

/// Arguments that only some algorithms have.
pub struct Extra<A> {
    pub sample: Option<SampleArguments>,
    pub subgraph: Option<OutputFile>,
    pub search: Option<SearchArguments>,
    pub batch: bool,
    pub side_table: Option<OutputFile>,
    algorithm: PhantomData<A>,
}

/// The arguments of every search.
#[derive(Args)]
pub struct SearchArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    /// Stop at the vertex with this ID, and print the path to it
    #[arg(long, value_name = "ID", help_heading = "Algorithm")]
    pub target: Option<String>,
    /// On a GPU: strategies per iteration, lines `3 node` or a trace
    #[arg(long, value_name = "FILE", help_heading = "Algorithm")]
    pub plan: Option<InputFile>,
    /// Let the model in FILE choose the strategy
    #[arg(long, value_name = "FILE", help_heading = "Algorithm", conflicts_with_all = ["plan", "strategy"])]
    pub model: Option<InputFile>,
}

/// The argument of searches of which a GPU does several in one pass.
#[derive(Args)]
struct BatchArgument {
    /// Search from 32 sources per pass; each reports the pass's time
    #[arg(long, help_heading = "Algorithm", conflicts_with_all = ["target", "plan", "model"])]
    batch: bool,
}

/// The arguments of algorithms that can estimate from a sample of the vertices.
#[derive(Args)]
pub struct SampleArguments {
    /// Estimate from N random vertices with an outgoing edge [default: exact, from all vertices]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Algorithm")]
    pub random_sources: Option<u32>,
    /// The seed of the random vertices
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        requires = "random_sources",
        help_heading = "Algorithm"
    )]
    pub seed: u64,
}

#[derive(Args)]
struct SubgraphArgument {
    /// Write that part as a graph to FILE, whose name tells the format and the compression
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    subgraph: Option<OutputFile>,
}

impl<A: Algorithm> Args for Extra<A> {
    fn augment_args(mut command: Command) -> Command {
        if A::CAN_SAMPLE {
            command = SampleArguments::augment_args(command);
        }
        if A::HAS_SUBGRAPH {
            command = SubgraphArgument::augment_args(command);
        }
        if let Some((option, help)) = A::SIDE_TABLE {
            let argument = Arg::new(option).long(option).help(help).value_name("FILE");
            let argument = argument.value_parser(value_parser!(OutputFile));
            command = command.arg(argument.help_heading("Output"));
        }
        if A::SEARCH_COLUMNS.is_some() {
            command = SearchArguments::augment_args(command);
        }
        if A::BATCH > 1 {
            command = BatchArgument::augment_args(command);
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<A: Algorithm> FromArgMatches for Extra<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let sample = A::CAN_SAMPLE.then(|| SampleArguments::from_arg_matches(matches));
        let subgraph = A::HAS_SUBGRAPH.then(|| SubgraphArgument::from_arg_matches(matches));
        let search = A::SEARCH_COLUMNS.map(|_| SearchArguments::from_arg_matches(matches));
        Ok(Self {
            sample: sample.transpose()?,
            search: search.transpose()?,
            batch: A::BATCH > 1 && BatchArgument::from_arg_matches(matches)?.batch,
            subgraph: subgraph.transpose()?.and_then(|argument| argument.subgraph),
            side_table: A::SIDE_TABLE.and_then(|(option, _)| matches.get_one(option).cloned()),
            algorithm: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
