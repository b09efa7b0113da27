//! GraphML (<http://graphml.graphdrawing.org/>), as NetworkX, igraph, Gephi and others write it.
//!
//! `<key>` declares an attribute, `<graph edgedefault="directed">` has the vertices `<node id="Ann"/>`
//! and the edges `<edge source="Ann" target="Bob"/>`, in which `<data key="d0">2.5</data>` is the value
//! of an attribute. That of the name `weight`, or of another that is asked for, is the weight: a whole
//! number where its type is `int` or `long`, `f32` where it is `float` or `double`. Other attributes
//! are skipped. Vertices are called by their ids: by numbers, if all are.
//!
//! A graph is undirected if all of its edges are. Where only some are, each of those is an edge in
//! either direction. Graphs in vertices, hyperedges and ports have no meaning here and are refused.

mod keys;
mod write;
mod xml;

use std::ops::Range;

use rayon::prelude::*;

use super::{
    Progress, TableOptions,
    error::ParseError,
    listed::{Counts, Listed, WeightName},
    numbers::is_whole,
    scan::Scanner,
};
use crate::{
    Edges, Graph, GraphBuilder, Weights,
    memory::{self, bytes_of},
};
use keys::{Key, WeightKeys};
use xml::{Element, Xml};

pub(super) use write::write;

/// Reads a graph.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &TableOptions,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let weight_name = WeightName::of(options)?;
    let mut xml = Xml::new(bytes, progress)?;
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
                let mut reader = GraphReader::new(bytes, weights.flatten(), weight_name)?;
                reader.read(&mut xml, &child)?;
                graph = Some(reader);
            }
            _ => xml.skip()?,
        }
    }
    if let Some(other) = xml.child()? {
        return Err(other.refused("expected nothing after </graphml>"));
    }
    graph.ok_or_else(|| nothing("graph"))?.build(builder, options)
}

/// The graph as far as it was read.
struct GraphReader<'a, 'o> {
    bytes: &'a [u8],
    listed: Listed<'a, 'o>,
    weights: Option<WeightKeys<'a>>,
    is_undirected: bool,
    /// Whether each edge is.
    undirected: Vec<bool>,
}

impl<'a, 'o> GraphReader<'a, 'o> {
    fn new(
        bytes: &'a [u8],
        weights: Option<WeightKeys<'a>>,
        weight_name: Option<WeightName<'o>>,
    ) -> Result<Self, ParseError> {
        let [vertices, edges] = count_tags(bytes);
        // A word with an entity in it is not as it stands there.
        let changed_words = if bytes.contains(&b'&') { bytes.len() } else { 0 };
        let beside = (changed_words as u64).saturating_add(bytes_of::<bool>(edges as u64));
        let kind = weights.as_ref().map(|weights| weights.kind);
        let counts = Counts { vertices, edges, weights: kind, beside };
        let listed = Listed::new(&counts, weight_name)?;
        let undirected = Vec::with_capacity(edges);
        Ok(Self { bytes, listed, weights, is_undirected: false, undirected })
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

    /// Whether an element is a weight, and if so whether it has to be a whole number.
    fn is_weight(&self, element: &Element) -> Result<Option<bool>, ParseError> {
        match &self.weights {
            Some(weights) if element.name == "data" => {
                let [key] = element.attributes(["key"])?;
                let key = key.ok_or_else(|| element.lacks("key"))?;
                Ok(weights.is_whole(&key))
            }
            _ => Ok(None),
        }
    }

    fn check_whole(&self, is_whole_only: bool, content: &Range<usize>) -> Result<(), ParseError> {
        let mut text = Scanner::new(&self.bytes[..content.end], content.start);
        text.next_line(b"");
        match is_whole_only && !is_whole(self.bytes[content.clone()].trim_ascii()) {
            true => Err(text.expected("a whole number, as the type of this attribute says")),
            false => Ok(()),
        }
    }

    fn build(self, builder: &GraphBuilder, options: &TableOptions) -> Result<Graph, ParseError> {
        let named = self.listed.finish(None, options.ids)?;
        let builder = builder.clone().vertices(named.vertices).ids(named.ids);
        let is_any = |undirected| self.undirected.contains(&undirected);
        let is_undirected = match self.undirected.is_empty() {
            true => self.is_undirected,
            false => !is_any(false),
        };
        let is_mixed = is_any(true) && !is_undirected;
        let edges = match is_mixed && !builder.is_undirected() {
            true => with_reverses(named.edges, &self.undirected)?,
            false => named.edges,
        };
        let builder = if is_undirected { builder.undirected(true) } else { builder };
        Ok(builder.build(edges)?)
    }
}

/// Refuses what a vertex or an edge must not have inside.
fn check_flat(element: &Element) -> Result<(), ParseError> {
    match element.name {
        "graph" => Err(element.refused("expected no graph inside of a vertex or an edge")),
        "port" => Err(element.refused("expected vertices without ports")),
        _ => Ok(()),
    }
}

/// The edges, and the reverse of each that is undirected, after them.
fn with_reverses(edges: Edges, undirected: &[bool]) -> Result<Edges, ParseError> {
    let most = edges.len() as u64 * 2;
    let bytes = Edges::memory_of(most, true).saturating_add(bytes_of::<usize>(most));
    memory::check(format_args!("edges in both directions, up to {most}"), bytes)?;
    let (mut sources, mut targets, weights) = edges.into_parts();
    let is_added = |&edge: &usize| undirected[edge] && sources[edge] != targets[edge];
    let added: Vec<usize> = (0..undirected.len()).filter(is_added).collect();
    for &edge in &added {
        let (source, target) = (sources[edge], targets[edge]);
        sources.push(target);
        targets.push(source);
    }
    let weights = weights.map(|weights| match weights {
        Weights::U32(weights) => Weights::from(with_copies(weights.into_vec(), &added)),
        Weights::F32(weights) => Weights::from(with_copies(weights.into_vec(), &added)),
        Weights::F64(weights) => Weights::from(with_copies(weights.into_vec(), &added)),
    });
    Ok(Edges::new(sources, targets, weights)?)
}

fn with_copies<T: Copy>(mut all: Vec<T>, copied: &[usize]) -> Vec<T> {
    for &place in copied {
        all.push(all[place]);
    }
    all
}

/// How many tags of vertices and of edges there are at most: some may be in comments.
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
