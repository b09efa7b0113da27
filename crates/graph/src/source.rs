//! Graphs, matrices and tensors by one string: the name of a file or a generator's spec.

use std::path::Path;

use crate::{
    Duplicates, Error, Graph, Matrix, Result, SelfLoops, SparseTensor, Value,
    generate::{Spec, TensorSpec, looks_like_spec, names_generator, names_tensor},
    io::{Progress, ReadOptions, read_graph, read_matrix, read_tensor},
};

/// Loads a graph from `source`, a file's name or a generator's [`Spec`].
///
/// A file that exists is read. Otherwise what names a generator, alone or before a colon
/// (`path:n=5`), is generated; a single letter before a colon is a Windows drive, never a
/// generator. The options apply to both: a generated graph is made undirected, or its duplicates
/// and self-loops are dropped, where they ask for it.
///
/// Fails where neither a file nor a generator of that name is found, and as
/// [`read_graph`] and [`Spec::generate`] do.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load};
///
/// let graph = load("cycle:n=5", &ReadOptions::default())?;
/// assert_eq!(graph.neighbors(0), [1, 4]);
///
/// let error = load("cycel:n=5", &ReadOptions::default()).unwrap_err();
/// assert!(error.to_string().contains("there is no generator `cycel` (did you mean `cycle`?)"));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn load(source: &str, options: &ReadOptions) -> Result<Graph> {
    match Source::of(source)? {
        Source::File(path) => read_graph(path, options),
        Source::Spec(spec) => generate(&spec, options),
    }
}

/// Loads a matrix from `source` as [`load`] does a graph; of a generated graph it is the adjacency
/// matrix. A generated matrix is taken as it is: making it undirected and dropping self-loops are
/// for graphs.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load_matrix};
///
/// let matrix = load_matrix::<f32>("path:n=3", &ReadOptions::default())?;
/// assert_eq!(matrix.row(1), (&[0, 2][..], &[1.0, 1.0][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn load_matrix<T: Value>(source: &str, options: &ReadOptions) -> Result<Matrix<T>> {
    match Source::of(source)? {
        Source::File(path) => read_matrix(path, options),
        Source::Spec(spec) if spec.shape().is_some() => {
            match options.undirected || options.self_loops == SelfLoops::Drop {
                true => Err(Error::Spec {
                    spec: spec.to_string(),
                    message: "what is undirected or without self-loops is a graph, and this is \
                              a matrix"
                        .into(),
                }),
                false => spec.generate_matrix(),
            }
        }
        Source::Spec(spec) => Matrix::from_graph(&generate(&spec, options)?),
    }
}

/// Loads a tensor from `source`, the name of a `.tns` file or a [`TensorSpec`].
///
/// A file that exists is read. Otherwise what names a generator is generated.
///
/// Fails where neither is found, and as [`read_tensor`] and [`TensorSpec::generate`] do.
///
/// ```
/// use equipoise_graph::load_tensor;
///
/// let tensor = load_tensor("tensor:i=4,j=3,k=2,nonzeros=10", None)?;
/// assert_eq!((tensor.shape(), tensor.nonzeros()), ([4, 3, 2], 10));
///
/// let error = load_tensor("path:n=5", None).unwrap_err();
/// assert!(error.to_string().starts_with("path:n=5: `path` makes no tensor"));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn load_tensor(source: &str, progress: Option<&dyn Progress>) -> Result<SparseTensor> {
    let path = Path::new(source);
    let names_one = names_tensor(source) || names_generator(source) || looks_like_spec(source);
    match names_one && !path.exists() {
        true => source.parse::<TensorSpec>()?.generate(),
        false => read_tensor(path, progress),
    }
}

/// What a string that stands for a graph names.
///
/// ```
/// use equipoise_graph::Source;
///
/// assert!(matches!(Source::of("path:n=5")?, Source::Spec(spec) if spec.to_string() == "path:n=5"));
/// assert!(matches!(Source::of("roads.mtx")?, Source::File(path) if path.ends_with("roads.mtx")));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A file, which need not exist.
    File(&'a Path),
    /// A graph to be generated.
    Spec(Spec),
}

impl<'a> Source<'a> {
    /// A file that exists, or what names a generator, as [`load`] finds it out.
    ///
    /// Fails where a spec is meant that is not understood.
    pub fn of(source: &'a str) -> Result<Self> {
        let path = Path::new(source);
        if path.exists() {
            return Ok(Self::File(path));
        }
        if names_generator(source) {
            return source.parse().map(Self::Spec);
        }
        if looks_like_spec(source) {
            return source.parse().map(Self::Spec).map_err(|error| match error {
                Error::Spec { spec, message } => {
                    Error::Spec { spec, message: format!("no such file, and {message}") }
                }
                other => other,
            });
        }
        Ok(Self::File(path))
    }
}

fn generate(spec: &Spec, options: &ReadOptions) -> Result<Graph> {
    let mut builder = spec.builder()?;
    if options.undirected {
        builder = builder.undirected(true);
    }
    if options.duplicates == Duplicates::Drop {
        builder = builder.duplicates(Duplicates::Drop);
    }
    if options.self_loops == SelfLoops::Drop {
        builder = builder.self_loops(SelfLoops::Drop);
    }
    spec.generate_by(&builder)
}
