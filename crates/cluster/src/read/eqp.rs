//! A rank's rows of an `.eqp` file, whose checksum all ranks compute together.

use std::path::Path;

use equipoise_graph::io::{EqpIds, EqpLayout};

use super::text::check_same;
use crate::{
    Comm, ReadSlice, Result, SliceOptions, agree,
    rows::{self, IdKind, RowFile, RowFiles, WeightType},
};

/// Reads the rows of this rank.
pub(super) fn read(comm: &dyn Comm, path: &Path, options: &SliceOptions) -> Result<ReadSlice> {
    let layout = agree(comm, EqpLayout::read(path).map_err(Into::into))?;
    check_same(comm, path, layout.bytes)?;
    rows::read(comm, &files(path, &layout), options)
}

/// The file as the only one of its graph.
fn files(path: &Path, layout: &EqpLayout) -> RowFiles {
    let file = RowFile {
        path: path.to_owned(),
        first: 0,
        rows: layout.vertices,
        edges: layout.edges,
        sections: layout.sections.clone(),
        bytes: layout.bytes,
        checksum: layout.checksum,
    };
    RowFiles {
        files: vec![file],
        vertices: layout.vertices,
        edges: layout.edges,
        undirected: layout.undirected,
        target_bytes: 4,
        weights: layout.weights.and_then(WeightType::of),
        ids: match layout.ids {
            EqpIds::From(first) => IdKind::From(first),
            EqpIds::Table => IdKind::Table,
            EqpIds::Names => IdKind::Names,
        },
    }
}
