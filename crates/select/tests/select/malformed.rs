//! Files that are not valid models are rejected with helpful messages.

use equipoise_select::{MAX_CANDIDATES, Model};
use proptest::prelude::*;

use crate::models::{description, leaf, split, three_leaves};

/// The message for the text of a valid model in which `from` is replaced.
fn rejected(from: &str, to: &str) -> String {
    let text = three_leaves().to_json();
    assert!(text.contains(from), "{from} is not in {text}");
    Model::from_json(&text.replacen(from, to, 1)).unwrap_err().to_string()
}

#[track_caller]
fn says(message: String, expected: &str) {
    assert!(message.contains(expected), "expected {expected:?} in {message:?}");
}

#[test]
fn text_that_is_not_json() {
    for text in ["", "model", "[1, 2]", "{\"format\": }", "null", "\"equipoise-model\""] {
        says(Model::from_json(text).unwrap_err().to_string(), "this is not a model");
    }
}

#[test]
fn other_formats_and_versions() {
    says(rejected("equipoise-model", "gbdt"), "`format` is `gbdt` and should be `equipoise-model`");
    says(rejected("\"version\": 1,", ""), "has no `version`");
    says(
        rejected("\"version\": 1", "\"version\": 2"),
        "version 2 of its format; this program reads",
    );
    says(rejected("\"version\": 1", "\"version\": -1"), "this is not a model");
    // A later version may contain anything: the message is about the version.
    says(
        Model::from_json(r#"{"format": "equipoise-model", "version": 2, "forest": []}"#)
            .unwrap_err()
            .to_string(),
        "version 2",
    );
}

#[test]
fn fields_that_are_missing_unknown_or_twice() {
    says(rejected("\"algorithm\": \"bfs\",", ""), "missing field `algorithm`");
    says(rejected("\"device\"", "\"devise\""), "unknown field `devise`");
    says(rejected("\"device\"", "\"algorithm\""), "duplicate field `algorithm`");
    says(rejected("\"first\": \"edge\"", "\"first\": 0"), "expected a string");
}

#[test]
fn invalid_names() {
    says(rejected("\"bfs\"", "\"\""), "`algorithm` is \"\", which is no name");
    says(rejected("\"cuda\"", "\"\\n\""), "`device` is \"\\n\", which is no name");
    says(
        rejected("\"first\": \"edge\"", "\"first\": \"Edge\""),
        "`first` is `Edge`, which is no candidate: `edge`, `push`, `pull`",
    );
    says(rejected("\"mean_degree\"\n", "\"frontier\"\n"), "unknown feature `mean_degree`");
    let twice = Model::new(description(&["a", "a"], &["x"]), vec![leaf(0, false, &[0])]);
    says(twice.unwrap_err().to_string(), "`features` has `a` twice");
    let none = Model::new(description(&[], &["x"]), vec![leaf(0, false, &[0])]);
    says(none.unwrap_err().to_string(), "`features` is empty");
}

#[test]
fn nodes_that_are_neither_split_nor_leaf() {
    let either = "either `feature`, `threshold`, `left` and `right`, or `candidate`";
    says(rejected(",\"right\":2", ""), either);
    says(rejected(",\"right\":2", ",\"right\":2,\"share\":0.5"), either);
    says(rejected(",\"samples\":12", ""), either);
    says(rejected("\"right\":2", "\"right\":2,\"gain\":3"), "unknown field `gain`");
    says(rejected("\"left\":1", "\"left\":-1"), "invalid value: integer `-1`");
    says(rejected("\"left\":1", "\"left\":1.5"), "invalid type: floating point");
}

#[test]
fn values_out_of_range() {
    // Which of the two reports it depends on the precision of the JSON reader.
    let too_large = rejected("0.25", "1e39");
    assert!(too_large.contains("not finite") || too_large.contains("out of range"), "{too_large}");
    says(rejected("0.25", "null"), "either `feature`");
    says(rejected("0.25", "1e999"), "number out of range");
    says(
        rejected("\"share\":0.75", "\"share\":1.5"),
        "node 1: `share` is 1.5, which is not from 0 to 1",
    );
    says(rejected("\"share\":0.75", "\"share\":-0.1"), "which is not from 0 to 1");
    says(
        rejected("\"feature\":\"frontier\"", "\"feature\":\"size\""),
        "node 0: unknown feature `size`; the model has: `frontier`, `mean_degree`",
    );
    says(
        rejected("\"candidate\":\"push\"", "\"candidate\":\"pushh\""),
        "node 1: unknown candidate `pushh`",
    );
    says(
        rejected("[\"push\",\"edge\",\"pull\"]", "[\"push\",\"edge\"]"),
        "node 1: `ranking` does not have each candidate once",
    );
    says(
        rejected("[\"push\",\"edge\",\"pull\"]", "[\"push\",\"edge\",\"edge\"]"),
        "node 1: `ranking`",
    );
}

#[test]
fn arrays_that_are_not_trees() {
    says(
        rejected("\"left\":1", "\"left\":5"),
        "node 0: `left` is 5, but the tree has 5 nodes, numbered from 0",
    );
    says(
        rejected("\"left\":1", "\"left\":0"),
        "node 0: `left` is 0, but children come after their parents",
    );
    says(
        rejected("\"left\":3", "\"left\":1"),
        "node 2: `left` is 1, but children come after their parents",
    );
    says(rejected("\"left\":1", "\"left\":2"), "node 2 is the child of 0 and of 0");
    says(rejected("\"left\":1", "\"left\":3"), "node 3 is the child of 0 and of 2");
    let model = |nodes| Model::new(description(&["a"], &["x"]), nodes);
    says(model(vec![]).unwrap_err().to_string(), "`nodes` is empty");
    let orphan = vec![leaf(0, false, &[0]), leaf(0, false, &[0])];
    says(model(orphan).unwrap_err().to_string(), "node 1 is no node's child");
    let feature = vec![split(7, 0.5, 1, 2), leaf(0, false, &[0]), leaf(0, false, &[0])];
    says(
        model(feature).unwrap_err().to_string(),
        "node 0: feature 7 does not exist: the model has 1",
    );
}

#[test]
fn more_candidates_than_a_set_holds() {
    let names: Vec<String> = (0..=MAX_CANDIDATES).map(|number| format!("s{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ranking: Vec<u32> = (0..names.len() as u32).collect();
    let error =
        Model::new(description(&["a"], &names), vec![leaf(0, false, &ranking)]).unwrap_err();
    says(error.to_string(), "129 candidates are over the limit of 128");
}

proptest! {
    /// A file with bytes removed or replaced is a valid model or an error, never a panic.
    #[test]
    fn damage_never_panics(start in 0usize..1400, length in 0usize..40, with in "[ -~]{0,6}") {
        let text = three_leaves().to_json();
        let start = start.min(text.len());
        let end = (start + length).min(text.len());
        let damaged = format!("{}{with}{}", &text[..start], &text[end..]);
        if let Ok(model) = Model::from_json(&damaged) {
            let features = vec![0.5; model.description().features.len()];
            model.predict(&features);
        }
    }
}
