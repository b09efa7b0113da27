//! Options of an algorithm: what keyword arguments say, over the library's defaults.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::errors::Failure;

/// The library's options, from keyword arguments as a JSON object.
///
/// Fails where there is no such option, or its value is not one.
pub fn options<O: Default + Serialize + DeserializeOwned>(given: &str) -> Result<O, Failure> {
    let given: Map<String, Value> = serde_json::from_str(given).map_err(not_understood)?;
    let mut all = serde_json::to_value(O::default()).map_err(not_understood)?;
    if let Value::Object(known) = &mut all {
        lay_over(known, given)?;
    }
    serde_json::from_value(all).map_err(not_understood)
}

/// Settings within settings, such as `gpu`, are laid over each on its own.
fn lay_over(known: &mut Map<String, Value>, given: Map<String, Value>) -> Result<(), Failure> {
    for (name, value) in given {
        match (known.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(given)) => lay_over(known, given)?,
            (Some(known), value) => *known = value,
            (None, _) => {
                let known: Vec<String> = known.keys().map(|name| format!("`{name}`")).collect();
                let known = known.join(", ");
                return Err(Failure::Value(format!(
                    "there is no option `{name}`; known are: {known}"
                )));
            }
        }
    }
    Ok(())
}

fn not_understood(error: serde_json::Error) -> Failure {
    Failure::Value(format!("an option is not understood: {error}"))
}
