//! The conformance suites on a GPU.

use super::common::{failure_of, folder_with_gpu, json_of};

#[test]
fn operators_conform_under_a_schedule() {
    let folder = folder_with_gpu();
    let call = "conformance --device wgpu --suite operators --only thread-mapped";
    let report = json_of(folder.path(), call);
    let suites = report["suites"].as_array().unwrap();
    assert_eq!((suites.len(), &suites[0]["name"]), (1, &"operators".into()));
    // A search, an advance and two gathers on each of seven graphs.
    assert_eq!((&report["checks"], &report["failed"]), (&(4 * 7).into(), &0.into()));
}

#[test]
fn an_unknown_schedule_is_refused() {
    let folder = folder_with_gpu();
    let error = failure_of(folder.path(), "conformance --device wgpu --only bined", 1);
    assert!(error.contains("nothing was checked: wgpu has no `bined`"), "{error}");
}
