//! Files of a job: none is both read and written, or written twice.

use std::path::Path;

use equipoise_terminal::files::FileTarget;

use super::{
    arguments::OutputArguments,
    failure::{Failure, Result},
};

/// Fails if an output would overwrite an input or another output.
pub fn check_apart(input: &str, output: &OutputArguments) -> Result<()> {
    let input = Some(Path::new(input)).filter(|path| path.exists());
    let named = [
        ("the graph", input),
        ("--output", output.output.as_deref()),
        ("--trace", output.trace.as_deref()),
    ];
    let files: Vec<(&str, &Path)> =
        named.into_iter().filter_map(|(name, path)| Some((name, path?))).collect();
    for (index, (name, path)) in files.iter().enumerate() {
        let target = FileTarget::resolve(path);
        let is_same = |(_, other): &&(&str, &Path)| target.is_same(&FileTarget::resolve(other));
        if let Some((other, _)) = files[..index].iter().find(is_same) {
            let path = path.display();
            return Err(Failure::new(format!("{name} {path}: this is the file of {other}"))
                .hint("write to another file, as nothing would be left of this one"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_told_apart_however_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("roads.tsv"), "1 2\n").unwrap();
        fs::hard_link(path("roads.tsv"), path("linked.tsv")).unwrap();
        fs::create_dir(path("sub")).unwrap();
        let check = |output: &str, trace: Option<&str>| {
            let arguments = OutputArguments {
                output: Some(path(output).into()),
                parts: None,
                trace: trace.map(|name| path(name).into()),
            };
            check_apart(&path("roads.tsv").to_string_lossy(), &arguments).is_ok()
        };
        for same in ["roads.tsv", "sub/../roads.tsv", "linked.tsv"] {
            assert!(!check(same, None), "{same}");
        }
        assert!(check("levels.tsv", Some("trace.json")));
        assert!(!check("trace.json", Some("sub/../trace.json")));
        assert!(!check("levels.tsv", Some("roads.tsv")));
    }
}
