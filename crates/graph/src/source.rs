//! Graphs, matrices and tensors identified by a string: a file name or a generator's spec.

use std::path::Path;

use crate::{
    Duplicates, Error, Graph, Matrix, Result, SelfLoops, SparseTensor, Value,
    generate::{Spec, TensorSpec, looks_like_spec, names_generator, names_tensor},
    io::{Progress, ReadOptions, read_graph, read_matrix, read_tensor},
};

/// Loads a graph from `source`: a file name or a generator's [`Spec`].
///
/// An existing file is read. Otherwise a generator's name, alone or before a colon (`path:n=5`),
/// generates a graph; a single letter before a colon is a Windows drive, never a generator. The
/// options apply to both: if requested, a generated graph is made undirected, its duplicates and
/// self-loops are dropped, and its weights are converted.
///
/// Fails if neither a file nor a generator of that name exists, and as [`read_graph`] and
/// [`Spec::generate`] do.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load};
///
/// let graph = load("cycle:n=5", &ReadOptions::default())?;
/// assert_eq!(graph.neighbors(0), [1, 4]);
///
/// let error = load("cycel:n=5", &ReadOptions::default()).unwrap_err();
/// assert!(error.to_string().contains("unknown generator `cycel` (did you mean `cycle`?)"));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn load(source: &str, options: &ReadOptions) -> Result<Graph> {
    match Source::detect(source)? {
        Source::File(path) => read_graph(path, options),
        Source::Spec(spec) => {
            check_generated(&spec, options)?;
            generate(&spec, options)
        }
    }
}

/// Fails if the options apply to files only: a generated graph has no format, columns or ids.
fn check_generated(spec: &Spec, options: &ReadOptions) -> Result<()> {
    if options.format.is_none() && options.table.is_unspecified() {
        return Ok(());
    }
    let message =
        "this is generated, not read from a file: it has no format, no columns and no other ids";
    Err(Error::Spec { spec: spec.to_string(), message: message.into() })
}

/// Loads a matrix from `source` as [`load`] loads a graph; for a generated graph, its adjacency
/// matrix. The options for undirected graphs and self-loops do not apply to a generated matrix.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load_matrix};
///
/// let matrix = load_matrix::<f32>("path:n=3", &ReadOptions::default())?;
/// assert_eq!(matrix.row(1), (&[0, 2][..], &[1.0, 1.0][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn load_matrix<T: Value>(source: &str, options: &ReadOptions) -> Result<Matrix<T>> {
    match Source::detect(source)? {
        Source::File(path) => read_matrix(path, options),
        Source::Spec(spec) => {
            check_generated(&spec, options)?;
            generate_matrix(&spec, options)
        }
    }
}

fn generate_matrix<T: Value>(spec: &Spec, options: &ReadOptions) -> Result<Matrix<T>> {
    if spec.shape().is_none() {
        let weights = options.weights.or(T::WEIGHTS);
        return Matrix::from_graph(&generate(spec, &ReadOptions { weights, ..*options })?);
    }
    if options.undirected || options.self_loops == SelfLoops::Drop {
        Err(Error::Spec {
            spec: spec.to_string(),
            message: "what is undirected or without self-loops is a graph, and this is a matrix"
                .into(),
        })
    } else {
        spec.generate_matrix()
    }
}

/// Loads a tensor from `source`: the name of a `.tns` file or a [`TensorSpec`].
///
/// An existing file is read. Otherwise a generator's name generates a tensor.
///
/// Fails if neither exists, and as [`read_tensor`] and [`TensorSpec::generate`] do.
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
    if names_one && !path.exists() {
        source.parse::<TensorSpec>()?.generate()
    } else {
        read_tensor(path, progress)
    }
}

/// What a source string refers to.
///
/// ```
/// use equipoise_graph::Source;
///
/// assert!(matches!(Source::detect("path:n=5")?, Source::Spec(spec) if spec.to_string() == "path:n=5"));
/// assert!(matches!(Source::detect("roads.mtx")?, Source::File(path) if path.ends_with("roads.mtx")));
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
    /// Classifies a source string by the rules of [`load`].
    ///
    /// Fails if the string looks like a spec but is invalid.
    pub fn detect(source: &'a str) -> Result<Self> {
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
                    Error::Spec { spec, message: format!("no such file, {message}") }
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
    spec.generate_by(&builder)?.with_weight_type(options.weights)
}
