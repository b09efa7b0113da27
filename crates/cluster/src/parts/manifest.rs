//! The manifest of a folder.

use std::{
    fs::{self, File},
    io::Read,
    path::{Component, Path},
};

use equipoise_graph::memory;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Comm, Error, Reduction, Result,
    rows::{IdKind, RowFile, RowFiles, Sections, WeightType},
};

/// The name of the manifest in its folder.
pub(super) const MANIFEST: &str = "manifest.json";
/// What a part starts with.
pub(super) const MAGIC: [u8; 8] = *b"EQPART1\n";
/// The version of the format.
const VERSION: u32 = 1;
const FORMAT: &str = "equipoise-parts";
/// No manifest is longer: that of a million parts is not.
const MOST_BYTES: u64 = 1 << 28;

#[derive(Serialize, Deserialize)]
pub(super) struct Manifest {
    pub format: String,
    pub version: u32,
    pub vertices: u64,
    pub edges: u64,
    pub undirected: bool,
    pub weights: Option<String>,
    pub target_bytes: u64,
    pub ids: Ids,
    pub parts: Vec<Part>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ids {
    From(u64),
    Table,
    Names,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Part {
    pub file: String,
    pub first: u64,
    pub vertices: u64,
    pub edges: u64,
    pub names: u64,
    pub bytes: u64,
    /// In hexadecimal, as other programs round numbers of 64 bits.
    pub checksum: String,
}

impl Manifest {
    pub fn new() -> Self {
        Self {
            format: FORMAT.into(),
            version: VERSION,
            vertices: 0,
            edges: 0,
            undirected: false,
            weights: None,
            target_bytes: 8,
            ids: Ids::From(0),
            parts: Vec::new(),
        }
    }

    /// The places of a part's sections, and how many bytes it has. Nothing where that is more than 64 bits number.
    pub fn sections(&self, part: &Part) -> Option<(Sections, u64)> {
        let weights = self.weights.as_deref().and_then(WeightType::of).map_or(0, WeightType::bytes);
        let ids = if matches!(self.ids, Ids::From(_)) { 0 } else { part.vertices };
        let sizes = [
            part.vertices.checked_add(1)?.checked_mul(8)?,
            part.edges.checked_mul(self.target_bytes)?,
            part.edges.checked_mul(weights)?,
            ids.checked_mul(8)?,
            part.names,
        ];
        let mut end = MAGIC.len() as u64;
        let mut sections = Sections::default();
        for (section, size) in sections.iter_mut().zip(sizes) {
            *section = end..end.checked_add(size)?;
            end = section.end;
        }
        Some((sections, end))
    }

    /// The files that it tells of. Fails, with what is wrong, where it contradicts itself.
    fn files(&self, folder: &Path) -> Result<RowFiles, String> {
        if self.format != FORMAT {
            return Err(format!("is of the format {:?}: expected {FORMAT:?}", self.format));
        }
        if self.version != VERSION {
            return Err(format!(
                "is of version {}, and this Equipoise knows version {VERSION}: use one that wrote it",
                self.version
            ));
        }
        if ![4, 8].contains(&self.target_bytes) {
            return Err(format!("has targets of {} bytes: expected 4 or 8", self.target_bytes));
        }
        let weights = match self.weights.as_deref() {
            None => None,
            Some(name) => Some(WeightType::of(name).ok_or_else(|| {
                format!("has weights of type {name:?}: expected \"u32\", \"f32\" or \"f64\"")
            })?),
        };
        let (mut files, mut vertices, mut edges) = (Vec::new(), 0u64, 0u64);
        for part in &self.parts {
            files.push(self.file(folder, part, vertices)?);
            let overflow = || format!("tells of more than 64 bits number in {:?}", part.file);
            vertices = vertices.checked_add(part.vertices).ok_or_else(overflow)?;
            edges = edges.checked_add(part.edges).ok_or_else(overflow)?;
        }
        if (vertices, edges) != (self.vertices, self.edges) {
            return Err(format!(
                "tells of {} vertices and {} edges, but its parts of {vertices} and {edges}",
                self.vertices, self.edges
            ));
        }
        let ids = match self.ids {
            Ids::From(first) if first.checked_add(vertices).is_some() => IdKind::From(first),
            Ids::From(_) => return Err("has ids that do not fit into 64 bits".into()),
            Ids::Table => IdKind::Table,
            Ids::Names => IdKind::Names,
        };
        let (undirected, target_bytes) = (self.undirected, self.target_bytes);
        Ok(RowFiles { files, vertices, edges, undirected, target_bytes, weights, ids })
    }

    fn file(&self, folder: &Path, part: &Part, first: u64) -> Result<RowFile, String> {
        let name = Path::new(&part.file);
        // A manifest of somebody else's must not lead out of its folder.
        if !matches!(name.components().collect::<Vec<_>>()[..], [Component::Normal(_)]) {
            return Err(format!(
                "has a part {:?}: expected the name of a file beside it",
                part.file
            ));
        }
        if part.first != first {
            let found = part.first;
            return Err(format!("has {:?} start with vertex {found}: expected {first}", part.file));
        }
        let checksum = u64::from_str_radix(&part.checksum, 16)
            .map_err(|_| format!("has a checksum {:?} of {:?}", part.checksum, part.file))?;
        match self.sections(part) {
            Some((sections, bytes)) if bytes == part.bytes => Ok(RowFile {
                path: folder.join(name),
                first,
                rows: part.vertices,
                edges: part.edges,
                sections,
                bytes,
                checksum,
            }),
            _ => Err(format!(
                "tells of {} bytes in {:?}, which is not what {} vertices and {} edges take",
                part.bytes, part.file, part.vertices, part.edges
            )),
        }
    }
}

/// The files of the graph in `folder`, and the checksum of its manifest.
pub(super) fn open(folder: &Path) -> Result<(RowFiles, u64)> {
    let path = folder.join(MANIFEST);
    let failed = |source| equipoise_graph::Error::Io { path: path.clone(), source };
    let wrong =
        |message: String| equipoise_graph::Error::Parse { path: path.clone(), line: None, message };
    let length = fs::metadata(&path).map_err(failed)?.len();
    if length > MOST_BYTES {
        return Err(wrong(format!("has {length} bytes: no manifest is that long")).into());
    }
    memory::check(format_args!("reading {}", path.display()), length.saturating_mul(4))?;
    let mut text = Vec::new();
    let file = File::open(&path).map_err(failed)?;
    file.take(MOST_BYTES).read_to_end(&mut text).map_err(failed)?;
    let manifest: Manifest = serde_json::from_slice(&text)
        .map_err(|error| wrong(format!("is no manifest of a graph: {error}")))?;
    Ok((manifest.files(folder).map_err(wrong)?, xxh3_64(&text)))
}

/// Whether all ranks have read the same manifest.
pub(super) fn check_same(comm: &dyn Comm, folder: &Path, sum: u64) -> Result<()> {
    let (mut least, mut most) = ([sum], [sum]);
    comm.all_reduce(&mut least, Reduction::Min);
    comm.all_reduce(&mut most, Reduction::Max);
    if least == most {
        Ok(())
    } else {
        Err(Error::Disagree(format!(
            "{} differs between machines: all need the same folder",
            folder.join(MANIFEST).display()
        )))
    }
}
