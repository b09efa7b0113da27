//! Predictions, choices and explanations.

use equipoise_select::{CandidateSet, Chooser, Error, Reason, Side};

use crate::models::three_leaves;

const PUSH: [f32; 2] = [0.1, 1.0];
const UNCLEAR: [f32; 2] = [0.5, 1.0];
const PULL: [f32; 2] = [0.5, 9.0];

#[test]
fn a_value_at_the_threshold_goes_left_and_nan_right() {
    let model = three_leaves();
    assert_eq!(model.predict(&[0.25, 9.0]).candidate, 1);
    assert_eq!(model.predict(&[0.25000003, 9.0]).candidate, 2);
    assert_eq!(model.predict(&[f32::NAN, 9.0]).candidate, 2);
}

#[test]
fn an_unclear_step_keeps_the_candidate_before() {
    let model = three_leaves();
    let mut chooser = Chooser::new(&model, CandidateSet::all(3)).unwrap();
    let choices = [UNCLEAR, PULL, UNCLEAR, PUSH, UNCLEAR, UNCLEAR];
    let chosen: Vec<_> = choices.iter().map(|step| chooser.choose(step)).collect();
    assert_eq!(
        chosen.iter().map(|choice| choice.candidate).collect::<Vec<_>>(),
        [0, 2, 2, 1, 1, 1]
    );
    use Reason::{First, Kept, Predicted};
    let reasons: Vec<_> = chosen.iter().map(|choice| choice.reason).collect();
    assert_eq!(reasons, [First, Predicted, Kept, Predicted, Kept, Kept]);
}

#[test]
fn an_unavailable_candidate_is_replaced_by_the_ranking() {
    let model = three_leaves();
    let mut chooser = Chooser::new(&model, CandidateSet::all(3).without(2)).unwrap();
    let choice = chooser.choose(&PULL);
    assert_eq!((choice.candidate, choice.reason), (0, Reason::Substituted));
    assert_eq!(choice.prediction.candidate, 2);

    // The first candidate is unavailable; the second of the leaf's ranking is available.
    let mut chooser = Chooser::new(&model, CandidateSet::all(3).without(0)).unwrap();
    assert_eq!(chooser.choose(&UNCLEAR).candidate, 2);
}

#[test]
fn a_kept_candidate_is_replaced_when_it_becomes_unavailable() {
    let model = three_leaves();
    let mut chooser = Chooser::new(&model, CandidateSet::all(3)).unwrap();
    assert_eq!(chooser.choose(&PUSH).candidate, 1);
    chooser.restrict(CandidateSet::all(3).without(1)).unwrap();
    let choice = chooser.choose(&UNCLEAR);
    assert_eq!((choice.candidate, choice.reason), (0, Reason::Substituted));
}

#[test]
fn nothing_to_choose_from_is_an_error() {
    let model = three_leaves();
    // The model has no candidate 3.
    let error = Chooser::new(&model, CandidateSet::default().with(3)).unwrap_err();
    assert!(matches!(error, Error::NoneAvailable { .. }));
    assert!(error.to_string().contains("`edge`, `push`, `pull`"), "{error}");
}

#[test]
fn an_explanation_follows_the_path_of_the_prediction() {
    let model = three_leaves();
    let explanation = model.explain(&PULL);
    assert_eq!(explanation.candidate, "pull");
    let sides: Vec<_> = explanation.decisions.iter().map(|it| (it.feature, it.side)).collect();
    assert_eq!(sides, [("frontier", Side::Above), ("mean_degree", Side::Above)]);
    assert_eq!(
        explanation.to_string(),
        "`pull`: frontier is 0.5 (above 0.25); mean_degree is 9 (above 8)"
    );
    let unclear = model.explain(&UNCLEAR).to_string();
    assert!(unclear.starts_with("`edge`, but not clearly: "), "{unclear}");
}

#[test]
fn alignment_renumbers_features_and_candidates() {
    let model = three_leaves();
    let aligned = model
        .aligned(&["mean_degree", "unused", "frontier"], &["pull", "new", "push", "edge"])
        .unwrap();
    assert_eq!(aligned.predict(&[9.0, 0.0, 0.5]).candidate, 0);
    assert_eq!(aligned.predict(&[9.0, 0.0, 0.1]).candidate, 2);
    assert_eq!(aligned.first(), 3);
    // The unknown candidate `new` comes last.
    let leaf = aligned.leaf(&aligned.predict(&[9.0, 0.0, 0.5]));
    assert_eq!(leaf.ranking, [0, 3, 2, 1]);
}

#[test]
fn alignment_names_missing_features_and_candidates() {
    let model = three_leaves();
    let error = model.aligned(&["frontier"], &["edge", "push", "pull"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the model uses the feature `mean_degree`, which is not known here; known are: `frontier`"
    );
    let error = model.aligned(&["frontier", "mean_degree"], &["edge", "push"]).unwrap_err();
    assert!(error.to_string().starts_with("the model uses the candidate `pull`"), "{error}");
}
