//! Options with each of their numbers at the ends of what can be said, found from the options
//! themselves, so that a new one is among them without anybody thinking of it.

use std::time::{Duration, Instant};

use equipoise::{Error, Result};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// How long a run on a tiny graph may take, beside all other tests.
const LONGEST: Duration = Duration::from_secs(120);

/// What each number is set to. Those that an option cannot be read from are left out for it.
fn numbers() -> Vec<Value> {
    let whole = [0, 1, 2, u64::from(u32::MAX), u64::MAX].map(|number| json!(number));
    let real = [-1.0, 0.5, 5e-324, 1e-300, 1e300, f64::MAX].map(|number| json!(number));
    whole.into_iter().chain([json!(-1)]).chain(real).collect()
}

/// The options with one number changed, in all ways, each with what was changed.
pub fn swept<T: Serialize + DeserializeOwned>(options: &T) -> Vec<(String, T)> {
    let written = serde_json::to_value(options).unwrap();
    let mut places = Vec::new();
    find(&written, String::new(), &mut places);
    assert!(!places.is_empty(), "these options have no numbers");
    let mut all = Vec::new();
    for place in places {
        for number in numbers() {
            let mut changed = written.clone();
            *changed.pointer_mut(&place).unwrap() = number.clone();
            let read = serde_json::from_value(changed);
            all.extend(read.ok().map(|options| (format!("{place} = {number}"), options)));
        }
    }
    all
}

/// Where numbers are, and what is not given and may be one.
fn find(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                find(value, format!("{place}/{name}"), places);
            }
        }
        Value::Number(_) | Value::Null => places.push(place),
        _ => {}
    }
}

/// Demands that a run ends within seconds, verified or refused; says whether it was not refused.
pub fn ends_well(what: impl std::fmt::Display, run: impl FnOnce() -> Result<()>) -> bool {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < LONGEST, "{what} took {:?}", start.elapsed());
    match result {
        Ok(()) => true,
        Err(Error::Wrong(error)) => panic!("{what}: {error}"),
        Err(_) => false,
    }
}
