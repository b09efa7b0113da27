//! Writes a folder: each rank its part, and then one rank the manifest.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use equipoise_graph::{VertexNames, Weights, io::write_file};

use super::manifest::{Ids, MAGIC, MANIFEST, Manifest, Part};
use crate::{Comm, DistGraph, Error, Result, SliceIds, agree, rows::Hasher};

/// Vertices that fit into 32 bits.
const FIT_U32: u64 = 1 << 32;

/// Writes the graph into `folder`, which is created if missing: a part per rank, then `manifest.json`, which
/// [`read_slice`](crate::read_slice) opens on any number of ranks. `ids` are what the input calls the vertices, in any parts.
///
/// Without its manifest, which is written last, a folder is no graph, so that a graph is never incomplete. Where a rank fails,
/// all do, and remove their parts.
///
/// Fails if the folder already has a manifest, and where files cannot be written.
///
/// ```
/// use equipoise_cluster::{DistGraph, SliceOptions, read_slice, run_threads, write_parts};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path().join("roads");
/// let options = SliceOptions::default();
/// run_threads(3, 64, |comm| {
///     let read = read_slice(comm, "grid:width=10,height=10", &options)?;
///     let graph = DistGraph::build(comm, read.edges)?;
///     write_parts(comm, &graph, read.ids, &folder)
/// })
/// .into_iter()
/// .collect::<equipoise_cluster::Result<()>>()?;
///
/// let source = folder.display().to_string();
/// let edges = run_threads(2, 64, |comm| read_slice(comm, &source, &options).unwrap().edges.len());
/// assert_eq!(edges.iter().sum::<usize>(), 180);
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn write_parts(comm: &dyn Comm, graph: &DistGraph, ids: SliceIds, folder: &Path) -> Result<()> {
    agree(comm, if comm.rank() == 0 { prepare(folder) } else { Ok(()) })?;
    let ids = agree(comm, ids.owned(comm, &graph.partition))?;
    let manifest = manifest(graph, &ids);
    let file = format!("part-{:05}-of-{:05}", comm.rank(), comm.size());
    let written = agree(comm, write_part(graph, &ids, &manifest, folder, &file));
    let done = written.and_then(|part| {
        let parts = gathered(comm, &part)?;
        let manifest = Manifest { parts, ..manifest };
        agree(comm, if comm.rank() == 0 { write_manifest(&manifest, folder) } else { Ok(()) })
    });
    if done.is_err() {
        // A missing file need not be removed, and the first error is the one to report.
        let _ = fs::remove_file(folder.join(&file));
    }
    done
}

/// Makes the folder, unless a graph is in it already.
fn prepare(folder: &Path) -> Result<()> {
    if fs::symlink_metadata(folder.join(MANIFEST)).is_ok() {
        return Err(Error::Option(format!(
            "{}: the folder already has a graph: remove it, or choose another folder",
            folder.display()
        )));
    }
    fs::create_dir_all(folder)
        .map_err(|source| equipoise_graph::Error::Io { path: folder.to_owned(), source }.into())
}

/// The manifest, without its parts.
fn manifest(graph: &DistGraph, ids: &SliceIds) -> Manifest {
    let vertices = graph.vertices_total();
    Manifest {
        vertices,
        edges: graph.edges_total(),
        undirected: graph.is_undirected(),
        weights: graph.local.weights().map(|weights| weights.type_name().to_owned()),
        target_bytes: if vertices <= FIT_U32 { 4 } else { 8 },
        ids: match ids {
            SliceIds::Dense { first } => Ids::From(*first),
            SliceIds::Table { .. } => Ids::Table,
            SliceIds::Names { .. } => Ids::Names,
        },
        ..Manifest::new()
    }
}

fn write_part(
    graph: &DistGraph,
    ids: &SliceIds,
    manifest: &Manifest,
    folder: &Path,
    file: &str,
) -> Result<Part> {
    let offsets = &graph.local.csr().offsets()[..=graph.owned() as usize];
    let mut part = Part {
        file: file.to_owned(),
        first: graph.partition.range(graph.rank()).start,
        vertices: graph.owned().into(),
        edges: offsets.last().copied().unwrap_or(0),
        names: match ids {
            SliceIds::Names { names, .. } => names.iter().map(|name| name.len() as u64).sum(),
            _ => 0,
        },
        bytes: 0,
        checksum: String::new(),
    };
    part.bytes = manifest.sections(&part).map_or(0, |(_, bytes)| bytes);
    let mut checksum = 0;
    write_file(&folder.join(file), |out| {
        out.write_all(&MAGIC)?;
        let mut hasher = Hasher::new(out);
        put_sections(graph, offsets, ids, manifest.target_bytes, &mut hasher)?;
        checksum = hasher.finish();
        Ok(())
    })?;
    part.checksum = format!("{checksum:016x}");
    Ok(part)
}

fn put_sections(
    graph: &DistGraph,
    offsets: &[u64],
    ids: &SliceIds,
    target_bytes: u64,
    out: &mut Hasher,
) -> io::Result<()> {
    put(out, offsets.iter().map(|offset| offset.to_le_bytes()))?;
    let edges = offsets.last().copied().unwrap_or(0) as usize;
    let targets = graph.local.csr().indices()[..edges].iter().map(|&target| graph.global(target));
    match target_bytes {
        4 => put(out, targets.map(|target| (target as u32).to_le_bytes()))?,
        _ => put(out, targets.map(u64::to_le_bytes))?,
    }
    match graph.local.weights() {
        None => {}
        Some(Weights::U32(weights)) => put(out, weights[..edges].iter().map(|w| w.to_le_bytes()))?,
        Some(Weights::F32(weights)) => put(out, weights[..edges].iter().map(|w| w.to_le_bytes()))?,
        Some(Weights::F64(weights)) => put(out, weights[..edges].iter().map(|w| w.to_le_bytes()))?,
    }
    match ids {
        SliceIds::Dense { .. } => Ok(()),
        SliceIds::Table { table, .. } => put(out, table.iter().map(|id| id.to_le_bytes())),
        SliceIds::Names { names, .. } => put_names(names, out),
    }
}

fn put_names(names: &VertexNames, out: &mut Hasher) -> io::Result<()> {
    let ends = names.iter().scan(0u64, |end, name| {
        *end += name.len() as u64;
        Some(end.to_le_bytes())
    });
    put(out, ends)?;
    for name in names.iter() {
        out.write(name.as_bytes())?;
    }
    out.end_section()
}

fn put<const N: usize>(out: &mut Hasher, numbers: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
    for number in numbers {
        out.write(&number)?;
    }
    out.end_section()
}

fn gathered(comm: &dyn Comm, part: &Part) -> Result<Vec<Part>> {
    let unreadable =
        |error: serde_json::Error| Error::Disagree(format!("a part is no part: {error}"));
    let text = serde_json::to_vec(part).map_err(unreadable)?;
    comm.all_gather(&text)
        .iter()
        .map(|text| serde_json::from_slice(text).map_err(unreadable))
        .collect()
}

fn write_manifest(manifest: &Manifest, folder: &Path) -> Result<()> {
    Ok(write_file(&folder.join(MANIFEST), |out: &mut dyn Write| {
        serde_json::to_writer_pretty(&mut *out, manifest)?;
        out.write_all(b"\n")
    })?)
}
