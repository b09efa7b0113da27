//! Parses the `key=value` part of a spec by a generator's table of keys.

use std::fmt::Display;

use super::weights::WeightRange;
use crate::{Duplicates, SelfLoops, nearest::unknown};

pub(super) struct Key {
    pub name: &'static str,
    pub presence: Presence,
    /// A short description for the help text.
    pub help: &'static str,
}

pub(super) enum Presence {
    Required,
    Optional,
    /// Optional, with this default value.
    Default(&'static str),
}

impl Key {
    pub(super) const fn required(name: &'static str, help: &'static str) -> Self {
        Self { name, presence: Presence::Required, help }
    }

    pub(super) const fn optional(name: &'static str, help: &'static str) -> Self {
        Self { name, presence: Presence::Optional, help }
    }

    pub(super) const fn default(
        name: &'static str,
        value: &'static str,
        help: &'static str,
    ) -> Self {
        Self { name, presence: Presence::Default(value), help }
    }

    /// Whether `value` is the default, so that the key can be omitted.
    pub(super) fn is_default(&self, value: &str) -> bool {
        matches!(self.presence, Presence::Default(default) if default == value)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Table {
    /// The name that the spec starts with.
    pub name: &'static str,
    pub example: &'static str,
    /// The generator's specific keys, and those common to its kind.
    pub keys: [&'static [Key]; 2],
}

impl Table {
    fn all(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.into_iter().flatten()
    }

    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.all().find(|key| key.name == name)
    }
}

pub(super) struct Values<'a> {
    pub table: Table,
    pairs: Vec<(&'static Key, &'a str)>,
}

impl<'a> Values<'a> {
    /// Parses `key=value,key=value,…`. Fails if a key is unknown, repeated or missing.
    pub(super) fn read(table: Table, text: &'a str) -> Result<Self, String> {
        let mut values = Self { table, pairs: Vec::new() };
        let items = text.split(',').map(str::trim);
        for item in items.filter(|_| !text.trim().is_empty()) {
            let Some((name, value)) = item.split_once('=') else {
                return Err(format!("expected key=value, found `{item}`"));
            };
            let (name, value) = (name.trim(), value.trim());
            let key = table.key(name).ok_or_else(|| {
                let known: Vec<&str> = table.all().map(|key| key.name).collect();
                unknown(&format!("key of {}", table.name), name, &known)
            })?;
            if values.text(name).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
            values.pairs.push((key, value));
        }
        let missing: Vec<String> = table
            .all()
            .filter(|key| matches!(key.presence, Presence::Required))
            .filter(|key| values.text(key.name).is_none())
            .map(|key| format!("`{}`", key.name))
            .collect();
        if missing.is_empty() { Ok(values) } else { Err(values.missing(&missing.join(" and "))) }
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.pairs.iter().find(|(key, _)| key.name == name).map(|&(_, value)| value)
    }

    pub(super) fn missing(&self, what: &str) -> String {
        let Table { name, example, .. } = self.table;
        format!("{name} needs {what}, as in `{example}`")
    }

    /// The value of a key, or its default; `None` if it has neither.
    pub(super) fn optional<T: FromValue>(&self, name: &str) -> Result<Option<T>, String> {
        let default = || match self.table.key(name)?.presence {
            Presence::Default(value) => Some(value),
            Presence::Required | Presence::Optional => None,
        };
        let Some(text) = self.text(name).or_else(default) else { return Ok(None) };
        let wrong = || format!("{name}={text}: expected {}", T::EXPECTED);
        T::from_value(text).map(Some).ok_or_else(wrong)
    }

    /// The value of a key that is required or has a default.
    pub(super) fn get<T: FromValue>(&self, name: &str) -> Result<T, String> {
        self.optional(name)?.ok_or_else(|| self.missing(&format!("`{name}`")))
    }
}

/// A type of values, whose `Display` writes them as they are parsed.
pub(super) trait FromValue: Display + Sized {
    /// Completes the sentence "expected …".
    const EXPECTED: &'static str;
    fn from_value(text: &str) -> Option<Self>;
}

macro_rules! from_value {
    ($type:ty, $expected:expr, |$value:ident| $is_valid:expr) => {
        impl FromValue for $type {
            const EXPECTED: &'static str = $expected;
            fn from_value(text: &str) -> Option<Self> {
                text.parse().ok().filter(|$value: &Self| $is_valid)
            }
        }
    };
}

const DROP_OR_KEEP: &str = "`drop` or `keep`";

from_value!(u64, "a whole number", |_value| true);
// A probability.
from_value!(f64, "a number from 0 to 1", |value| (0.0..=1.0).contains(value));
from_value!(bool, "`true` or `false`", |_value| true);
from_value!(Duplicates, DROP_OR_KEEP, |_value| true);
from_value!(SelfLoops, DROP_OR_KEEP, |_value| true);

impl FromValue for WeightRange {
    const EXPECTED: &'static str =
        "a range from low to high, such as 1..1000, or 0.5..2.0 for floating-point weights";
    fn from_value(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}
