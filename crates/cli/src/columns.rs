//! Results with a number or more for each vertex, as a file.

use equipoise::{graph::Graph, npy};

use crate::{
    failure::Result,
    output::{Kind, ResultFile, with_rows},
    rows::Cell,
};

/// A number for each vertex, under a name.
pub struct Column<'a> {
    pub name: &'static str,
    pub values: Values<'a>,
}

/// The numbers of a column.
#[derive(Clone, Copy)]
pub enum Values<'a> {
    /// Vertices, which are called as the input calls them, and by their places in an array for NumPy.
    Vertices(&'a [u32]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'a> Values<'a> {
    fn cell(self, graph: &'a Graph, vertex: u32) -> Cell<'a> {
        let index = vertex as usize;
        match self {
            Values::Vertices(values) => graph.ids().id(values[index]).into(),
            Values::U32(values) => Cell::Whole(values[index].into()),
            Values::U64(values) => Cell::Whole(values[index]),
            Values::F32(values) => Cell::Single(values[index]),
            Values::F64(values) => Cell::Double(values[index]),
        }
    }
}

/// Writes columns beside that of the vertices; an array for NumPy holds the first.
pub fn write(graph: &Graph, file: Option<&ResultFile>, columns: &[Column]) -> Result<()> {
    if let Some(file) = file.filter(|file| file.kind() == Kind::Npy) {
        let shape = [u64::from(graph.vertices())];
        return file.write_npy(|out| match columns[0].values {
            Values::Vertices(values) | Values::U32(values) => npy::write(out, &shape, values),
            Values::U64(values) => npy::write(out, &shape, values),
            Values::F32(values) => npy::write(out, &shape, values),
            Values::F64(values) => npy::write(out, &shape, values),
        });
    }
    let mut header = vec!["vertex"];
    header.extend(columns.iter().map(|column| column.name));
    with_rows(file, &header, |rows| {
        let mut row = Vec::new();
        for vertex in (0..graph.vertices()).filter(|_| file.is_some()) {
            row.clear();
            row.push(graph.ids().id(vertex).into());
            row.extend(columns.iter().map(|column| column.values.cell(graph, vertex)));
            rows.write(&row)?;
        }
        Ok(())
    })
}

/// The first vertex with the largest value.
pub fn top(values: &[f64]) -> Option<(u32, f64)> {
    let larger = |best: (u32, f64), next: (u32, f64)| if next.1 > best.1 { next } else { best };
    (0..).zip(values.iter().copied()).reduce(larger)
}
