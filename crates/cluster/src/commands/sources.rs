//! Sources of searches.

use equipoise_graph::numbers;
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    failure::{Failure, Result},
    ids::{self, Id},
    job::Job,
    load::Loaded,
    screen::Screen,
};
use crate::{Comm, Reduction};

/// The vertices to start from; without any, the one with the most edges.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sources")]
pub struct SourceArguments {
    /// Start from the vertex that the input calls ID (repeatable, or several with commas); without it, from the one with the most edges
    #[arg(long, value_name = "ID")]
    source: Vec<String>,
    /// Start from N random vertices with an outgoing edge, one search each
    #[arg(long, value_name = "N", conflicts_with = "source", value_parser = clap::value_parser!(u32).range(1..))]
    random_sources: Option<u32>,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random_sources")]
    seed: u64,
}

/// The sources, their ids, and the reason for them.
pub struct Sources {
    pub vertices: Vec<(u64, Id)>,
    reason: String,
}

impl Sources {
    /// Whether rows of results have a column for the source.
    pub fn are_several(&self) -> bool {
        self.vertices.len() > 1
    }

    /// Prints the sources and the reason for them.
    pub fn print(&self, screen: &mut Screen) {
        match &self.vertices[..] {
            [(_, only)] => screen.fact("source", format_args!("{only} ({})", self.reason)),
            all => screen.fact("sources", format_args!("{} ({})", all.len(), self.reason)),
        }
    }
}

impl SourceArguments {
    /// The sources in a graph; all ranks call it.
    pub fn choose(&self, job: &Job, loaded: &Loaded) -> Result<Sources> {
        let comm = job.comm;
        if loaded.graph.vertices_total() == 0 {
            return Err(Failure::new("the graph has no vertices to start from"));
        }
        let (vertices, reason) = match self.random_sources {
            Some(count) => {
                (random(comm, loaded, count, self.seed)?, format!("random, seed {}", self.seed))
            }
            None if self.source.is_empty() => {
                let (vertex, degree) = largest_degree(comm, loaded);
                (vec![vertex], format!("the largest degree, {}", numbers::count(degree)))
            }
            None => (self.named(comm, loaded)?, "as asked".into()),
        };
        let called = |vertex| ids::of_one(comm, &loaded.ids, &loaded.graph.partition, vertex);
        let vertices = vertices.into_iter().map(|vertex| (vertex, called(vertex))).collect();
        Ok(Sources { vertices, reason })
    }

    /// An argument may have several ids between commas, unless it is a name with commas.
    fn named(&self, comm: &dyn Comm, loaded: &Loaded) -> Result<Vec<u64>> {
        let mut vertices = Vec::new();
        for id in &self.source {
            match find(comm, loaded, id) {
                Some(vertex) => vertices.push(vertex),
                None if !id.contains(',') => return Err(unknown(comm, loaded, id)),
                None => {
                    for id in id.split(',').map(str::trim) {
                        let vertex = find(comm, loaded, id);
                        vertices.push(vertex.ok_or_else(|| unknown(comm, loaded, id))?);
                    }
                }
            }
        }
        Ok(vertices)
    }
}

fn find(comm: &dyn Comm, loaded: &Loaded, id: &str) -> Option<u64> {
    loaded.ids.find(comm, loaded.graph.vertices_total(), id)
}

/// All ranks call it, because owners have the ids.
fn unknown(comm: &dyn Comm, loaded: &Loaded, id: &str) -> Failure {
    let vertices = loaded.graph.vertices_total();
    let called = |vertex| ids::of_one(comm, &loaded.ids, &loaded.graph.partition, vertex);
    let (first, last) = (called(0), called(vertices.saturating_sub(1)));
    let count = numbers::counted(vertices, "vertex", "vertices");
    Failure::new(format!(
        "vertex {id} does not exist: the graph has {count}, the first called {first} and the last {last}"
    ))
}

/// The first vertex with the most edges.
fn largest_degree(comm: &dyn Comm, loaded: &Loaded) -> (u64, u64) {
    let graph = &loaded.graph;
    let degree = |vertex| graph.local.degree(vertex) as u64;
    let mut most = [(0..graph.owned()).map(degree).max().unwrap_or(0)];
    comm.all_reduce(&mut most, Reduction::Max);
    let here = (0..graph.owned()).find(|&vertex| degree(vertex) == most[0]);
    let mut first = [here.map_or(u64::MAX, |vertex| graph.global(vertex))];
    comm.all_reduce(&mut first, Reduction::Min);
    (first[0], most[0])
}

/// Random vertices with an outgoing edge, equal to those on one machine.
fn random(comm: &dyn Comm, loaded: &Loaded, count: u32, seed: u64) -> Result<Vec<u64>> {
    let graph = &loaded.graph;
    let with_edges: Vec<u32> =
        (0..graph.owned()).filter(|&vertex| graph.local.degree(vertex) > 0).collect();
    let counts = comm.all_gather(&(with_edges.len() as u64).to_le_bytes());
    let counts: Vec<u64> = counts
        .iter()
        .map(|bytes| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)))
        .collect();
    let (before, all) = (counts[..comm.rank()].iter().sum::<u64>(), counts.iter().sum::<u64>());
    if all < u64::from(count) {
        let most = numbers::counted(all, "vertex", "vertices");
        return Err(Failure::new(format!(
            "--random-sources {count}: only {most} have an outgoing edge"
        )));
    }
    let picked =
        index::sample(&mut Xoshiro256PlusPlus::seed_from_u64(seed), all as usize, count as usize);
    let here = |index: usize| {
        let index =
            (index as u64).checked_sub(before).and_then(|index| usize::try_from(index).ok())?;
        with_edges.get(index).map(|&vertex| graph.global(vertex))
    };
    let mut vertices: Vec<u64> =
        picked.iter().map(|index| here(index).unwrap_or(u64::MAX)).collect();
    comm.all_reduce(&mut vertices, Reduction::Min);
    Ok(vertices)
}
