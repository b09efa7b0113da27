//! The files that a command reads and writes.
//!
//! Every argument that names a file says by its type what becomes of it. So all files of a command
//! are known from its arguments alone ([`Files::of`]), and no command has to think of keeping what
//! it writes apart from what it reads.

mod claims;
mod place;

use std::{
    any::TypeId,
    borrow::Cow,
    fmt,
    ops::Deref,
    path::{Path, PathBuf},
};

use clap::{
    Arg,
    builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory},
};
use equipoise::graph::{
    Graph, Matrix, SparseTensor, Value,
    generate::Spec,
    io::{Progress, ReadOptions, read_graph, read_matrix, read_tensor},
    load, load_matrix, load_tensor,
};
use serde::{Serialize, Serializer};

pub use claims::Files;

/// What becomes of a file or folder that an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is read.
    Input,
    /// It is read where there is such a file; it may be a generator's spec.
    Graph,
    /// Files in it are read.
    InputFolder,
    /// It is written, or appended to.
    Output,
    /// Files in it are written.
    OutputFolder,
}

impl Role {
    /// What becomes of the file that this argument names, if it names one.
    pub fn of(argument: &Arg) -> Option<Self> {
        let roles = [
            (TypeId::of::<InputFile>(), Self::Input),
            (TypeId::of::<GraphName>(), Self::Graph),
            (TypeId::of::<InputFolder>(), Self::InputFolder),
            (TypeId::of::<OutputFile>(), Self::Output),
            (TypeId::of::<OutputFolder>(), Self::OutputFolder),
        ];
        let found = argument.get_value_parser().type_id();
        roles.into_iter().find(|(id, _)| found == *id).map(|(_, role)| role)
    }

    /// Whether something is written there.
    pub fn writes(self) -> bool {
        matches!(self, Self::Output | Self::OutputFolder)
    }

    /// Whether it is a folder.
    pub fn is_folder(self) -> bool {
        matches!(self, Self::InputFolder | Self::OutputFolder)
    }
}

macro_rules! path {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(PathBuf);

        impl From<PathBuf> for $name {
            fn from(path: PathBuf) -> Self {
                Self(path)
            }
        }

        impl Deref for $name {
            type Target = Path;

            fn deref(&self) -> &Path {
                &self.0
            }
        }

        impl AsRef<Path> for $name {
            fn as_ref(&self) -> &Path {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                self.0.display().fmt(formatter)
            }
        }

        impl ValueParserFactory for $name {
            type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

            fn value_parser() -> Self::Parser {
                PathBufValueParser::new().map(Self)
            }
        }

        /// Not all names are UTF-8, but all JSON is.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0.to_string_lossy())
            }
        }
    };
}

path!(
    /// A file that is read.
    InputFile
);
path!(
    /// A folder whose files are read.
    InputFolder
);
path!(
    /// A file that is written, or appended to.
    OutputFile
);
path!(
    /// A folder that files are written into.
    OutputFolder
);
path!(
    /// A graph, matrix or tensor as a user names it: a file, or a generator's spec.
    GraphName
);

impl GraphName {
    /// As it is shown.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.to_string_lossy()
    }

    /// The spec of a generator, where there is no file of that name.
    pub fn spec(&self) -> Option<Spec> {
        let name = self.0.to_str().filter(|_| !self.exists())?;
        name.parse().ok()
    }

    /// Reads or generates the graph.
    pub fn load(&self, options: &ReadOptions) -> equipoise::graph::Result<Graph> {
        match self.0.to_str() {
            Some(name) => load(name, options),
            None => read_graph(self, options),
        }
    }

    /// Reads or generates the matrix.
    pub fn load_matrix<T: Value>(
        &self,
        options: &ReadOptions,
    ) -> equipoise::graph::Result<Matrix<T>> {
        match self.0.to_str() {
            Some(name) => load_matrix(name, options),
            None => read_matrix(self, options),
        }
    }

    /// Reads or generates the tensor.
    pub fn load_tensor(
        &self,
        progress: Option<&dyn Progress>,
    ) -> equipoise::graph::Result<SparseTensor> {
        match self.0.to_str() {
            Some(name) => load_tensor(name, progress),
            None => read_tensor(self, progress),
        }
    }
}
