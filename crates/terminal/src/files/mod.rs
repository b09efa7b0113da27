//! The files that a command reads and writes.
//!
//! The type of every argument that names a file states the file's role. So the arguments determine
//! all files of a command ([`Files::from_matches`]), and no command needs its own check that
//! outputs are not inputs.

mod claims;
mod target;

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
use equipoise_graph::{
    Graph, Matrix, SparseTensor, Value,
    generate::Spec,
    io::{Progress, ReadOptions, read_graph, read_matrix, read_tensor},
    load, load_matrix, load_tensor,
};
use serde::{Serialize, Serializer};

pub use claims::Files;
pub use target::FileTarget;

/// The role of a file or folder that an argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read.
    Input,
    /// Read if the file exists; otherwise it may be a generator's spec.
    Graph,
    /// Files in it are read.
    InputFolder,
    /// Written, or appended to.
    Output,
    /// Files in it are written.
    OutputFolder,
}

impl Role {
    /// The role of the file that `argument` names, if it names one.
    pub fn of_argument(argument: &Arg) -> Option<Self> {
        let roles = [
            (TypeId::of::<InputFile>(), Self::Input),
            // What the library's options name is read.
            (TypeId::of::<PathBuf>(), Self::Input),
            (TypeId::of::<GraphName>(), Self::Graph),
            (TypeId::of::<InputFolder>(), Self::InputFolder),
            (TypeId::of::<OutputFile>(), Self::Output),
            (TypeId::of::<OutputFolder>(), Self::OutputFolder),
        ];
        let type_id = argument.get_value_parser().type_id();
        roles.into_iter().find(|(id, _)| type_id == *id).map(|(_, role)| role)
    }

    /// The path that a value stands for: `-` is standard input for inputs, and standard output for
    /// outputs.
    pub fn path(self, value: &Path) -> &Path {
        match self {
            _ if value != "-" => value,
            Self::Input | Self::Graph => Path::new("/dev/stdin"),
            Self::Output => Path::new("/dev/stdout"),
            Self::InputFolder | Self::OutputFolder => value,
        }
    }

    /// Whether the role is an output.
    pub fn writes(self) -> bool {
        matches!(self, Self::Output | Self::OutputFolder)
    }

    /// Whether the role is a folder.
    pub fn is_folder(self) -> bool {
        matches!(self, Self::InputFolder | Self::OutputFolder)
    }
}

macro_rules! path {
    ($(#[$documentation:meta])* $name:ident, $role:expr) => {
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
                PathBufValueParser::new().map(|path| Self($role.path(&path).to_owned()))
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
    /// An input file.
    InputFile,
    Role::Input
);
path!(
    /// A folder of input files.
    InputFolder,
    Role::InputFolder
);
path!(
    /// An output file, or a file that is appended to.
    OutputFile,
    Role::Output
);
path!(
    /// A folder for output files.
    OutputFolder,
    Role::OutputFolder
);
path!(
    /// The name of a graph, matrix or tensor: a file, or a generator's spec.
    GraphName,
    Role::Graph
);

impl GraphName {
    /// The name as it is displayed.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.to_string_lossy()
    }

    /// The generator's spec; `None` if a file has this name.
    pub fn spec(&self) -> Option<Spec> {
        let name = self.0.to_str().filter(|_| !self.exists())?;
        name.parse().ok()
    }

    /// Reads or generates the graph.
    pub fn load(&self, options: &ReadOptions) -> equipoise_graph::Result<Graph> {
        match self.0.to_str() {
            Some(name) => load(name, options),
            None => read_graph(self, options),
        }
    }

    /// Reads or generates the matrix.
    pub fn load_matrix<T: Value>(
        &self,
        options: &ReadOptions,
    ) -> equipoise_graph::Result<Matrix<T>> {
        match self.0.to_str() {
            Some(name) => load_matrix(name, options),
            None => read_matrix(self, options),
        }
    }

    /// Reads or generates the tensor.
    pub fn load_tensor(
        &self,
        progress: Option<&dyn Progress>,
    ) -> equipoise_graph::Result<SparseTensor> {
        match self.0.to_str() {
            Some(name) => load_tensor(name, progress),
            None => read_tensor(self, progress),
        }
    }
}
