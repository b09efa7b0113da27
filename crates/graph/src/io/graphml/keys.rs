//! Declarations of edge attributes.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::xml::{Element, Xml};
use crate::{
    WeightType,
    io::{error::ParseError, listed::WeightName},
};

pub(super) struct Key<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    kind: Option<Cow<'a, str>>,
    is_of_edges: bool,
    /// The position of the default value, for edges without a value.
    default: Option<Range<usize>>,
    at: usize,
}

impl<'a> Key<'a> {
    /// Reads a declaration to its end.
    pub fn read(xml: &mut Xml<'a>, element: &Element<'a>) -> Result<Self, ParseError> {
        let [id, whose, name, kind] =
            element.attributes(["id", "for", "attr.name", "attr.type"])?;
        let id = id.ok_or_else(|| element.lacks("id"))?;
        let mut default = None;
        while let Some(child) = xml.child()? {
            let content = xml.content()?;
            if child.name == "default" {
                default = Some(content);
            }
        }
        Ok(Self {
            name: name.unwrap_or_else(|| id.clone()),
            is_of_edges: whose.is_none_or(|whose| matches!(&*whose, "edge" | "all")),
            id,
            kind,
            default,
            at: element.at,
        })
    }

    /// Whether it has an integer type; `None` if the type is not stated.
    fn is_whole(&self) -> Result<Option<bool>, ParseError> {
        match self.kind.as_deref() {
            None => Ok(None),
            Some("int" | "long") => Ok(Some(true)),
            Some("float" | "double") => Ok(Some(false)),
            Some(other) => {
                let message = format!(
                    "expected weights of type int, long, float or double, found that `{}` is of type \
                     {other:?}",
                    self.name
                );
                Err(ParseError::at_byte(self.at, message))
            }
        }
    }
}

/// Whether an attribute of edges is declared under this id.
pub(super) fn has_id(keys: &[Key], id: &str) -> bool {
    keys.iter().any(|key| key.is_of_edges && key.id == id)
}

pub(super) struct WeightKeys<'a> {
    /// Whether the weights under each id are whole numbers. There are several ids if some edges
    /// have integer weights and others do not.
    whole: HashMap<Cow<'a, str>, bool>,
    pub default: Option<Range<usize>>,
    pub kind: WeightType,
}

impl<'a> WeightKeys<'a> {
    /// Finds the weight attribute. Fails if it was requested and does not exist.
    pub fn find(keys: &[Key<'a>], weight: WeightName) -> Result<Option<Self>, ParseError> {
        let of_edges = || keys.iter().filter(|key| key.is_of_edges);
        let mut whole = HashMap::new();
        let mut default = None;
        let (mut has_whole, mut has_real) = (false, false);
        for key in of_edges().filter(|key| key.name == weight.name) {
            let is_whole = key.is_whole()?;
            has_whole |= is_whole != Some(false);
            has_real |= is_whole == Some(false);
            whole.insert(key.id.clone(), is_whole == Some(true));
            default = default.or(key.default.clone());
        }
        if whole.is_empty() && weight.is_requested {
            let known: Vec<String> = of_edges().map(|key| format!("`{}`", key.name)).collect();
            return Err(ParseError::Whole(if known.is_empty() {
                format!("edges have no attribute `{}`, and no other", weight.name)
            } else {
                format!("edges have no attribute `{}`; they have {}", weight.name, known.join(", "))
            }));
        }
        let kind = if has_real && !has_whole { WeightType::F64 } else { WeightType::Auto };
        Ok((!whole.is_empty()).then_some(Self { whole, default, kind }))
    }

    /// The same, for weights of a requested type.
    pub fn wanted_as(self, kind: WeightType) -> Self {
        Self { kind: kind.or(self.kind), ..self }
    }

    /// Whether a weight under this id is a whole number; `None` if it is not a weight.
    pub fn is_whole(&self, id: &str) -> Option<bool> {
        self.whole.get(id).copied()
    }
}
