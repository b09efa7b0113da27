//! What makes a model valid.

use std::collections::HashSet;

use crate::{Description, Error, Leaf, MAX_CANDIDATES, Node, Result, Split, error::quoted};

/// Checks everything that using a model relies on; answers with the number of the candidate that
/// an ambiguous first step gets.
pub(crate) fn validate(description: &Description, nodes: &[Node]) -> Result<usize> {
    named("algorithm", &description.algorithm)?;
    named("device", &description.device)?;
    distinct("features", &description.features)?;
    distinct("candidates", &description.candidates)?;
    let candidates = description.candidates.len();
    if candidates > MAX_CANDIDATES {
        return malformed(format!(
            "{candidates} candidates are over the limit of {MAX_CANDIDATES}"
        ));
    }
    let first = description.candidates.iter().position(|name| *name == description.first);
    let Some(first) = first else {
        let known = quoted(&description.candidates);
        let given = &description.first;
        return malformed(format!("`first` is `{given}`, which is no candidate: {known}"));
    };
    tree(nodes)?;
    for (number, node) in nodes.iter().enumerate() {
        match node {
            Node::Split(split) => check_split(split, description.features.len()),
            Node::Leaf(leaf) => check_leaf(leaf, candidates),
        }
        .map_err(|message| Error::Malformed(format!("node {number}: {message}")))?;
    }
    Ok(first)
}

fn malformed<T>(message: String) -> Result<T> {
    Err(Error::Malformed(message))
}

fn named(what: &str, name: &str) -> Result<()> {
    match name.is_empty() || name.chars().any(char::is_control) {
        true => malformed(format!("`{what}` is {name:?}, which is no name")),
        false => Ok(()),
    }
}

fn distinct(what: &str, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return malformed(format!("`{what}` is empty: a model needs at least one"));
    }
    let mut seen = HashSet::new();
    for name in names {
        named(what, name)?;
        if !seen.insert(name) {
            return malformed(format!("`{what}` has `{name}` twice"));
        }
    }
    Ok(())
}

/// Children come after their parents, so that no walk can go round in a circle, and each node but
/// the root is the child of one.
fn tree(nodes: &[Node]) -> Result<()> {
    if nodes.is_empty() {
        return malformed("`nodes` is empty: a model needs at least one leaf".into());
    }
    let mut parents = vec![None; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        let Node::Split(split) = node else { continue };
        for (side, child) in [("left", split.left as usize), ("right", split.right as usize)] {
            if child <= number {
                return malformed(format!(
                    "node {number}: `{side}` is {child}, but children come after their parents"
                ));
            }
            let Some(parent) = parents.get_mut(child) else {
                let count = nodes.len();
                return malformed(format!(
                    "node {number}: `{side}` is {child}, but there are {count} nodes, numbered from 0"
                ));
            };
            if let Some(other) = parent.replace(number) {
                return malformed(format!("node {child} is the child of {other} and of {number}"));
            }
        }
    }
    match parents.iter().skip(1).position(Option::is_none) {
        Some(orphan) => malformed(format!("node {} is no node's child", orphan + 1)),
        None => Ok(()),
    }
}

fn check_split(split: &Split, features: usize) -> Result<(), String> {
    if split.feature as usize >= features {
        return Err(format!("feature {} does not exist: there are {features}", split.feature));
    }
    match split.threshold.is_finite() {
        true => Ok(()),
        false => Err(format!("`threshold` is {}, which is not finite", split.threshold)),
    }
}

fn check_leaf(leaf: &Leaf, candidates: usize) -> Result<(), String> {
    if leaf.candidate as usize >= candidates {
        return Err(format!("candidate {} does not exist: there are {candidates}", leaf.candidate));
    }
    if !(0.0..=1.0).contains(&leaf.share) {
        return Err(format!("`share` is {}, which is not from 0 to 1", leaf.share));
    }
    let mut ranking = leaf.ranking.clone();
    ranking.sort_unstable();
    match ranking.iter().copied().eq(0..candidates as u32) {
        true => Ok(()),
        false => Err("`ranking` does not have each candidate once".into()),
    }
}
