//! What a data set of Graphalytics states of itself.

use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use crate::{
    Error, Result, WeightType,
    io::{compression::Compression, input::parse_file, links::folder_of},
};

/// The properties of a data set of Graphalytics: its files, and the parameters of the benchmark's algorithms.
///
/// Their text form is the file `NAME.properties`.
///
/// ```
/// use equipoise_graph::io::GraphalyticsProperties;
///
/// # let folder = tempfile::tempdir().unwrap();
/// let lines = "
/// graph.roads.vertex-file = roads.v
/// graph.roads.edge-file = roads.e
/// graph.roads.directed = true
/// graph.roads.bfs.source-vertex = 17
/// ";
/// std::fs::write(folder.path().join("roads.properties"), lines).unwrap();
/// let properties = GraphalyticsProperties::read(folder.path())?;
/// assert_eq!((&*properties.name, properties.directed), ("roads", true));
/// assert_eq!(properties.edge_file, folder.path().join("roads.e"));
/// assert_eq!((properties.bfs_source, properties.sssp_source), (Some(17), None));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphalyticsProperties {
    /// The file of the properties.
    pub path: PathBuf,
    /// The name of the data set, which is part of every key.
    pub name: String,
    /// The file of the vertices.
    pub vertex_file: PathBuf,
    /// The file of the edges.
    pub edge_file: PathBuf,
    /// Whether edges are directed.
    pub directed: bool,
    /// The stated number of vertices.
    pub vertices: Option<u64>,
    /// The stated number of edges; each undirected edge counts once.
    pub edges: Option<u64>,
    /// The name and the type, such as `real`, of the weights of edges, if these have any.
    pub weight: Option<(String, String)>,
    /// The algorithms to run, by the names of the benchmark: `bfs`, `pr`, `wcc`, `cdlp`, `lcc`, `sssp`.
    pub algorithms: Vec<String>,
    /// The id of the source of BFS.
    pub bfs_source: Option<u64>,
    /// The number of iterations of CDLP.
    pub cdlp_iterations: Option<u32>,
    /// The damping factor of PageRank.
    pub pr_damping: Option<f64>,
    /// The number of iterations of PageRank.
    pub pr_iterations: Option<u32>,
    /// The id of the source of SSSP.
    pub sssp_source: Option<u64>,
}

impl GraphalyticsProperties {
    /// Reads the properties of the data set to which the file `path` belongs: `NAME.properties`, `NAME.v` or `NAME.e`;
    /// or of the only one in the folder `path`.
    ///
    /// Fails if the file is missing, if a value is malformed, and if it does not state the files and the direction.
    pub fn read(path: &Path) -> Result<Self> {
        let path = if path.is_dir() { only_one_in(path)? } else { properties_of(path) };
        parse_file(&path, |text| Entries::parse(&path, text)?.properties())
    }

    /// The type of the weights in the file of edges, if it has any.
    pub(super) fn weight_type(&self) -> Option<WeightType> {
        let is_real = |(_, kind): &(String, String)| kind == "real";
        let weight = self.weight.as_ref()?;
        Some(if is_real(weight) { WeightType::F64 } else { WeightType::Auto })
    }

    /// Fails if the properties state another number of vertices or edges than was found.
    pub(super) fn check_count(&self, what: &str, stated: Option<u64>, found: u64) -> Result<()> {
        match stated {
            Some(stated) if stated != found => {
                let message = format!("states {stated} {what}, but {found} are listed");
                Err(Error::invalid(&self.path, message))
            }
            _ => Ok(()),
        }
    }
}

/// The file of properties next to a file of the same data set.
pub(super) fn properties_of(path: &Path) -> PathBuf {
    match Compression::of_path(path) {
        Some(_) => path.with_extension("").with_extension("properties"),
        None => path.with_extension("properties"),
    }
}

/// The only file of properties in a folder.
fn only_one_in(folder: &Path) -> Result<PathBuf> {
    let failed = |source| Error::io(folder, source);
    let mut found = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "properties") {
            found.push(path);
        }
    }
    found.sort_unstable();
    match &found[..] {
        [path] => Ok(path.clone()),
        [] => Err(Error::invalid(folder, "expected a data set with a file NAME.properties")),
        [first, ..] => {
            let message = format!(
                "expected one data set, found {}: name the properties of one, such as {}",
                found.len(),
                first.display()
            );
            Err(Error::invalid(folder, message))
        }
    }
}

/// The lines `graph.NAME.KEY = VALUE` of a file of properties.
struct Entries<'a> {
    path: &'a Path,
    name: &'a str,
    /// Values with their lines, by the part of the key behind the name.
    values: HashMap<&'a str, (&'a str, u64)>,
}

const VERTEX_FILE: &str = "vertex-file";

