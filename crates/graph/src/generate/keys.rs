//! The `key=value` part of a spec, read by a generator's table of keys.

use super::WeightRange;
use crate::nearest::unknown;
use crate::{Duplicates, SelfLoops};

/// A key of a generator.
pub(super) struct Key {
    pub name: &'static str,
    pub presence: Presence,
    /// What it is for, in a few words.
    pub help: &'static str,
}

/// Whether a key must be given.
pub(super) enum Presence {
    Required,
    Optional,
    /// This is its value where it is not given.
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

    /// Whether the key may be left out for this value.
    pub(super) fn is_default(&self, value: &str) -> bool {
        matches!(self.presence, Presence::Default(default) if default == value)
    }
}

/// The keys that a spec can give.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// What the spec begins with.
    pub name: &'static str,
    pub example: &'static str,
    /// Those of this generator, and those of all of its kind.
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

/// The values that a spec gives to the keys of its generator.
pub(super) struct Values<'a> {
    pub table: Table,
    given: Vec<(&'static Key, &'a str)>,
}

impl<'a> Values<'a> {
    /// Reads `key=value,key=value,…`. Fails where a key is not known, comes twice or is missing.
    pub(super) fn read(table: Table, text: &'a str) -> Result<Self, String> {
        let mut values = Self { table, given: Vec::new() };
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
            if values.given(name).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
            values.given.push((key, value));
        }
        let missing: Vec<String> = table
            .all()
            .filter(|key| matches!(key.presence, Presence::Required))
            .filter(|key| values.given(key.name).is_none())
            .map(|key| format!("`{}`", key.name))
            .collect();
        match missing.is_empty() {
            true => Ok(values),
            false => Err(values.missing(&missing.join(" and "))),
        }
    }

    fn given(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find(|(key, _)| key.name == name).map(|&(_, value)| value)
    }

    /// What to say where `what` should be given.
    pub(super) fn missing(&self, what: &str) -> String {
        let Table { name, example, .. } = self.table;
        format!("{name} needs {what}, as in `{example}`")
    }

    /// The value of a key, or its default; `None` where it has neither.
    pub(super) fn optional<T: FromValue>(&self, name: &str) -> Result<Option<T>, String> {
        let default = || match self.table.key(name)?.presence {
            Presence::Default(value) => Some(value),
            Presence::Required | Presence::Optional => None,
        };
        let Some(text) = self.given(name).or_else(default) else { return Ok(None) };
        let wrong = || format!("{name}={text}: expected {}", T::EXPECTED);
        T::from_value(text).map(Some).ok_or_else(wrong)
    }

    /// The value of a key that is required or has a default.
    pub(super) fn get<T: FromValue>(&self, name: &str) -> Result<T, String> {
        self.optional(name)?.ok_or_else(|| self.missing(&format!("`{name}`")))
    }
}

/// What a key's value can be.
pub(super) trait FromValue: Sized {
    /// Completes "expected …".
    const EXPECTED: &'static str;
    fn from_value(text: &str) -> Option<Self>;
}

impl FromValue for u64 {
    const EXPECTED: &'static str = "a whole number";
    fn from_value(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A probability.
impl FromValue for f64 {
    const EXPECTED: &'static str = "a number from 0 to 1";
    fn from_value(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number| (0.0..=1.0).contains(number))
    }
}

impl FromValue for bool {
    const EXPECTED: &'static str = "`true` or `false`";
    fn from_value(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl FromValue for Duplicates {
    const EXPECTED: &'static str = "`drop` or `keep`";
    fn from_value(text: &str) -> Option<Self> {
        match text {
            "drop" => Some(Self::Drop),
            "keep" => Some(Self::Keep),
            _ => None,
        }
    }
}

impl FromValue for SelfLoops {
    const EXPECTED: &'static str = Duplicates::EXPECTED;
    fn from_value(text: &str) -> Option<Self> {
        match text {
            "drop" => Some(Self::Drop),
            "keep" => Some(Self::Keep),
            _ => None,
        }
    }
}

impl FromValue for WeightRange {
    const EXPECTED: &'static str =
        "a range from low to high, such as 1..1000, or 0.5..2.0 for floating-point weights";
    fn from_value(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}
