//! The commands, one file per command.

mod algorithm;
mod apsp;
mod completions;
mod convert;
mod devices;
mod explain;
mod generate;
mod graphalytics;
mod headline;
mod info;
mod man;
mod mttkrp;
mod self_test;
mod spgemm;
mod spmm;
mod spmv;
mod sweep;

use clap::Subcommand;

use crate::{failure::Result, files::Files};

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(flatten)]
    Algorithm(algorithm::AlgorithmCommand),
    Apsp(apsp::Arguments),
    Spmv(spmv::Arguments),
    Spmm(spmm::Arguments),
    Spgemm(spgemm::Arguments),
    Mttkrp(mttkrp::Arguments),
    Headline(headline::Arguments),
    Graphalytics(graphalytics::Arguments),
    Info(info::Arguments),
    Generate(generate::Arguments),
    Convert(convert::Arguments),
    Explain(explain::Arguments),
    Devices(devices::Arguments),
    SelfTest(self_test::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    /// Runs the command. `files` are those named by the arguments; a command adds those named
    /// elsewhere. `program` builds the program's command line.
    pub fn run(self, files: Files, program: fn() -> clap::Command) -> Result<()> {
        match self {
            Command::Apsp(arguments) => apsp::run(arguments),
            Command::Algorithm(command) => command.run(),
            Command::Spmv(arguments) => spmv::run(arguments),
            Command::Spmm(arguments) => spmm::run(arguments),
            Command::Spgemm(arguments) => spgemm::run(arguments),
            Command::Mttkrp(arguments) => mttkrp::run(arguments),
            Command::Headline(arguments) => headline::run(arguments, files),
            Command::Graphalytics(arguments) => graphalytics::run(arguments),
            Command::Info(arguments) => info::run(arguments),
            Command::Generate(arguments) => generate::run(arguments),
            Command::Convert(arguments) => convert::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Devices(arguments) => devices::run(arguments),
            Command::SelfTest(arguments) => self_test::run(arguments),
            Command::Completions(arguments) => completions::run(arguments, program()),
            Command::Man(arguments) => man::run(arguments, program()),
        }
    }
}
