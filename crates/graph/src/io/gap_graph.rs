//! Serialized graphs of the GAP Benchmark Suite: `.sg`, and `.wsg` with weights.
//!
//! All numbers are little-endian and nothing is aligned:
//!
//! | bytes       | contents                                                              |
//! | ----------- | --------------------------------------------------------------------- |
//! | 1           | 1 if the graph is directed, else 0                                    |
//! | 8           | the number m of stored edges (an undirected edge is stored twice)     |
//! | 8           | the number n of vertices                                              |
//! | 8 × (n + 1) | the start of each vertex's edges in the next array, and the end of the last |
//! | 4 × m       | the target of each edge; in `.wsg` 8 × m: target and weight           |
//!
//! A directed graph continues with two such arrays of the incoming edges. Vertices and weights are
//! signed 32-bit numbers that are never negative.

use std::io::Write;

use super::error::{ParseError, WriteError};
use crate::{Csr, Edges, Graph, GraphBuilder, Weights, memory, parallel::*};

const HEADER: usize = 17;
const LARGEST: u64 = i32::MAX as u64;

pub(super) fn read(bytes: &[u8], builder: &GraphBuilder) -> Result<Graph, ParseError> {
    let parts = Parts::parse(bytes, false)?;
    parts.check_memory()?;
    let targets = numbers(parts.edges, u32::from_le_bytes);
    parts.graph(targets, None, builder)
}

pub(super) fn read_weighted(bytes: &[u8], builder: &GraphBuilder) -> Result<Graph, ParseError> {
    let parts = Parts::parse(bytes, true)?;
    parts.check_memory()?;
    let targets = numbers(parts.edges, |pair| u64::from_le_bytes(pair) as u32);
    let weights = numbers(parts.edges, |pair| (u64::from_le_bytes(pair) >> 32) as u32);
    let negative = weights.par_iter().position_first(|&weight| u64::from(weight) > LARGEST);
    if let Some(edge) = negative {
        let weight = weights[edge] as i32;
        return wrong(format!("edge {edge} has the weight {weight}: weights cannot be negative"));
    }
    parts.graph(targets, Some(weights.into()), builder)
}

/// The parts of a file, whose sizes are validated.
struct Parts<'a> {
    directed: bool,
    vertices: u32,
    offsets: &'a [u8],
    edges: &'a [u8],
}

impl<'a> Parts<'a> {
    fn parse(bytes: &'a [u8], weighted: bool) -> Result<Self, ParseError> {
        let Some((header, rest)) = bytes.split_at_checked(HEADER) else {
            let length = bytes.len();
            return wrong(format!("expected a header of {HEADER} bytes, found {length} bytes"));
        };
        let directed = match header[0] {
            0 => false,
            1 => true,
            other => {
                return wrong(format!(
                    "expected 0 (undirected) or 1 (directed) as the first byte, found {other}"
                ));
            }
        };
        let [edges, vertices] = [&header[1..9], &header[9..17]].map(le_u64);
        for (count, what) in [(edges, "edges"), (vertices, "vertices")] {
            if count > i64::MAX as u64 {
                return wrong(format!("the number of {what} is negative: {}", count as i64));
            }
        }
        if vertices > LARGEST {
            return wrong(format!("{vertices} vertices are too many: the limit is {LARGEST}"));
        }

        let size = |edge_size| {
            let array_sizes = 8 * (u128::from(vertices) + 1) + edge_size * u128::from(edges);
            HEADER as u128 + array_sizes * if directed { 2 } else { 1 }
        };
        let (edge_size, other_size) = if weighted { (8, 4) } else { (4, 8) };
        let found = bytes.len() as u128;
        if found != size(edge_size) {
            let hint = match (found == size(other_size), weighted) {
                (false, _) => "",
                (true, true) => "; it would be right for .sg, which has no weights",
                (true, false) => "; it would be right for .wsg, which has weights",
            };
            return wrong(format!(
                "{vertices} vertices and {edges} edges, as the header says, take {} bytes, but \
                 the file has {found}{hint}",
                size(edge_size)
            ));
        }
        let (offsets, rest) = rest.split_at(8 * (vertices as usize + 1));
        let edges = &rest[..edge_size as usize * edges as usize];
        Ok(Self { directed, vertices: vertices as u32, offsets, edges })
    }

    /// Checks the memory for the size of the file; the structures built from it check their own.
    fn check_memory(&self) -> crate::Result<()> {
        memory::check("reading it", (self.offsets.len() + self.edges.len()) as u64)
    }

    fn graph(
        self,
        targets: Vec<u32>,
        weights: Option<Weights>,
        builder: &GraphBuilder,
    ) -> Result<Graph, ParseError> {
        let vertices = self.vertices;
        let outside = targets.par_iter().position_first(|&target| target >= vertices);
        if let Some(edge) = outside {
            return wrong(format!(
                "edge {edge} goes to vertex {}, but the graph has {vertices} vertices, numbered from 0",
                targets[edge] as i32
            ));
        }
        let offsets = numbers(self.offsets, u64::from_le_bytes);
        check_offsets(&offsets, targets.len() as u64)?;

        let csr = Csr::unchecked(vertices, offsets.into(), targets.into());
        let sorted = (0..vertices).into_par_iter().all(|vertex| csr.row(vertex).is_sorted());
        let (csr, weights) = if sorted { (csr, weights) } else { sort_rows(csr, weights)? };
        let graph = Graph::from_csr(csr, weights, !self.directed)?;
        Ok(builder.rebuild(graph)?)
    }
}

