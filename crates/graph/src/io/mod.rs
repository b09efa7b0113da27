//! Readers and writers of files, one file per format.
//!
//! The format is specified by name, or detected by content or extension. Files ending in `.gz`,
//! `.zst`, `.xz` and `.bz2` are decompressed and compressed transparently.
//!
//! ```
//! use equipoise_graph::{io::{ReadOptions, read_graph, write_graph}, load};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let [roads, converted] = ["roads.mtx.xz", "roads.eqp"].map(|name| folder.path().join(name));
//! let options = ReadOptions::default();
//! write_graph(&load("grid:width=3,height=2", &options)?, &roads, None)?;
//! let graph = read_graph(&roads, &options)?;
//! write_graph(&graph, &converted, None)?;
//! assert_eq!(read_graph(&converted, &options)?, graph);
//! # Ok::<(), equipoise_graph::Error>(())
//! ```

mod abandoned;
mod chunks;
mod codec;
mod commas;
mod compression;
mod content;
mod csv;
mod descriptor;
mod dimacs;
mod edge_list;
mod eqp;
mod error;
mod find;
mod format;
mod gap_edges;
mod gap_graph;
mod gml;
mod graphalytics;
mod graphml;
mod input;
mod limits;
mod lines;
mod links;
mod listed;
mod mapped;
mod matrix_market;
mod metis;
mod numeric_ids;
mod options;
mod output;
mod pairs;
mod read;
mod reals;
mod scan;
mod text;
mod text_file;
mod tns;
mod unpack;
mod weights;
mod write;

pub use content::detect_format;
pub use csv::losses;
pub use descriptor::descriptor;
pub use eqp::{EqpIds, EqpLayout};
pub use format::Format;
pub use graphalytics::GraphalyticsProperties;
pub use input::parse_file;
pub use mapped::MappedFile;
pub use options::{IdKind, Progress, ReadOptions, TableOptions};
pub use output::{append_to, check_output, discard_unfinished, report_files_too_large, write_file};
pub use read::{parse_graph, parse_matrix, read_graph, read_matrix, read_matrix_and_rows};
pub use text_file::{TextFile, TextPart, TextPiece, TextVertices};
pub use tns::{parse_tensor, print_tensor, read_tensor, write_tensor};
pub use unpack::unpack;
pub use weights::WeightKinds;
pub use write::{print_graph, print_matrix, write_graph, write_matrix};

pub use crate::file_map::{check_files_unchanged, report_shortened_files};
