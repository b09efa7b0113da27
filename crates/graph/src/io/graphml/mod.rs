//! GraphML (<http://graphml.graphdrawing.org/>), as NetworkX, igraph, Gephi and others write it.
//!
//! `<key>` declares an attribute; `<graph edgedefault="directed">` contains the vertices `<node
//! id="Ann"/>` and the edges `<edge source="Ann" target="Bob"/>`, in which `<data
//! key="d0">2.5</data>` is the value of an attribute. The attribute named `weight`, or another
//! requested name, is the weight: a whole number if its type is `int` or `long`, `f64` if it is
//! `float` or `double`. Other attributes are skipped. Vertices are identified by their ids: by
//! numbers, if all are.
//!
//! A graph is undirected if all of its edges are. If only some are, each of those becomes two
//! directed edges. Nested graphs, hyperedges and ports are rejected.

mod keys;
mod write;
mod xml;

use std::ops::Range;

use super::{
    error::ParseError,
    listed::{Counts, Listed, WeightName},
    options::{Progress, ReadOptions, TableOptions},
    reals::is_whole,
    scan::Scanner,
};
use crate::{
    Edges, Graph, GraphBuilder, Weights,
    memory::{self, bytes_of},
    parallel::*,
    weights::of_any_type,
};
use keys::{Key, WeightKeys};
use xml::{Element, Xml};

pub(super) use write::write;

pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    let weight_name = WeightName::from_options(&options.table)?;
    let mut xml = Xml::new(bytes, options.progress)?;
    let nothing = |what: &str| ParseError::Whole(format!("expected <{what}>, found none"));
    match xml.child()? {
        Some(root) if root.name == "graphml" => {}
        Some(other) => return Err(other.refused("expected <graphml>")),
        None => return Err(nothing("graphml")),
    }
    let (mut keys, mut graph) = (Vec::new(), None);
    while let Some(child) = xml.child()? {
        match child.name {
            "key" if graph.is_some() => return Err(child.refused("expected it before <graph>")),
            "key" => keys.push(Key::read(&mut xml, &child)?),
            "graph" if graph.is_some() => return Err(child.refused("expected one graph in a file")),
            "graph" => {
                let weights = weight_name.map(|name| WeightKeys::find(&keys, name)).transpose()?;
                let weights = weights.flatten().map(|keys| keys.wanted_as(options.weights));
                let undeclared = weight_name.filter(|weight| !keys::has_id(&keys, weight.name));
                let undeclared = undeclared.map(|weight| weight.name);
                let mut reader = GraphReader::new(bytes, weights, weight_name, undeclared)?;
                reader.read(&mut xml, &child)?;
                graph = Some(reader);
            }
            _ => xml.skip()?,
        }
    }
    if let Some(other) = xml.child()? {
        return Err(other.refused("expected nothing after </graphml>"));
    }
    graph.ok_or_else(|| nothing("graph"))?.build(builder, &options.table, options.progress)
}

struct GraphReader<'a, 'o> {
    bytes: &'a [u8],
    listed: Listed<'a, 'o>,
    weights: Option<WeightKeys<'a>>,
    /// The name of the weight, where no attribute of edges is declared under it.
    undeclared: Option<&'o str>,
    is_undirected: bool,
    undirected: Vec<bool>,
}

impl<'a, 'o> GraphReader<'a, 'o> {
    fn new(
        bytes: &'a [u8],
        weights: Option<WeightKeys<'a>>,
        weight_name: Option<WeightName<'o>>,
        undeclared: Option<&'o str>,
    ) -> Result<Self, ParseError> {
        let [vertices, edges] = count_tags(bytes);
        // Words with character references are stored as copies.
        let changed_words = if bytes.contains(&b'&') { bytes.len() } else { 0 };
        let extra_bytes = (changed_words as u64).saturating_add(bytes_of::<bool>(edges as u64));
        let kind = weights.as_ref().map(|weights| weights.kind);
        let counts = Counts { vertices, edges, weights: kind, extra_bytes };
        let listed = Listed::new(&counts, weight_name)?;
        let undirected = Vec::with_capacity(edges);
        Ok(Self { bytes, listed, weights, undeclared, is_undirected: false, undirected })
    }

