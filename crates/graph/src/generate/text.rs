//! Specs as text: `NAME:key=value,…`.

use std::{
    fmt::{self, Write},
    str::FromStr,
};

use super::{
    family::{COMMON_KEYS, Description},
    generator,
    keys::{Key, Presence, Values},
    spec::Spec,
};
use crate::{
    Error, Result,
    nearest::{nearest, unknown},
};

impl FromStr for Spec {
    type Err = Error;

    /// Parses `NAME:key=value,…`, and checks that the graph can be generated.
    fn from_str(text: &str) -> Result<Self> {
        read(text)
            .and_then(|spec| spec.check().map(|_| spec))
            .map_err(|message| Error::Spec { spec: text.to_owned(), message })
    }
}

fn read(text: &str) -> Result<Spec, String> {
    let (name, pairs) = text.split_once(':').unwrap_or((text, ""));
    let named = |(known, _): &(&Description, _)| known.name == name;
    let Some((description, read)) = generator::all().find(named) else {
        return Err(unknown("generator", name, &names()));
    };
    let values = Values::read(description.table(), pairs)?;
    Ok(Spec {
        generator: read(&values)?,
        seed: values.get("seed")?,
        weights: values.optional("weights")?,
        directed: values.get("directed")?,
    })
}

fn names() -> Vec<&'static str> {
    generator::all().map(|(known, _)| known.name).collect()
}

impl fmt::Display for Spec {
    /// Writes the spec so that it parses back equal; keys with default values are omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let family = self.generator.family();
        let description = family.description();
        let mut values = family.values();
        values.push(("seed", self.seed.to_string()));
        values.extend(self.weights.map(|weights| ("weights", weights.to_string())));
        values.push(("directed", self.directed.to_string()));

        f.write_str(description.name)?;
        let mut separator = ':';
        for (name, value) in values {
            if description.table().key(name).is_some_and(|key| key.is_default(&value)) {
                continue;
            }
            write!(f, "{separator}{name}={value}")?;
            separator = ',';
        }
        Ok(())
    }
}

/// Whether `text` is the name of a generator, alone or before a colon.
pub(crate) fn names_generator(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or(text);
    names().contains(&name)
}

/// Whether `text`, which names no generator, was probably meant to: the part before its colon is a
/// word of several letters that resembles a generator's name or is followed by `key=value`.
pub(crate) fn looks_like_spec(text: &str) -> bool {
    let Some((name, rest)) = text.split_once(':') else { return false };
    let word = name.len() > 1
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '-' || letter == '_');
    word && (rest.contains('=') || nearest(name, names()).is_some())
}

/// The help text: all generators and their keys.
///
/// ```
/// let help = equipoise_graph::generate::help();
/// assert!(help.contains("rmat:scale=20,edge-factor=16,seed=7"));
/// assert!(help.contains("edge-factor"));
/// ```
pub fn help() -> String {
    let mut text = String::from("A spec is NAME:key=value,key=value,…\n");
    for (Description { name, about, example, keys }, _) in generator::all() {
        text += &format!("\n{name}: {about}\n  for example {example}\n");
        list_keys(&mut text, keys);
    }
    text.push_str("\nKeys of every generator:\n");
    list_keys(&mut text, &COMMON_KEYS);
    text
}

pub(super) fn list_keys(text: &mut String, keys: &[Key]) {
    for Key { name, presence, help } in keys {
        let note = match presence {
            Presence::Required => " (required)".into(),
            Presence::Optional => String::new(),
            Presence::Default(value) => format!(" [default: {value}]"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    {name:<12} {help}{note}");
    }
}
