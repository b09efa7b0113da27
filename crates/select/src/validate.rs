//! Validation of models.

use std::collections::HashSet;

use crate::{Description, Error, Leaf, MAX_CANDIDATES, Node, Result, Split, error::quoted};

/// Checks everything that the use of a model relies on; returns the number of the candidate for an
/// ambiguous first step.
pub(crate) fn validate(description: &Description, nodes: &[Node]) -> Result<usize> {
    check_name("algorithm", &description.algorithm)?;
    check_name("device", &description.device)?;
    check_names("features", &description.features)?;
    check_names("candidates", &description.candidates)?;
    let candidates = description.candidates.len();
    if candidates > MAX_CANDIDATES {
        return malformed(format!(
            "{candidates} candidates are over the limit of {MAX_CANDIDATES}"
        ));
    }
    let first = description.candidates.iter().position(|name| *name == description.first);
    let Some(first) = first else {
        let known = quoted(&description.candidates);
        let first = &description.first;
        return malformed(format!("`first` is `{first}`, which is no candidate: {known}"));
    };
    check_tree(nodes)?;
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

fn check_name(what: &str, name: &str) -> Result<()> {
    if name.is_empty() || name.chars().any(char::is_control) {
        malformed(format!("`{what}` is {name:?}, which is no name"))
    } else {
        Ok(())
    }
}

fn check_names(what: &str, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return malformed(format!("`{what}` is empty: a model needs at least one"));
    }
    let mut seen = HashSet::new();
    for name in names {
        check_name(what, name)?;
        if !seen.insert(name) {
            return malformed(format!("`{what}` has `{name}` twice"));
        }
    }
    Ok(())
}

/// Checks that children come after their parents, which rules out cycles, and that each node except
/// the root has exactly one parent.
fn check_tree(nodes: &[Node]) -> Result<()> {
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
                    "node {number}: `{side}` is {child}, but the tree has {count} nodes, numbered from 0"
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
        return Err(format!("feature {} does not exist: the model has {features}", split.feature));
    }
    if split.threshold.is_finite() {
        Ok(())
    } else {
        Err(format!("`threshold` is {}, which is not finite", split.threshold))
    }
}

fn check_leaf(leaf: &Leaf, candidates: usize) -> Result<(), String> {
    if leaf.candidate as usize >= candidates {
        return Err(format!(
            "candidate {} does not exist: the model has {candidates}",
            leaf.candidate
        ));
    }
    if !(0.0..=1.0).contains(&leaf.share) {
        return Err(format!("`share` is {}, which is not from 0 to 1", leaf.share));
    }
    let mut ranking = leaf.ranking.clone();
    ranking.sort_unstable();
    if ranking.iter().copied().eq(0..candidates as u32) {
        Ok(())
    } else {
        Err("`ranking` does not have each candidate once".into())
    }
}
