//! What the guide shows is what the program does: its commands are run, and its links lead somewhere.
//!
//! `TRYCMD=overwrite cargo test -p equipoise-cli --test program guide` writes new outputs; times in them must then
//! be made `[..]` again. The guide's examples of the library are doctests of the `equipoise` crate; those of `equipoise-lab` are run by its tests.

use std::{fs, path::PathBuf};

use trycmd::schema::Bin;

use crate::common::repository;

fn folder() -> PathBuf {
    repository().join("docs/guide/src")
}

/// The names of the pages, with what they say.
fn pages() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    pages.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// Where the links of a page lead, those to other sites aside.
fn links(page: &str) -> Vec<&str> {
    let links = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.starts_with("http")).collect()
}

/// What the anchor of a heading is called.
fn anchor(heading: &str) -> String {
    let lower = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = lower.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn what_is_printed() {
    trycmd::TestCases::new()
        .register_bin("equipoise-lab", Bin::Ignore)
        .case("../../docs/guide/src/*.md");
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    assert!(pages.len() > 10, "the pages are found");
    for (name, text) in &pages {
        for link in links(text) {
            let (file, wanted) = link.split_once('#').unwrap_or((link, ""));
            assert!(folder().join(file).exists(), "{name} links to {link}");
            let file = if file.is_empty() { name } else { file };
            let target = pages.iter().find(|(name, _)| name == file);
            let has = |text: &str| {
                text.lines().any(|line| line.starts_with('#') && anchor(line) == wanted)
            };
            let is_there = wanted.is_empty() || target.is_some_and(|(_, text)| has(text));
            assert!(is_there, "{name} links to {link}, which has no such heading");
        }
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let pages = pages();
    let (_, summary) = pages.iter().find(|(name, _)| name == "SUMMARY.md").unwrap();
    let listed = links(summary);
    for (name, _) in pages.iter().filter(|(name, _)| name != "SUMMARY.md") {
        assert!(listed.contains(&name.as_str()), "SUMMARY.md does not list {name}");
    }
}
