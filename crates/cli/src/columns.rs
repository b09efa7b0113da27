//! Output of a table of results to a file.

use equipoise::{
    Distances, NONE,
    algorithm::{SearchTree, Table, Values},
    graph::{Graph, Weights},
    npy,
};

use crate::{
    failure::Result,
    output::{Kind, ResultFile, with_rows},
    rows::{Cell, Rows},
};

/// Writes a table. A NumPy array contains the first column that is not of vertices.
pub fn write(graph: &Graph, file: Option<&ResultFile>, table: &Table) -> Result<()> {
    if let Some(file) = file.filter(|file| file.kind() == Kind::Npy) {
        let mut columns = table.columns.iter().map(|column| &column.values);
        let is_value = |values: &&Values| !matches!(values, Values::Vertices(_));
        return columns.find(is_value).map_or(Ok(()), |values| write_array(file, values));
    }
    let mut header: Vec<&str> = table.is_of_vertices.then_some("vertex").into_iter().collect();
    header.extend(table.columns.iter().map(|column| &*column.name));
    with_rows(file, &header, |rows| {
        let count = table.columns.first().map_or(0, |column| column.values.len());
        let mut row = Vec::new();
        for index in (0..count).filter(|_| file.is_some()) {
            row.clear();
            if table.is_of_vertices {
                row.push(graph.ids().id(index as u32).into());
            }
            row.extend(table.columns.iter().map(|column| cell(&column.values, graph, index)));
            rows.write(&row)?;
        }
        Ok(())
    })
}

/// Writes the rows of a search: of all vertices, or where it stopped early of those that it reached. `names_source` puts
/// the source before each.
pub fn write_search(
    graph: &Graph,
    rows: &mut Rows,
    table: &Table,
    tree: &SearchTree,
    names_source: bool,
) -> Result<()> {
    if !rows.wanted() {
        return Ok(());
    }
    let source = names_source.then(|| Cell::from(graph.ids().id(tree.source)));
    let mut row = Vec::new();
    for vertex in 0..graph.vertices() {
        if tree.is_complete || tree.reaches(vertex) {
            row.clear();
            row.extend(source);
            row.push(graph.ids().id(vertex).into());
            let columns = table.columns.iter();
            row.extend(columns.map(|column| cell(&column.values, graph, vertex as usize)));
            rows.write(&row)?;
        }
    }
    Ok(())
}

fn cell<'a>(values: &'a Values, graph: &'a Graph, index: usize) -> Cell<'a> {
    match values {
        Values::Vertices(values) | Values::U32(values) if values[index] == NONE => Cell::Missing,
        Values::Vertices(values) => graph.ids().id(values[index]).into(),
        Values::Groups(values) => graph.ids().id(values[index]).into(),
        Values::Bool(values) => Cell::Whole(values[index].into()),
        Values::U32(values) => Cell::Whole(values[index].into()),
        Values::U64(values) => Cell::Whole(values[index]),
        Values::F32(values) => Cell::Single(values[index]),
        Values::F64(values) => Cell::Double(values[index]),
        Values::Weights(Weights::U32(values)) => Cell::Whole(values[index].into()),
        Values::Weights(Weights::F32(values)) => Cell::Single(values[index]),
        Values::Weights(Weights::F64(values)) => Cell::Double(values[index]),
        Values::Distances(distances) => Cell::distance(distances, index),
    }
}

fn write_array(file: &ResultFile, values: &Values) -> Result<()> {
    let shape = [values.len() as u64];
    file.write_npy(|out| match values {
        Values::Vertices(values) | Values::U32(values) => npy::write(out, &shape, values),
        Values::Groups(values) => npy::write(out, &shape, values),
        Values::Bool(values) => {
            let numbers: Vec<u32> = values.iter().map(|&is_so| is_so.into()).collect();
            npy::write(out, &shape, &numbers)
        }
        Values::U64(values) => npy::write(out, &shape, values),
        Values::F32(values) => npy::write(out, &shape, values),
        Values::F64(values) => npy::write(out, &shape, values),
        Values::Weights(Weights::U32(values)) => npy::write(out, &shape, values),
        Values::Weights(Weights::F32(values)) => npy::write(out, &shape, values),
        Values::Weights(Weights::F64(values)) => npy::write(out, &shape, values),
        Values::Distances(Distances::U32(values)) => npy::write(out, &shape, values),
        Values::Distances(Distances::U64(values)) => npy::write(out, &shape, values),
        Values::Distances(Distances::F32(values)) => npy::write(out, &shape, values),
        Values::Distances(Distances::F64(values)) => npy::write(out, &shape, values),
    })
}
