//! The edges of the rows of a rank.

use std::ops::Range;

use bytemuck::Pod;
use equipoise_graph::{VertexNames, Weights, memory};

use super::{IdKind, RowFile, RowFiles, WeightType, checksum, cut, file::OpenFile};
use crate::{
    Comm, EdgeSlice, Error, ReadSlice, Result, SliceIds, SliceOptions, agree,
    memory::{check_memory, slice_bytes},
};

/// Verifies all files on all ranks, then reads the rows of this rank.
pub(crate) fn read(comm: &dyn Comm, rows: &RowFiles, options: &SliceOptions) -> Result<ReadSlice> {
    if cfg!(target_endian = "big") {
        let message = "files of rows are read as they are, which needs little-endian processors";
        return Err(Error::Option(message.into()));
    }
    checksum::check(comm, &rows.files)?;
    let mine = agree(comm, cut::rows(comm, rows))?;
    let count = mine.end - mine.start;
    let of_rows = count.saturating_mul(if rows.ids == IdKind::Table { 24 } else { 8 });
    check_memory(
        comm,
        format_args!("the offsets of {count} rows"),
        of_rows,
        options.ranks_on_node,
    )?;
    let starts = agree(comm, Starts::read(rows, mine.clone()))?;

    let edges: u64 = starts.iter().map(Starts::edges).sum();
    let weight_bytes = rows.weights.map_or(0, WeightType::bytes);
    let from_file = edges.saturating_mul(rows.target_bytes + weight_bytes);
    let bytes = slice_bytes(edges, weight_bytes).saturating_add(from_file);
    check_memory(comm, format_args!("a slice of {edges} edges"), bytes, options.ranks_on_node)?;
    agree(comm, read_rows(rows, &starts, mine.start))
}

/// Some rows of a file, and the offsets of their edges.
struct Starts<'a> {
    about: &'a RowFile,
    file: OpenFile<'a>,
    /// Relative to the first row of the file.
    rows: Range<u64>,
    /// One per row, and one more.
    offsets: Vec<u64>,
}

impl<'a> Starts<'a> {
    /// Those of the rows of vertices `mine`.
    fn read(rows: &'a RowFiles, mine: Range<u64>) -> Result<Vec<Self>> {
        let mut read = Vec::new();
        for about in &rows.files {
            let row = |vertex: u64| vertex.saturating_sub(about.first).min(about.rows);
            let rows = row(mine.start)..row(mine.end);
            if rows.is_empty() {
                continue;
            }
            let file = OpenFile::open(about)?;
            let offsets: Vec<u64> = file.numbers(0, rows.start..rows.end + 1)?;
            let within = offsets.last().is_some_and(|&last| last <= about.edges);
            if !within || !offsets.is_sorted() {
                return Err(about.wrong("is damaged: its offsets fall, or lead behind its edges"));
            }
            read.push(Self { about, file, rows, offsets });
        }
        Ok(read)
    }

    /// Their indices among the edges of the file.
    fn range(&self) -> Range<u64> {
        self.offsets[0]..self.offsets[self.offsets.len() - 1]
    }

    fn edges(&self) -> u64 {
        let Range { start, end } = self.range();
        end - start
    }
}

fn read_rows(rows: &RowFiles, starts: &[Starts], first: u64) -> Result<ReadSlice> {
    let mut edges = EdgeSlice { undirected: rows.undirected, ..EdgeSlice::new(rows.vertices) };
    let weights: Weights = match rows.weights {
        None | Some(WeightType::U32) => add_edges::<u32>(rows, starts, &mut edges)?.into(),
        Some(WeightType::F32) => add_edges::<f32>(rows, starts, &mut edges)?.into(),
        Some(WeightType::F64) => add_edges::<f64>(rows, starts, &mut edges)?.into(),
    };
    edges.weights = rows.weights.map(|_| weights);
    Ok(ReadSlice { edges, ids: ids(rows, starts, first)? })
}

/// Adds the edges of all rows. Returns their weights, if any. For an undirected graph, adds only edges to vertices that are
/// not smaller, which represent both directions.
fn add_edges<W: Pod>(rows: &RowFiles, starts: &[Starts], edges: &mut EdgeSlice) -> Result<Vec<W>> {
    let mut added = Vec::new();
    for part in starts {
        let targets: Vec<u64> = match rows.target_bytes {
            4 => part.file.numbers::<u32>(1, part.range())?.into_iter().map(u64::from).collect(),
            _ => part.file.numbers(1, part.range())?,
        };
        let weights: Vec<W> = match rows.weights {
            Some(_) => part.file.numbers(2, part.range())?,
            None => Vec::new(),
        };
        let start = part.range().start;
        for (row, ends) in part.rows.clone().zip(part.offsets.windows(2)) {
            let vertex = part.about.first + row;
            let indices = (ends[0] - start) as usize..(ends[1] - start) as usize;
            for (index, &target) in indices.clone().zip(&targets[indices]) {
                if rows.undirected && target < vertex {
                    continue;
                }
                edges.sources.push(vertex);
                edges.targets.push(target);
                added.extend(weights.get(index));
            }
        }
    }
    Ok(added)
}

/// The ids of the vertices of the rows.
fn ids(rows: &RowFiles, starts: &[Starts], first: u64) -> Result<SliceIds> {
    match rows.ids {
        IdKind::From(first) => Ok(SliceIds::Dense { first }),
        IdKind::Table => {
            let mut table: Vec<u64> = Vec::new();
            for part in starts {
                table.extend(part.file.numbers::<u64>(3, part.rows.clone())?);
            }
            Ok(SliceIds::Table { first, table })
        }
        IdKind::Names => {
            let mut names = Vec::new();
            for part in starts {
                add_names(part, &mut names)?;
            }
            let names = VertexNames::new(names.iter().map(String::as_str))?;
            Ok(SliceIds::Names { first, names })
        }
    }
}

fn add_names(part: &Starts, names: &mut Vec<String>) -> Result<()> {
    let wrong = || part.about.wrong("is damaged: its names are no text, or lie behind its end");
    let before = match part.rows.start {
        0 => 0,
        start => part.file.numbers::<u64>(3, start - 1..start)?[0],
    };
    let ends: Vec<u64> = part.file.numbers(3, part.rows.clone())?;
    let section = &part.about.sections[4];
    let (last, most) = (ends.last().copied().unwrap_or(before), section.end - section.start);
    if last > most || before > last || !ends.is_sorted() {
        return Err(wrong());
    }
    memory::check("the names of vertices", last - before)?;
    let text = part.file.bytes(section.start + before..section.start + last)?;
    let mut start = before;
    for end in ends {
        let name = text.get((start - before) as usize..(end - before) as usize);
        let name = name.and_then(|name| std::str::from_utf8(name).ok()).ok_or_else(wrong)?;
        names.push(name.to_owned());
        start = end;
    }
    Ok(())
}
