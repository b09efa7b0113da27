//! `cargo xtask licences`: checks that `deny.toml` allows the licence of every dependency.
//!
//! `cargo deny check` checks more, but takes minutes to install.

use std::collections::BTreeSet;

use crate::{
    command::{cargo, read},
    spdx, workspace,
};

/// Checks the whole dependency tree, for all systems and with all features.
pub fn run() -> Result<(), String> {
    let text = read(&workspace().join("deny.toml"))?;
    let allowed = allowed(&text).ok_or("deny.toml has no list `allow` in its part `licenses`")?;
    let tree = tree()?;
    let refused = refused(&tree, &allowed);
    if refused.is_empty() {
        println!("{} packages have licences that deny.toml allows", packages(&tree).len());
        return Ok(());
    }
    Err(format!(
        "deny.toml does not allow these licences:\n{}\nhint: take another package, or add the licence if a program \
         under MIT OR Apache-2.0 may contain what is under it",
        refused.join("\n")
    ))
}

/// One line per occurrence of a package: its licence, a tab, and its name.
fn tree() -> Result<String, String> {
    let output = cargo()
        .args(["tree", "--locked", "--workspace", "--all-features", "--target", "all"])
        .args(["--edges", "all", "--prefix", "none", "--format", "{l}\t{p}"])
        .current_dir(workspace())
        .output()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The distinct packages with their licences: cargo marks repetitions with a star.
fn packages(tree: &str) -> BTreeSet<(&str, &str)> {
    let lines = tree.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(licence, package)| (package.trim_end_matches(" (*)"), licence)).collect()
}

fn refused(tree: &str, allowed: &[&str]) -> Vec<String> {
    let is_refused = |licence: &str| !spdx::is_satisfied(licence, &|name| allowed.contains(&name));
    let packages = packages(tree).into_iter().filter(|(_, licence)| is_refused(licence));
    packages
        .map(|(package, licence)| match licence {
            "" => format!("{package}: names no licence"),
            _ => format!("{package}: {licence}"),
        })
        .collect()
}

/// The strings of the list `allow` in the section `[licenses]`; the list contains no brackets.
fn allowed(deny: &str) -> Option<Vec<&str>> {
    let (_, part) = deny.split_once("\n[licenses]\n")?;
    let part = part.split("\n[").next()?;
    let (_, list) = part.split_once("\nallow = [")?;
    let (list, _) = list.split_once(']')?;
    Some(list.split('"').skip(1).step_by(2).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = "[graph]\nallow = [\"GPL-3.0\"]\n\n[licenses]\n# Why.\nallow = [\n    \
        \"MIT\",\n    \"Zlib\",\n]\n\n[bans]\nallow = [\"Unlicense\"]\n";

    #[test]
    fn the_list_is_that_of_licences() {
        assert_eq!(allowed(DENY), Some(vec!["MIT", "Zlib"]));
        assert_eq!(allowed("\n[licenses]\n\n[bans]\nallow = [\"MIT\"]\n"), None);
        assert_eq!(allowed(""), None);
    }

    #[test]
    fn the_list_of_this_workspace_is_read() {
        let text = read(&workspace().join("deny.toml")).unwrap();
        let allowed = allowed(&text).unwrap();
        assert!(allowed.contains(&"MIT") && allowed.contains(&"Apache-2.0"), "{allowed:?}");
    }

    #[test]
    fn refused_licences_are_listed_once() {
        let tree = "MIT\ta v1.0.0\nGPL-3.0\tb v2.0.0\n\nMIT OR GPL-3.0\tc v1.0.0\n\
            GPL-3.0\tb v2.0.0 (*)\n\td v1.0.0\n";
        assert_eq!(refused(tree, &["MIT"]), ["b v2.0.0: GPL-3.0", "d v1.0.0: names no licence"]);
        assert_eq!(packages(tree).len(), 4);
    }
}
