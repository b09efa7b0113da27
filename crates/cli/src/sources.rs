//! Where searches start.

use equipoise::graph::{Graph, VertexIds};
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::{
    arguments::at_least_one,
    failure::{Failure, Result},
    numbers,
    screen::Screen,
};

/// The vertices to start from; without any, the one with the most edges.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sources")]
pub struct SourceArguments {
    /// Start from the vertex that the input calls ID (repeatable, or several with commas); without it, from the one with the most edges
    #[arg(long, value_name = "ID")]
    source: Vec<String>,
    /// Start from N random vertices that have an edge, one search each
    #[arg(long, value_name = "N", conflicts_with = "source", value_parser = at_least_one)]
    random_sources: Option<u32>,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random_sources")]
    seed: u64,
}

/// The vertices to start from and why these.
#[derive(Clone, Debug, PartialEq)]
pub struct Sources {
    /// The vertices, by their numbers in the graph.
    pub vertices: Vec<u32>,
    /// Why these, as it is printed.
    pub reason: String,
}

impl Sources {
    /// Whether each row of results must say which source it is about.
    pub fn are_several(&self) -> bool {
        self.vertices.len() > 1
    }

    /// The header of a file of results.
    pub fn header(&self, names: &[&'static str]) -> Vec<&'static str> {
        let source = self.are_several().then_some("source");
        source.into_iter().chain(names.iter().copied()).collect()
    }

    /// Prints where the searches start and why there.
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
    /// How many searches there are.
    pub fn count(&self) -> u64 {
        self.random_sources.map_or(most_vertices(&self.source).max(1) as u64, u64::from)
    }

    /// The sources in a graph.
    pub fn choose(&self, graph: &Graph) -> Result<Sources> {
        if graph.vertices() == 0 {
            return Err(Failure::new("the graph has no vertices, so there is none to start from"));
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
                let vertices = vertices(graph, &self.source)?;
                Ok(Sources { vertices, reason: "as asked".into() })
            }
        }
    }
}

/// The most vertices that these ids can name.
pub fn most_vertices(ids: &[String]) -> usize {
    ids.iter().map(|ids| ids.split(',').count()).sum()
}

/// The vertices that the input calls by these ids; several may stand in one, with commas between them,
/// where that is not a name with commas in it.
pub fn vertices(graph: &Graph, ids: &[String]) -> Result<Vec<u32>> {
    let mut vertices = Vec::new();
    for id in ids {
        match graph.vertex(id.as_str()) {
            Some(found) => vertices.push(found),
            None if !id.contains(',') => vertices.push(vertex(graph, id)?),
            None => {
                for id in id.split(',') {
                    vertices.push(vertex(graph, id.trim())?);
                }
            }
        }
    }
    Ok(vertices)
}

/// The vertex that the input calls `id`.
pub fn vertex(graph: &Graph, id: &str) -> Result<u32> {
    graph.vertex(id).ok_or_else(|| {
        let count = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        let known = match (graph.vertices(), graph.ids()) {
            (0, _) => "the graph has no vertices".into(),
            (_, VertexIds::Names(names)) => match names.nearest(id) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the graph has {count}, such as `{}`", names.get(0)),
            },
            (vertices, ids @ VertexIds::Dense { .. }) => {
                format!("the ids go from {} to {}", ids.id(0), ids.id(vertices - 1))
            }
            (vertices, ids) => format!(
                "the graph has {count}, with ids from {} to {}, not all of which are used",
                ids.id(0),
                ids.id(vertices - 1)
            ),
        };
        Failure::new(format!("vertex {id} does not exist: {known}"))
    })
}

/// So many random vertices that have an edge.
pub fn random(graph: &Graph, count: u32, seed: u64) -> Result<Sources> {
    let vertices = up_to(graph, count, seed);
    if vertices.len() < count as usize {
        let most = numbers::counted(vertices.len() as u64, "vertex", "vertices");
        return Err(Failure::new(format!("--random-sources {count}: only {most} have an edge")));
    }
    Ok(Sources { vertices, reason: format!("random, seed {seed}") })
}

/// The first of the vertices with the most edges, of a graph that has vertices.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise_cli::sources::largest_degree;
///
/// let path = load("path:n=5", &ReadOptions::default())?;
/// assert_eq!(largest_degree(&path), 1);
/// # Ok::<(), equipoise::graph::Error>(())
/// ```
pub fn largest_degree(graph: &Graph) -> u32 {
    let by_degree = |&vertex: &u32| (graph.degree(vertex), std::cmp::Reverse(vertex));
    (0..graph.vertices()).into_par_iter().max_by_key(by_degree).unwrap_or(0)
}

/// So many random vertices that have an edge, or all if there are fewer. The same seed gives the
/// same vertices.
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
