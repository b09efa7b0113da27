//! Model files: readable JSON with one line per node.

use std::{collections::HashMap, fs, path::Path};

use serde::{Deserialize, Serialize};

use crate::{Description, Error, Leaf, Model, Node, Result, Split, error::quoted};

/// The value of `format` in a model file.
///
/// ```
/// assert_eq!(equipoise_select::FORMAT, "equipoise-model");
/// ```
pub const FORMAT: &str = "equipoise-model";

/// The version of the format that is written, and the only one that is read.
///
/// ```
/// assert_eq!(equipoise_select::VERSION, 1);
/// ```
pub const VERSION: u64 = 1;

/// The fields checked first, so that a file of another version is reported as such.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    format: String,
    version: u64,
    algorithm: String,
    device: String,
    features: Vec<String>,
    candidates: Vec<String>,
    first: String,
    trained_on: Vec<String>,
    notes: Vec<String>,
    nodes: Vec<Line>,
}

/// A node as stored in the file: a split has the first four fields, a leaf the others.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ambiguous: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranking: Option<Vec<String>>,
}

impl Model {
    /// Reads a model from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or contains no valid model; the message says what was found and
    /// what was expected.
    ///
    /// ```no_run
    /// use equipoise_select::Model;
    ///
    /// let model = Model::read("bfs-cuda.json".as_ref())?;
    /// # Ok::<(), equipoise_select::Error>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Self::from_json(&text)
            .map_err(|error| Error::InFile { path: path.to_owned(), source: Box::new(error) })
    }

    /// Reads a model from the text of a model file.
    ///
    /// # Errors
    ///
    /// If the text is not a valid model.
    ///
    /// ```
    /// use equipoise_select::Model;
    ///
    /// let error = Model::from_json(r#"{ "format": "equipoise-model", "version": 7 }"#).unwrap_err();
    /// assert_eq!(error.to_string(), "the model has version 7 of its format; this program reads version 1");
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        let not_json = |error| Error::Malformed(format!("this is not a model: {error}"));
        check_head(&serde_json::from_str(text).map_err(not_json)?)?;
        let body: Body = serde_json::from_str(text).map_err(not_json)?;
        let Body { algorithm, device, features, candidates, first, trained_on, notes, .. } = body;
        let names =
            Names { features: NameIndex::new(&features), candidates: NameIndex::new(&candidates) };
        let nodes: Result<Vec<Node>> = body
            .nodes
            .into_iter()
            .enumerate()
            .map(|(number, line)| {
                names
                    .node(line)
                    .map_err(|message| Error::Malformed(format!("node {number}: {message}")))
            })
            .collect();
        let nodes = nodes?;
        let description =
            Description { algorithm, device, features, candidates, first, trained_on, notes };
        Self::new(description, nodes)
    }

    /// The model as the text of a model file.
    ///
    /// ```
    /// use equipoise_select::Model;
    ///
    /// let model = Model::embedded("bfs", "cpu").unwrap();
    /// assert_eq!(Model::from_json(&model.to_json())?, *model);
    /// # Ok::<(), equipoise_select::Error>(())
    /// ```
    pub fn to_json(&self) -> String {
        let description = self.description();
        let mut text = String::from("{\n");
        let mut field = |name: &str, value: String| {
            text.push_str(&format!("  \"{name}\": {value},\n"));
        };
        field("format", json(FORMAT));
        field("version", json(&VERSION));
        field("algorithm", json(&description.algorithm));
        field("device", json(&description.device));
        field("features", lines(&description.features));
        field("candidates", lines(&description.candidates));
        field("first", json(&description.first));
        field("trained_on", lines(&description.trained_on));
        field("notes", lines(&description.notes));
        let nodes: Vec<Line> = self.nodes().iter().map(|node| self.line(node)).collect();
        text.push_str(&format!("  \"nodes\": {}\n}}\n", lines(&nodes)));
        text
    }

    fn line(&self, node: &Node) -> Line {
        let name = |candidate: u32| self.candidate(candidate as usize).to_owned();
        match node {
            Node::Split(split) => Line {
                feature: Some(self.description().features[split.feature as usize].clone()),
                threshold: Some(split.threshold),
                left: Some(split.left),
                right: Some(split.right),
                ..Line::default()
            },
            Node::Leaf(leaf) => Line {
                candidate: Some(name(leaf.candidate)),
                share: Some(leaf.share),
                ambiguous: Some(leaf.ambiguous),
                samples: Some(leaf.samples),
                ranking: Some(leaf.ranking.iter().map(|&candidate| name(candidate)).collect()),
                ..Line::default()
            },
        }
    }
}

fn check_head(head: &Head) -> Result<()> {
    let message = match (head.format.as_deref(), head.version) {
        (Some(FORMAT), Some(VERSION)) => return Ok(()),
        (Some(FORMAT), Some(version)) => format!(
            "the model has version {version} of its format; this program reads version {VERSION}"
        ),
        (Some(FORMAT), None) => "the model has no `version`".to_owned(),
        (Some(format), _) => {
            format!("this is not a model: `format` is `{format}` and should be `{FORMAT}`")
        }
        (None, _) => {
            format!("this is not a model: it has no `format`, which should be `{FORMAT}`")
        }
    };
    Err(Error::Malformed(message))
}

/// The value as JSON. Serialization cannot fail: all values are strings, numbers and lists of
/// these.
fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A JSON list with one element per line.
fn lines<T: Serialize>(values: &[T]) -> String {
    if values.is_empty() {
        return "[]".to_owned();
    }
    let values: Vec<String> = values.iter().map(|value| format!("    {}", json(value))).collect();
    format!("[\n{}\n  ]", values.join(",\n"))
}

/// The number of each name.
struct NameIndex<'a> {
    numbers: HashMap<&'a str, u32>,
    names: &'a [String],
}

impl<'a> NameIndex<'a> {
    fn new(names: &'a [String]) -> Self {
        Self { numbers: names.iter().map(String::as_str).zip(0..).collect(), names }
    }

    fn number(&self, what: &str, name: &str) -> Result<u32, String> {
        let known = || format!("unknown {what} `{name}`; the model has: {}", quoted(self.names));
        self.numbers.get(name).copied().ok_or_else(known)
    }
}

struct Names<'a> {
    features: NameIndex<'a>,
    candidates: NameIndex<'a>,
}

impl Names<'_> {
    fn node(&self, line: Line) -> Result<Node, String> {
        let Line { feature, threshold, left, right, candidate, share, ambiguous, samples, ranking } =
            line;
        match (feature, threshold, left, right, candidate, share, ambiguous, samples, ranking) {
            (
                Some(feature),
                Some(threshold),
                Some(left),
                Some(right),
                None,
                None,
                None,
                None,
                None,
            ) => {
                let feature = self.features.number("feature", &feature)?;
                Ok(Node::Split(Split { feature, threshold, left, right }))
            }
            (
                None,
                None,
                None,
                None,
                Some(candidate),
                Some(share),
                Some(ambiguous),
                Some(samples),
                Some(ranking),
            ) => {
                let number = |name: &String| self.candidates.number("candidate", name);
                let candidate = number(&candidate)?;
                let ranking = ranking.iter().map(number).collect::<Result<_, _>>()?;
                Ok(Node::Leaf(Leaf { candidate, share, ambiguous, samples, ranking }))
            }
            _ => Err("a node has either `feature`, `threshold`, `left` and `right`, or \
                      `candidate`, `share`, `ambiguous`, `samples` and `ranking`"
                .to_owned()),
        }
    }
}
