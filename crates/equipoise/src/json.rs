//! Numbers in JSON, which has neither infinities nor NaN: they become strings, and `null` means that a value is missing.

use equipoise_graph::numbers::name_of_not_finite;
use serde::Serializer;

pub(crate) fn number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match name_of_not_finite(*number) {
        None => serializer.serialize_f64(*number),
        Some(name) => serializer.serialize_str(name),
    }
}

pub(crate) fn optional_number<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        None => serializer.serialize_none(),
        Some(value) => number(value, serializer),
    }
}

#[cfg(test)]
mod tests {
    use crate::{mst::TotalWeight, paths::PathsOptions};

    #[test]
    fn infinities_differ_from_missing_values() {
        let json = |within| {
            let options = PathsOptions { within, ..PathsOptions::default() };
            serde_json::to_value(options).unwrap()["within"].clone()
        };
        assert!(json(None).is_null());
        assert_eq!((json(Some(2.0)), json(Some(f64::INFINITY))), (2.0.into(), "Infinity".into()));
        let total = |weight| serde_json::to_value(TotalWeight::F64(weight)).unwrap();
        assert_eq!((total(0.5), total(f64::NEG_INFINITY)), (0.5.into(), "-Infinity".into()));
    }
}