    fn read(&mut self, xml: &mut Xml<'a>, graph: &Element<'a>) -> Result<(), ParseError> {
        let [default] = graph.attributes(["edgedefault"])?;
        let default = default.ok_or_else(|| graph.lacks("edgedefault"))?;
        self.is_undirected = match &*default {
            "directed" => false,
            "undirected" => true,
            other => {
                return Err(graph.expected("edgedefault", "`directed` or `undirected`", other));
            }
        };
        while let Some(child) = xml.child()? {
            match child.name {
                "node" => self.read_node(xml, &child)?,
                "edge" => self.read_edge(xml, &child)?,
                "hyperedge" => return Err(child.refused("expected edges between two vertices")),
                "locator" => return Err(child.refused("expected the graph to be in this file")),
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    fn read_node(&mut self, xml: &mut Xml<'a>, node: &Element<'a>) -> Result<(), ParseError> {
        let [id] = node.attributes(["id"])?;
        self.listed.vertex(id.ok_or_else(|| node.lacks("id"))?, node.at)?;
        while let Some(child) = xml.child()? {
            check_flat(&child)?;
            xml.skip()?;
        }
        Ok(())
    }

    fn read_edge(&mut self, xml: &mut Xml<'a>, edge: &Element<'a>) -> Result<(), ParseError> {
        let names = ["source", "target", "directed", "sourceport", "targetport"];
        let [source, target, directed, source_port, target_port] = edge.attributes(names)?;
        if source_port.or(target_port).is_some() {
            return Err(edge.refused("expected edges without ports"));
        }
        let source = source.ok_or_else(|| edge.lacks("source"))?;
        let target = target.ok_or_else(|| edge.lacks("target"))?;
        let is_undirected = match directed.as_deref() {
            None => self.is_undirected,
            Some("true" | "1") => false,
            Some("false" | "0") => true,
            Some(other) => return Err(edge.expected("directed", "`true` or `false`", other)),
        };
        let mut weight = None;
        while let Some(child) = xml.child()? {
            check_flat(&child)?;
            let is_whole = self.is_weight(&child)?;
            let content = xml.content()?;
            if let Some(is_whole) = is_whole {
                if weight.is_some() {
                    return Err(child.refused("expected one weight of the edge"));
                }
                self.check_whole(is_whole, &content)?;
                weight = Some(content);
            }
        }
        let default = || self.weights.as_ref()?.default.clone();
        let weight = weight.or_else(default);
        let text = weight.map(|content| Scanner::new(&self.bytes[..content.end], content.start));
        self.undirected.push(is_undirected);
        self.listed.edge([source, target], text, edge.at)
    }

    /// Whether an element is a weight, and if so whether it must be a whole number.
    fn is_weight(&self, element: &Element) -> Result<Option<bool>, ParseError> {
        let may_be = self.weights.is_some() || self.undeclared.is_some();
        if element.name != "data" || !may_be {
            return Ok(None);
        }
        let [key] = element.attributes(["key"])?;
        let key = key.ok_or_else(|| element.lacks("key"))?;
        if self.undeclared.is_some_and(|name| key == name) {
            let why = format!("expected a <key> for edges with the id {key:?} before the graph");
            return Err(element.refused(&why));
        }
        Ok(self.weights.as_ref().and_then(|weights| weights.is_whole(&key)))
    }

    fn check_whole(&self, is_whole_only: bool, content: &Range<usize>) -> Result<(), ParseError> {
        let mut text = Scanner::new(&self.bytes[..content.end], content.start);
        text.next_line(b"");
        if is_whole_only && !is_whole(self.bytes[content.clone()].trim_ascii()) {
            Err(text.expected("a whole number, as the type of this attribute says"))
        } else {
            Ok(())
        }
    }

    fn build(
        self,
        builder: &GraphBuilder,
        options: &TableOptions,
        progress: Option<&dyn Progress>,
    ) -> Result<Graph, ParseError> {
        let mut named = self.listed.finish(None, options.ids)?;
        let is_any = |undirected| self.undirected.contains(&undirected);
        let is_undirected =
            if self.undirected.is_empty() { self.is_undirected } else { !is_any(false) };
        let is_mixed = is_any(true) && !is_undirected;
        if is_mixed && !builder.is_undirected() {
            named.edges = with_reverses(named.edges, &self.undirected)?;
        }
        named.build(builder, is_undirected, progress)
    }
}

/// Rejects unsupported children of a vertex or an edge.
fn check_flat(element: &Element) -> Result<(), ParseError> {
    match element.name {
        "graph" => Err(element.refused("expected no graph inside of a vertex or an edge")),
        "port" => Err(element.refused("expected vertices without ports")),
        _ => Ok(()),
    }
}

/// The edges, followed by the reverse of each undirected one.
fn with_reverses(edges: Edges, undirected: &[bool]) -> Result<Edges, ParseError> {
    let most = edges.len() as u64 * 2;
    let weight_bytes = edges.weights().map_or(0, Weights::bytes_each);
    let bytes = Edges::memory_of(most, weight_bytes).saturating_add(bytes_of::<usize>(most));
    memory::check(format_args!("edges in both directions, up to {most}"), bytes)?;
    let (mut sources, mut targets, weights) = edges.into_parts();
    let is_added = |&edge: &usize| undirected[edge] && sources[edge] != targets[edge];
    let added: Vec<usize> = (0..undirected.len()).filter(is_added).collect();
    for &edge in &added {
        let (source, target) = (sources[edge], targets[edge]);
        sources.push(target);
        targets.push(source);
    }
    let weights = weights.map(
        |weights| of_any_type!(weights, all => Weights::from(with_copies(all.into_vec(), &added))),
    );
    Ok(Edges::new(sources, targets, weights)?)
}

fn with_copies<T: Copy>(mut all: Vec<T>, copied: &[usize]) -> Vec<T> {
    for &edge in copied {
        all.push(all[edge]);
    }
    all
}

/// Upper bounds on the numbers of vertex and edge tags: some may be in comments.
fn count_tags(bytes: &[u8]) -> [usize; 2] {
    let tag = |at: usize| {
        let rest = &bytes[at + 1..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/><".contains(byte);
        let name = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        let colon = name.iter().rposition(|&byte| byte == b':');
        let is = |local: &[u8]| usize::from(&name[colon.map_or(0, |colon| colon + 1)..] == local);
        [is(b"node"), is(b"edge")]
    };
    (0..bytes.len())
        .into_par_iter()
        .with_min_len(1 << 16)
        .filter(|&at| bytes[at] == b'<')
        .map(tag)
        .reduce(|| [0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
}
