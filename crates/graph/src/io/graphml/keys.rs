//! What a file declares of the attributes of its edges.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::xml::{Element, Xml};
use crate::io::{error::ParseError, listed::WeightName, weights::WeightType};

/// An attribute that is declared.
pub(super) struct Key<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    kind: Option<Cow<'a, str>>,
    is_of_edges: bool,
    /// Where the value lies that an edge has that tells none.
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

    /// Whether it is only for whole numbers; `None` where it does not say.
    fn is_whole(&self) -> Result<Option<bool>, ParseError> {
        match self.kind.as_deref() {
            None => Ok(None),
            Some("int" | "long") => Ok(Some(true)),
            Some("float" | "double") => Ok(Some(false)),
            Some(other) => Err(ParseError::At {
                byte: self.at,
                message: format!(
                    "expected weights of type int, long, float or double, found that `{}` is of type \
                     {other:?}",
                    self.name
                ),
            }),
        }
    }
}

/// The weights of edges, as they are declared.
pub(super) struct WeightKeys<'a> {
    /// Whether those of each id are whole numbers. There are several where some edges have whole
    /// numbers and others not.
    whole: HashMap<Cow<'a, str>, bool>,
    pub default: Option<Range<usize>>,
    pub kind: WeightType,
}

impl<'a> WeightKeys<'a> {
    /// Finds the attribute that is the weight. Fails where it was asked for and is not there.
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
        if whole.is_empty() && weight.is_asked {
            let known: Vec<String> = of_edges().map(|key| format!("`{}`", key.name)).collect();
            return Err(ParseError::Whole(match known.is_empty() {
                true => format!("edges have no attribute `{}`, and no other", weight.name),
                false => {
                    format!(
                        "edges have no attribute `{}`; they have {}",
                        weight.name,
                        known.join(", ")
                    )
                }
            }));
        }
        let kind = if has_real && !has_whole { WeightType::F32 } else { WeightType::Any };
        Ok((!whole.is_empty()).then_some(Self { whole, default, kind }))
    }

    /// Whether a weight under this id is a whole number, if it is a weight.
    pub fn is_whole(&self, id: &str) -> Option<bool> {
        self.whole.get(id).copied()
    }
}
