//! Options of an algorithm: keyword arguments merged with the library's defaults.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::errors::Failure;

/// Parses the library's options from keyword arguments as a JSON object.
///
/// Fails for an unknown option or an invalid value.
pub fn parse_options<O: Default + Serialize + DeserializeOwned>(
    keywords: &str,
) -> Result<O, Failure> {
    let keywords: Map<String, Value> = serde_json::from_str(keywords).map_err(not_understood)?;
    over_defaults::<O>(keywords.clone())?.map_err(|error| {
        let is_culprit = |(name, value): &(String, Value)| {
            let alone = Map::from_iter([(name.clone(), value.clone())]);
            over_defaults::<O>(alone).is_ok_and(|options| options.is_err())
        };
        match keywords.into_iter().find(is_culprit) {
            Some((name, value)) => {
                Failure::Value(format!("`{name}` is {value}, which is not understood: {error}"))
            }
            None => not_understood(error),
        }
    })
}

/// The defaults overridden by some options; fails if the result is invalid.
fn over_defaults<O: Default + Serialize + DeserializeOwned>(
    keywords: Map<String, Value>,
) -> Result<Result<O, serde_json::Error>, Failure> {
    let mut all = serde_json::to_value(O::default()).map_err(not_understood)?;
    if let Value::Object(known) = &mut all {
        merge(known, keywords)?;
    }
    Ok(serde_json::from_value(all))
}

/// Nested settings, such as `gpu`, are merged key by key.
fn merge(known: &mut Map<String, Value>, keywords: Map<String, Value>) -> Result<(), Failure> {
    for (name, value) in keywords {
        match (known.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(keywords)) => merge(known, keywords)?,
            (Some(known), value) => *known = value,
            (None, _) => {
                let known: Vec<String> = known.keys().map(|name| format!("`{name}`")).collect();
                let known = known.join(", ");
                return Err(Failure::Value(format!("unknown option `{name}`; known are: {known}")));
            }
        }
    }
    Ok(())
}

fn not_understood(error: serde_json::Error) -> Failure {
    Failure::Value(format!("an option is not understood: {error}"))
}
