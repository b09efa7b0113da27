//! The scripts for clusters are well formed, as far as a test without a cluster can tell.

use std::{fs, path::PathBuf, process::Command};

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/mpi").join(name)
}

#[test]
fn bash_can_read_the_script_for_slurm() {
    let path = example("slurm.sh");
    let read = Command::new("bash").arg("-n").arg(&path).output();
    if let Ok(read) = read {
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    }
    let text = fs::read_to_string(path).unwrap();
    let mut options = text.lines().filter(|line| line.starts_with("#SBATCH"));
    assert!(options.clone().count() > 3);
    assert!(options.all(|line| line.starts_with("#SBATCH --") && line.contains('=')));
    // Slurm reads its options up to the first command.
    let last = text.rfind("#SBATCH").unwrap();
    assert!(text[..last].lines().all(|line| line.starts_with('#')));
}

/// The content of a file in a subset of YAML, as lines of `path: value`: mappings, sequences of scalars and of mappings,
/// indented by two spaces.
fn flat(yaml: &str) -> Result<Vec<String>, String> {
    let mut keys: Vec<(usize, String)> = Vec::new();
    let mut result = Vec::new();
    for (number, line) in (1..).zip(yaml.lines()) {
        let text = line.trim_start_matches(' ');
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let wrong = |what: &str| Err(format!("line {number}: {what}: {line}"));
        let (mut indent, mut text) = (line.len() - text.len(), text);
        if indent % 2 != 0 || line.contains('\t') || line.ends_with(' ') {
            return wrong("not indented by twos");
        }
        keys.retain(|(at, _)| *at < indent || *at == indent && text.starts_with("- "));
        if let Some(item) = text.strip_prefix("- ") {
            (indent, text) = (indent + 2, item);
            keys.retain(|(at, _)| *at < indent);
        }
        let path: Vec<&str> = keys.iter().map(|(_, key)| key.as_str()).collect();
        let path = path.join(".");
        match text.split_once(": ").or_else(|| text.strip_suffix(':').map(|key| (key, ""))) {
            Some((key, "")) => keys.push((indent, key.into())),
            Some((key, value)) if !key.contains(['"', ' ']) => {
                result.push(format!("{path}.{key}: {value}"))
            }
            _ if text.contains(": ") || text.matches('"').count() % 2 != 0 => {
                return wrong("no value");
            }
            _ => result.push(format!("{path}: {text}")),
        }
    }
    Ok(result)
}

#[test]
fn the_job_for_kubernetes_is_well_formed() {
    let facts = flat(&fs::read_to_string(example("mpijob.yaml")).unwrap()).unwrap();
    let has = |fact: &str| assert!(facts.iter().any(|result| result == fact), "{fact}: {facts:#?}");
    has(".kind: MPIJob");
    has(".apiVersion: kubeflow.org/v2beta1");
    has("spec.mpiReplicaSpecs.Launcher.template.spec.containers.args: equipoise-mpi");
    has("spec.mpiReplicaSpecs.Worker.replicas: 4");
    has("spec.mpiReplicaSpecs.Worker.template.spec.containers.resources.limits.memory: 64Gi");
    // As many ranks as workers.
    has("spec.mpiReplicaSpecs.Launcher.template.spec.containers.args: \"4\"");
}

#[test]
fn malformed_files_are_refused() {
    assert!(flat("a:\n   b: 1\n").is_err());
    assert!(flat("a: \"b\nc: d\n").is_ok_and(|facts| facts.len() == 2));
    assert!(flat("a:\n\tb: 1\n").is_err());
    assert_eq!(flat("a:\n  - b: 1\n    c: 2\n  - d\n").unwrap(), ["a.b: 1", "a.c: 2", "a: d"]);
}
