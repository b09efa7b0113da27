//! The guide shows what the program prints, and its links have targets.
//!
//! `TRYCMD=overwrite cargo test -p equipoise-cli --test program guide` writes new outputs; times in them must then
//! be made `[..]` again. The guide's examples of the library are doctests of the `equipoise` crate; those of `equipoise-lab` are run by its tests.

use std::{fs, path::PathBuf};

use trycmd::schema::Bin;

use crate::common::repository;

fn folder() -> PathBuf {
    repository().join("docs/guide/src")
}

/// The names and the texts of the pages.
fn pages() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    pages.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// The targets of the links of a page, without other sites.
fn links(page: &str) -> Vec<&str> {
    let links = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.starts_with("http")).collect()
}

fn anchor(heading: &str) -> String {
    let lower = heading.trim_start_matches('#').trim().to_lowercase();
    let letters = lower.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    letters.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn what_is_printed() {
    trycmd::TestCases::new()
        .register_bin("equipoise-lab", Bin::Ignore)
        .case("../../docs/guide/src/*.md");
}

#[test]
fn links_have_targets() {
    let pages = pages();
    assert!(pages.len() > 10, "only {} pages", pages.len());
    for (name, text) in &pages {
        for link in links(text) {
            let (file, wanted) = link.split_once('#').unwrap_or((link, ""));
            assert!(folder().join(file).exists(), "{name} links to {link}");
            let file = if file.is_empty() { name } else { file };
            let target = pages.iter().find(|(name, _)| name == file);
            let has = |text: &str| {
                text.lines().any(|line| line.starts_with('#') && anchor(line) == wanted)
            };
            let exists = wanted.is_empty() || target.is_some_and(|(_, text)| has(text));
            assert!(exists, "{name} links to {link}, which has no such heading");
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