fn check_offsets(offsets: &[u64], edges: u64) -> Result<(), ParseError> {
    let (first, last) = (offsets[0] as i64, offsets[offsets.len() - 1] as i64);
    if first != 0 || last as u64 != edges {
        return wrong(format!("the offsets run from {first} to {last}, not from 0 to {edges}"));
    }
    match offsets.par_windows(2).position_first(|pair| pair[0] > pair[1]) {
        Some(vertex) => wrong(format!(
            "the offsets fall from {} to {} after vertex {vertex}",
            offsets[vertex] as i64,
            offsets[vertex + 1] as i64
        )),
        None => Ok(()),
    }
}

/// The same rows with columns in ascending order; weights move with their edges.
fn sort_rows(csr: Csr, weights: Option<Weights>) -> Result<(Csr, Option<Weights>), ParseError> {
    memory::check("sorting its edges", Edges::memory_of(csr.entries(), 0))?;
    let edges = Edges::new(csr.row_of_each_entry()?, csr.indices().to_vec(), weights)?;
    let graph = GraphBuilder::new().vertices(csr.rows().into()).build(edges)?;
    Ok((graph.csr().clone(), graph.weights().cloned()))
}

/// Writes a `.sg` file. Ids are lost, because the format counts vertices from 0.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    if graph.weights().is_some() {
        return Err(WriteError::CannotHold("weights (wsg can)".into()));
    }
    write_parts(graph, out, |graph, out| {
        write_each(out, graph.csr().indices().iter().copied(), u32::to_le_bytes)
    })
}

/// Writes a `.wsg` file. Ids are lost, because the format counts vertices from 0.
pub(super) fn write_weighted(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let weights = weights_of(graph)?;
    if let Some(weight) = weights.par_iter().find_first(|&&weight| u64::from(weight) > LARGEST) {
        return Err(WriteError::CannotHold(format!(
            "the weight {weight}: the largest is {LARGEST}"
        )));
    }
    write_parts(graph, out, |graph, out| {
        let pairs = graph.csr().indices().iter().zip(weights_of(graph)?);
        write_each(out, pairs, |(&target, &weight)| {
            (u64::from(weight) << 32 | u64::from(target)).to_le_bytes()
        })
    })
}

fn weights_of(graph: &Graph) -> Result<&[u32], WriteError> {
    match graph.weights() {
        Some(Weights::U32(weights)) => Ok(weights),
        Some(weights) => {
            let name = weights.type_name();
            Err(WriteError::CannotHold(format!("{name} weights, only whole numbers")))
        }
        None => Err(WriteError::CannotHold("a graph without weights (sg can)".into())),
    }
}

fn write_parts(
    graph: &Graph,
    out: &mut dyn Write,
    write_edges: impl Fn(&Graph, &mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    if u64::from(graph.vertices()) > LARGEST {
        let count = graph.vertices();
        return Err(WriteError::CannotHold(format!("{count} vertices: the most are {LARGEST}")));
    }
    let directed = !graph.is_undirected();
    out.write_all(&[directed.into()])?;
    out.write_all(&graph.edges().to_le_bytes())?;
    out.write_all(&u64::from(graph.vertices()).to_le_bytes())?;
    write_each(out, graph.csr().offsets().iter().copied(), u64::to_le_bytes)?;
    write_edges(graph, out)?;
    if directed {
        let reversed = graph.transpose()?;
        write_each(out, reversed.csr().offsets().iter().copied(), u64::to_le_bytes)?;
        write_edges(reversed, out)?;
    }
    Ok(())
}

fn wrong<T>(message: String) -> Result<T, ParseError> {
    Err(ParseError::Whole(message))
}

fn le_u64(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The consecutive numbers of `SIZE` bytes in `bytes`.
fn numbers<T: Send, const SIZE: usize>(bytes: &[u8], number: fn([u8; SIZE]) -> T) -> Vec<T> {
    let (chunks, _) = bytes.as_chunks::<SIZE>();
    chunks.par_iter().with_min_len(1 << 12).map(|&chunk| number(chunk)).collect()
}

fn write_each<T, const SIZE: usize>(
    out: &mut dyn Write,
    mut numbers: impl Iterator<Item = T>,
    bytes: impl Fn(T) -> [u8; SIZE],
) -> Result<(), WriteError> {
    const AT_ONCE: usize = 1 << 14;
    let mut buffer = Vec::with_capacity(SIZE * AT_ONCE);
    loop {
        buffer.clear();
        buffer.extend(numbers.by_ref().take(AT_ONCE).flat_map(&bytes));
        if buffer.is_empty() {
            return Ok(());
        }
        out.write_all(&buffer)?;
    }
}
