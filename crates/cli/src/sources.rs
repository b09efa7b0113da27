//! Where searches start.

use equipoise::{algorithm::largest_degree, graph::Graph, named_vertices};
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::{
    failure::{Failure, Result},
    numbers,
    screen::Screen,
    values::at_least_one,
};

/// The vertices to start from; by default the one with the most edges.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sources")]
pub struct SourceArguments {
    /// Start from these vertices, separated by commas [default: the vertex with the most edges]
    #[arg(long, value_name = "ID")]
    source: Vec<String>,
    /// Start from N random vertices that have an outgoing edge
    #[arg(long, value_name = "N", conflicts_with = "source", value_parser = at_least_one)]
    random_sources: Option<u32>,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random_sources")]
    seed: u64,
}

/// The vertices to start from and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources {
    /// The vertices, by their numbers in the graph.
    pub vertices: Vec<u32>,
    /// The reason, as it is printed.
    pub reason: String,
}

impl Sources {
    /// Whether rows of results need a column for the source.
    pub fn are_several(&self) -> bool {
        self.vertices.len() > 1
    }

    /// The header of a file of results.
    pub fn header(&self, names: &[&'static str]) -> Vec<&'static str> {
        let source = self.are_several().then_some("source");
        source.into_iter().chain(names.iter().copied()).collect()
    }

    /// Prints where the searches start and why.
    pub fn print(&self, graph: &Graph, screen: &mut Screen) -> Result<()> {
        match self.vertices[..] {
            [only] => {
                screen.fact("source", format_args!("{} ({})", graph.ids().id(only), self.reason))
            }
            _ => screen.fact("sources", format_args!("{} ({})", self.vertices.len(), self.reason)),
        }
    }
}

impl SourceArguments {
    /// Whether the arguments say where searches start.
    pub fn are_named(&self) -> bool {
        !self.source.is_empty() || self.random_sources.is_some()
    }

    /// The number of searches.
    pub fn count(&self) -> u64 {
        self.random_sources.map_or(most_vertices(&self.source).max(1) as u64, u64::from)
    }

    /// The sources in a graph.
    pub fn choose(&self, graph: &Graph) -> Result<Sources> {
        if graph.vertices() == 0 {
            return Err(Failure::new("the graph has no vertices to start from"));
        }
        match self.random_sources {
            Some(count) => random(graph, count, self.seed),
            None if self.source.is_empty() => {
                let vertex = largest_degree(graph);
                let degree = numbers::count(graph.degree(vertex) as u64);
                let reason = format!("the largest degree, {degree}");
                Ok(Sources { vertices: vec![vertex], reason })
            }
            None => {
                let vertices = named_vertices(graph, &self.source)?;
                Ok(Sources { vertices, reason: "as asked".into() })
            }
        }
    }
}

/// The most vertices that these ids can name.
pub fn most_vertices(ids: &[String]) -> usize {
    ids.iter().map(|ids| ids.split(',').count()).sum()
}

/// `count` random vertices that have an outgoing edge.
pub fn random(graph: &Graph, count: u32, seed: u64) -> Result<Sources> {
    let vertices = up_to(graph, count, seed);
    if vertices.len() < count as usize {
        let most = numbers::counted(vertices.len() as u64, "vertex", "vertices");
        return Err(Failure::new(format!(
            "--random-sources {count}: only {most} have an outgoing edge"
        )));
    }
    Ok(Sources { vertices, reason: format!("random, seed {seed}") })
}

/// Up to `count` random vertices that have an outgoing edge. The same seed gives the same vertices.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise_cli::sources::up_to;
///
/// let path = load("path:n=5", &ReadOptions::default())?;
/// assert_eq!(up_to(&path, 2, 1), up_to(&path, 2, 1));
/// assert_eq!((up_to(&path, 2, 1).len(), up_to(&path, 9, 1).len()), (2, 5));
/// # Ok::<(), equipoise::graph::Error>(())
/// ```
pub fn up_to(graph: &Graph, count: u32, seed: u64) -> Vec<u32> {
    let all = (0..graph.vertices()).into_par_iter();
    let with_edges: Vec<u32> = all.filter(|&vertex| graph.degree(vertex) > 0).collect();
    let count = with_edges.len().min(count as usize);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let picked = index::sample(&mut random, with_edges.len(), count);
    picked.iter().map(|index| with_edges[index]).collect()
}
