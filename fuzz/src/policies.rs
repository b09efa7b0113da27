//! Models and plans, by which searches choose.

use equipoise::traversal::IterationPlan;
use equipoise_select::Model;

/// Reads a model, asks it, writes it and reads that.
pub fn check_model(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(model) = Model::from_json(text) else { return };
    let count = model.description().features.len();
    for value in [0.0, -1.0, 1.5, f32::MAX, f32::INFINITY, f32::NAN] {
        let features = vec![value; count];
        let chosen = model.predict(&features).candidate;
        assert!(chosen < model.description().candidates.len());
        model.explain(&features);
    }
    let again = Model::from_json(&model.to_json()).expect("what was written is read");
    assert_eq!(again.to_json(), model.to_json());
}

/// Reads a plan as text and as JSON, and asks it for levels near and far.
pub fn check_plan(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let plans = [text.parse::<IterationPlan>().ok(), serde_json::from_str(text).ok()];
    for plan in plans.into_iter().flatten() {
        for iteration in [0, 1, 7, u32::MAX] {
            plan.strategy(iteration);
        }
        assert_eq!(plan.to_string().parse::<IterationPlan>().expect("what was written is read"), plan);
    }
}
