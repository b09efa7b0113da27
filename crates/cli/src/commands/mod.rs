//! The commands, one file each.

mod apsp;
mod betweenness;
mod bfs;
mod color;
mod color_sweep;
mod communities;
mod completions;
mod components;
mod convert;
mod devices;
mod explain;
mod generate;
mod headline;
mod info;
mod kcore;
mod man;
mod mis;
mod mst;
mod mttkrp;
mod pagerank;
mod paths;
mod self_test;
mod spgemm;
mod spmm;
mod spmv;
mod sssp;
mod triangles;

use clap::Subcommand;

use crate::{
    failure::Result,
    files::Files,
    graph_command::{self, Arguments},
};

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Bfs(bfs::Arguments),
    Sssp(sssp::Arguments),
    Apsp(apsp::Arguments),
    Color(color::Arguments),
    /// Find the connected components, over edges of either direction or strongly connected
    #[command(after_help = components::EXAMPLE)]
    Components(Arguments<components::Command>),
    /// Rank the vertices by PageRank
    #[command(after_help = pagerank::EXAMPLE)]
    Pagerank(Arguments<pagerank::Command>),
    /// Find a maximal independent set: vertices of which no two are neighbours
    #[command(after_help = mis::EXAMPLE)]
    Mis(Arguments<mis::Command>),
    /// Count triangles, and how clustered vertices are
    #[command(after_help = triangles::EXAMPLE)]
    Triangles(Arguments<triangles::Command>),
    /// Find how many shortest paths lead through each vertex, or over each edge
    #[command(after_help = betweenness::EXAMPLE)]
    Betweenness(Arguments<betweenness::Command>),
    /// Find the core number of each vertex, and write a core as a graph
    #[command(after_help = kcore::EXAMPLE)]
    Kcore(Arguments<kcore::Command>),
    /// Find a minimum spanning forest of an undirected graph
    #[command(after_help = mst::EXAMPLE)]
    Mst(Arguments<mst::Command>),
    /// Find communities, which have more edges within them than between them
    #[command(after_help = communities::EXAMPLE)]
    Communities(Arguments<communities::Command>),
    /// Find how far vertices are from each other: diameter, closeness, harmonic centrality
    #[command(after_help = paths::EXAMPLE)]
    Paths(Arguments<paths::Command>),
    Spmv(spmv::Arguments),
    Spmm(spmm::Arguments),
    Spgemm(spgemm::Arguments),
    Mttkrp(mttkrp::Arguments),
    Headline(headline::Arguments),
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
    /// Does it. The files that the arguments name are known; those that are named elsewhere are
    /// added.
    pub fn run(self, files: Files) -> Result<()> {
        match self {
            Command::Bfs(arguments) => bfs::run(arguments),
            Command::Sssp(arguments) => sssp::run(arguments),
            Command::Apsp(arguments) => apsp::run(arguments),
            Command::Color(arguments) => color::run(arguments),
            Command::Components(arguments) => graph_command::run(arguments),
            Command::Pagerank(arguments) => graph_command::run(arguments),
            Command::Mis(arguments) => graph_command::run(arguments),
            Command::Triangles(arguments) => graph_command::run(arguments),
            Command::Betweenness(arguments) => graph_command::run(arguments),
            Command::Kcore(arguments) => graph_command::run(arguments),
            Command::Mst(arguments) => graph_command::run(arguments),
            Command::Communities(arguments) => graph_command::run(arguments),
            Command::Paths(arguments) => graph_command::run(arguments),
            Command::Spmv(arguments) => spmv::run(arguments),
            Command::Spmm(arguments) => spmm::run(arguments),
            Command::Spgemm(arguments) => spgemm::run(arguments),
            Command::Mttkrp(arguments) => mttkrp::run(arguments),
            Command::Headline(arguments) => headline::run(arguments, files),
            Command::Info(arguments) => info::run(arguments),
            Command::Generate(arguments) => generate::run(arguments),
            Command::Convert(arguments) => convert::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Devices(arguments) => devices::run(arguments),
            Command::SelfTest(arguments) => self_test::run(arguments),
            Command::Completions(arguments) => completions::run(arguments),
            Command::Man(arguments) => man::run(arguments),
        }
    }
}
