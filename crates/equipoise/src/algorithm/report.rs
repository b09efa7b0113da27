//! The output of a result for the screen, files and Python.

use std::{borrow::Cow, fmt};

use equipoise_graph::{Graph, VertexId, Weights};

use crate::Distances;

/// The output of a result.
///
/// ```
/// use equipoise::algorithm::{Algorithm, Value, Values};
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise::kcore::{KCoreOptions, kcore};
///
/// let graph = load("complete:n=3", &ReadOptions::default())?;
/// let cores = kcore(&graph)?;
/// let report = cores.report(&graph, &KCoreOptions::default());
/// assert_eq!(report.facts[0], ("degeneracy", Value::U64(2)));
/// let cores = &report.tables[0].columns[0];
/// assert!(matches!(&cores.values, Values::U32(values) if **values == [2, 2, 2]));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Report<'a> {
    /// Named lines for the screen.
    pub lines: Vec<(&'static str, String)>,
    /// Named values for JSON and Python.
    pub facts: Vec<(&'static str, Value)>,
    /// Arrays for files and Python. The last table is written to a file.
    pub tables: Vec<Table<'a>>,
}

/// Columns of equal length.
#[derive(Debug)]
pub struct Table<'a> {
    /// Whether each vertex has a row. Their ids are an additional column.
    pub is_of_vertices: bool,
    /// The rows and columns of the matrix, row by row, that each column is in Python, if it is one.
    pub matrix: Option<[usize; 2]>,
    /// The columns.
    pub columns: Vec<Column<'a>>,
}

/// Values under a name.
#[derive(Debug)]
pub struct Column<'a> {
    /// The heading in a file.
    pub name: Cow<'static, str>,
    /// The name of the array in Python, if any.
    pub array: Option<&'static str>,
    /// The values.
    pub values: Values<'a>,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Values<'a> {
    /// Vertices, written as ids. [`NONE`](crate::NONE) is a missing value.
    Vertices(Cow<'a, [u32]>),
    /// Groups, named after their first vertices; Python numbers them from 0.
    Groups(&'a [u32]),
    /// Booleans.
    Bool(&'a [bool]),
    /// Integers. [`NONE`](crate::NONE) is a missing value.
    U32(Cow<'a, [u32]>),
    /// Large integers.
    U64(&'a [u64]),
    /// Numbers of single precision.
    F32(&'a [f32]),
    /// Numbers of double precision.
    F64(Cow<'a, [f64]>),
    /// The weights of edges.
    Weights(&'a Weights),
    /// Lengths of paths. Unreachable vertices have a missing value.
    Distances(Distances<&'a [u32], &'a [u64], &'a [f32], &'a [f64]>),
}

/// A single value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An unknown value.
    Missing,
    /// A boolean.
    Bool(bool),
    /// An integer.
    U64(u64),
    /// A number of double precision.
    F64(f64),
    /// A number of single precision.
    F32(f32),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values.
    Object(Vec<(&'static str, Value)>),
}

impl<'a> Report<'a> {
    /// Adds a line for the screen.
    pub fn line(mut self, name: &'static str, text: impl ToString) -> Self {
        self.lines.push((name, text.to_string()));
        self
    }

    /// Adds a line if `is_true`.
    pub fn line_if(self, is_true: bool, name: &'static str, text: impl ToString) -> Self {
        if is_true { self.line(name, text) } else { self }
    }

    /// Adds a named value for JSON and Python.
    pub fn fact(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// Adds a table with a row per vertex.
    pub fn per_vertex(self, columns: impl IntoIterator<Item = Column<'a>>) -> Self {
        self.table(true, None, columns)
    }

    /// Adds a table with other rows.
    pub fn rows(self, columns: impl IntoIterator<Item = Column<'a>>) -> Self {
        self.table(false, None, columns)
    }

    /// Adds a table whose columns are matrices of this shape, row by row.
    pub fn matrix(self, shape: [usize; 2], columns: impl IntoIterator<Item = Column<'a>>) -> Self {
        self.table(false, Some(shape), columns)
    }

    fn table(
        mut self,
        is_of_vertices: bool,
        matrix: Option<[usize; 2]>,
        columns: impl IntoIterator<Item = Column<'a>>,
    ) -> Self {
        let columns = columns.into_iter().collect();
        self.tables.push(Table { is_of_vertices, matrix, columns });
        self
    }
}

impl<'a> Column<'a> {
    /// A column of a file, and an array in Python.
    pub fn new(name: &'static str, array: &'static str, values: Values<'a>) -> Self {
        Self { name: name.into(), array: Some(array), values }
    }

    /// A column of a file only.
    pub fn in_file(name: impl Into<Cow<'static, str>>, values: Values<'a>) -> Self {
        Self { name: name.into(), array: None, values }
    }
}

impl Values<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Vertices(values) | Self::U32(values) => values.len(),
            Self::Groups(values) => values.len(),
            Self::Bool(values) => values.len(),
            Self::U64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Weights(weights) => weights.len(),
            Self::Distances(distances) => distances.len(),
        }
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Value {
    /// The id of a vertex: a number or a name.
    pub fn id(graph: &Graph, vertex: u32) -> Self {
        match graph.ids().id(vertex) {
            VertexId::Number(number) => Self::U64(number),
            VertexId::Name(name) => Self::Text(name.to_owned()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => formatter.write_str("unknown"),
            Self::Bool(value) => value.fmt(formatter),
            Self::U64(value) => value.fmt(formatter),
            Self::F64(value) => value.fmt(formatter),
            Self::F32(value) => value.fmt(formatter),
            Self::Text(value) => value.fmt(formatter),
            Self::List(values) => formatter.debug_list().entries(values).finish(),
            Self::Object(values) => formatter
                .debug_map()
                .entries(values.iter().map(|(name, value)| (name, value)))
                .finish(),
        }
    }
}

macro_rules! values {
    ($($type:ty => $kind:ident),+ $(,)?) => {
        $(impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$kind(value.into())
            }
        })+
    };
}

values!(bool => Bool, u32 => U64, u64 => U64, f32 => F32, f64 => F64, &str => Text, String => Text);

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::U64(value as u64)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Missing => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::U64(value) => serializer.serialize_u64(*value),
            Self::F64(value) => crate::json::number(value, serializer),
            Self::F32(value) => serializer.serialize_f32(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(values) => serializer.collect_seq(values),
            Self::Object(values) => {
                serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}
