//! Arguments for reading a graph.

use std::str::FromStr;

use equipoise_graph::{
    Duplicates, SelfLoops, WeightType,
    io::{Format, IdKind, Progress, ReadOptions, TableOptions},
};

/// Options for reading a graph or matrix.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Input")]
pub struct LoadArguments {
    /// The file's format [default: the one its content or its name tells]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The columns of an edge list: its two vertices and perhaps its weight, such as from,to,km or 1,2,4
    #[arg(long, value_name = "COLUMNS")]
    pub edge_columns: Option<EdgeColumns>,
    /// What an edge list calls its vertices by
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub ids: IdKind,
    /// Whether an edge list's first line names its columns, yes or no [default: auto-detect]
    #[arg(long, value_name = "ANSWER", value_parser = yes_or_no)]
    pub header: Option<bool>,
    /// Let each edge stand for both directions
    #[arg(long)]
    pub undirected: bool,
    /// Keep one of several edges between the same two vertices, the lightest
    #[arg(long)]
    pub drop_duplicates: bool,
    /// Drop edges from a vertex to itself
    #[arg(long)]
    pub drop_loops: bool,
}

impl LoadArguments {
    /// The corresponding options of the library.
    pub fn options<'a>(&'a self, progress: Option<&'a dyn Progress>) -> ReadOptions<'a> {
        ReadOptions {
            format: self.format,
            undirected: self.undirected,
            duplicates: if self.drop_duplicates { Duplicates::Drop } else { Duplicates::Keep },
            self_loops: if self.drop_loops { SelfLoops::Drop } else { SelfLoops::Keep },
            weights: WeightType::Auto,
            table: TableOptions {
                ids: self.ids,
                header: self.header,
                columns: self.edge_columns.as_ref().map(|columns| &columns.0[..]),
            },
            progress,
        }
    }
}

/// The columns of an edge: two or three, separated by commas.
#[derive(Clone, Debug)]
pub struct EdgeColumns(Vec<String>);

impl FromStr for EdgeColumns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let columns: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if (2..=3).contains(&columns.len()) && columns.iter().all(|name| !name.is_empty()) {
            Ok(Self(columns))
        } else {
            Err("expected two columns, or three with the weight's, such as from,to,km".into())
        }
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".into()),
    }
}