impl<'a> Entries<'a> {
    /// The lines of the data set whose file of vertices is stated.
    fn parse(path: &'a Path, text: &'a str) -> Result<Self> {
        let mut pairs = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with(['#', '!']) {
                continue;
            }
            let Some((key, value)) = text.split_once('=') else {
                let message = format!("expected `KEY = VALUE`, found {text:?}");
                return Err(Error::Parse { path: path.into(), line: Some(line), message });
            };
            pairs.push((key.trim(), (value.trim(), line)));
        }
        let name_in =
            |key: &'a str| key.strip_prefix("graph.")?.strip_suffix(VERTEX_FILE)?.strip_suffix('.');
        let name = pairs.iter().find_map(|&(key, _)| name_in(key)).ok_or_else(|| {
            Error::invalid(path, format!("expected a line `graph.NAME.{VERTEX_FILE} = NAME.v`"))
        })?;
        let key_of =
            |key: &'a str| key.strip_prefix("graph.")?.strip_prefix(name)?.strip_prefix('.');
        let values = pairs.iter().filter_map(|&(key, value)| Some((key_of(key)?, value))).collect();
        Ok(Self { path, name, values })
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.values.get(key).map(|&(value, _)| value).filter(|value| !value.is_empty())
    }

    fn required(&self, key: &str) -> Result<&'a str> {
        self.text(key).ok_or_else(|| {
            let message = format!("expected a line `graph.{}.{key} = …`", self.name);
            Error::invalid(self.path, message)
        })
    }

    /// The value of a key, if it has one.
    fn value<T: FromStr>(&self, key: &str, expected: &str) -> Result<Option<T>> {
        let Some(&(value, line)) = self.values.get(key).filter(|(value, _)| !value.is_empty())
        else {
            return Ok(None);
        };
        value.parse().map(Some).map_err(|_| Error::Parse {
            path: self.path.into(),
            line: Some(line),
            message: format!("expected {expected} as `{key}`, found {value:?}"),
        })
    }

    /// The elements of a list with commas.
    fn list(&self, key: &str) -> Vec<String> {
        let elements = self.text(key).unwrap_or_default().split(',');
        elements
            .map(|element| element.trim().to_lowercase())
            .filter(|all| !all.is_empty())
            .collect()
    }

    /// A file in the folder of the properties, which may be compressed.
    fn file(&self, key: &str) -> Result<PathBuf> {
        let path = folder_of(self.path).join(self.required(key)?);
        let packed = |packing: Compression| {
            let mut packed = path.clone().into_os_string();
            packed.push(".");
            packed.push(packing.extension());
            Some(PathBuf::from(packed)).filter(|packed| packed.exists())
        };
        if path.exists() {
            return Ok(path);
        }
        Ok(Compression::ALL.into_iter().find_map(packed).unwrap_or(path))
    }

    /// The name and the type of the only property of edges, if they have one.
    fn weight(&self) -> Result<Option<(String, String)>> {
        let [names, kinds] =
            ["names", "types"].map(|key| self.list(&format!("edge-properties.{key}")));
        match (&names[..], &kinds[..]) {
            ([], []) => Ok(None),
            ([name], [kind]) => Ok(Some((name.clone(), kind.clone()))),
            _ => {
                let message = format!(
                    "expected one property of edges with its type, found {} and {} types",
                    names.len(),
                    kinds.len()
                );
                Err(Error::invalid(self.path, message))
            }
        }
    }

    fn properties(&self) -> Result<GraphalyticsProperties> {
        let id = "a vertex id of at most 64 bits";
        let count = "a number of iterations";
        self.required("directed")?;
        let directed = self.value("directed", "`true` or `false`")?.unwrap_or_default();
        Ok(GraphalyticsProperties {
            path: self.path.into(),
            name: self.name.into(),
            vertex_file: self.file(VERTEX_FILE)?,
            edge_file: self.file("edge-file")?,
            directed,
            vertices: self.value("meta.vertices", "a number of vertices")?,
            edges: self.value("meta.edges", "a number of edges")?,
            weight: self.weight()?,
            algorithms: self.list("algorithms"),
            bfs_source: self.value("bfs.source-vertex", id)?,
            cdlp_iterations: self.value("cdlp.max-iterations", count)?,
            pr_damping: self.value("pr.damping-factor", "a number")?,
            pr_iterations: self.value("pr.num-iterations", count)?,
            sssp_source: self.value("sssp.source-vertex", id)?,
        })
    }
}

impl fmt::Display for GraphalyticsProperties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name_of = |file: &Path| file.file_name().map(|name| name.display().to_string());
        let text = |value: &dyn ToString| Some(value.to_string());
        let weight = self.weight.as_ref();
        let lines = [
            (VERTEX_FILE, name_of(&self.vertex_file)),
            ("edge-file", name_of(&self.edge_file)),
            ("meta.vertices", self.vertices.and_then(|count| text(&count))),
            ("meta.edges", self.edges.and_then(|count| text(&count))),
            ("directed", text(&self.directed)),
            ("edge-properties.names", weight.map(|(name, _)| name.clone())),
            ("edge-properties.types", weight.map(|(_, kind)| kind.clone())),
            ("algorithms", text(&self.algorithms.join(", "))),
            ("bfs.source-vertex", self.bfs_source.and_then(|id| text(&id))),
            ("cdlp.max-iterations", self.cdlp_iterations.and_then(|count| text(&count))),
            ("pr.damping-factor", self.pr_damping.and_then(|factor| text(&factor))),
            ("pr.num-iterations", self.pr_iterations.and_then(|count| text(&count))),
            ("sssp.weight-property", self.sssp_source.and(weight.map(|(name, _)| name.clone()))),
            ("sssp.source-vertex", self.sssp_source.and_then(|id| text(&id))),
        ];
        for (key, value) in lines {
            if let Some(value) = value {
                writeln!(f, "graph.{}.{key} = {value}", self.name)?;
            }
        }
        Ok(())
    }
}
