//! Tests that values repeated in several files are equal.

use std::fs;

use crate::workspace;

fn text(file: &str) -> String {
    fs::read_to_string(workspace().join(file)).unwrap()
}

/// The value of the first line `key = "value"` of `Cargo.toml`.
fn setting(key: &str) -> String {
    let manifest = text("Cargo.toml");
    let start = format!("{key} = \"");
    let value = manifest.lines().find_map(|line| line.strip_prefix(&start));
    value.unwrap().trim_end_matches('"').into()
}

#[test]
fn ci_and_the_image_take_the_rust_that_is_promised() {
    let rust = setting("rust-version");
    for workflow in ["ci", "release"] {
        let file = format!(".github/workflows/{workflow}.yml");
        assert!(text(&file).contains(&format!("RUST: \"{rust}\"")), "{file}");
    }
    assert!(text("Dockerfile").contains(&format!("FROM rust:{rust}-slim-bookworm")));
}

#[test]
fn the_repository_is_the_same_everywhere() {
    let repository = setting("repository");
    assert!(text("CITATION.cff").contains(&format!("repository-code: {repository}\n")));
    assert!(text(".github/ISSUE_TEMPLATE/config.yml").contains(&format!("{repository}/security")));
}
