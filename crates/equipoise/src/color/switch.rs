//! When the hybrid strategy goes over from degrees to random numbers.

use std::{fmt, str::FromStr, sync::Arc};

use equipoise_select::Model;

use super::{ColorDegrees, learned_switch::ColorSwitchModel};
use crate::Result as OwnResult;

/// What is known after an iteration by degree.
///
/// ```
/// use equipoise::color::{ColorDegrees, ColorProgress};
///
/// let degrees = ColorDegrees { max: 3, mean: 1.5, deviation: 0.5 };
/// let (vertices, units) = (9, 64);
/// let progress = ColorProgress { iterations: 1, newly: 5, colored: 5, vertices, units, degrees };
/// assert!(progress.newly < progress.units);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorProgress {
    /// How many iterations there have been.
    pub iterations: u32,
    /// The vertices colored in the last one.
    pub newly: u64,
    /// The vertices colored in all of them.
    pub colored: u64,
    /// The vertices there are.
    pub vertices: u64,
    /// How many vertices the device works on at the same time.
    pub units: u64,
    /// How many neighbours vertices have.
    pub degrees: ColorDegrees,
}

/// A rule of the user's own: whether to go over.
type Rule = Arc<dyn Fn(&ColorProgress) -> bool + Send + Sync>;

/// When the hybrid strategy goes over from degrees to random numbers. Whatever the rule, it does
/// where an iteration by degree colors no vertex.
///
/// ```
/// use equipoise::color::{ColorDegrees, ColorProgress, ColorSwitch};
///
/// assert_eq!("after=4".parse::<ColorSwitch>()?.to_string(), "after=4");
/// // A rule of one's own: when the last iteration colored less than a tenth of what was left.
/// let own = ColorSwitch::when(|p: &ColorProgress| p.newly < (p.vertices - p.colored) / 10);
/// let (vertices, units, degrees) = (99, 8, ColorDegrees::default());
/// let progress = ColorProgress { iterations: 1, newly: 1, colored: 1, vertices, units, degrees };
/// assert!(own.switches(&progress));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum ColorSwitch {
    /// When an iteration colors no vertex, as in the paper.
    Stall,
    /// After so many iterations.
    After(u32),
    /// When an iteration colors fewer vertices than this.
    Below(u64),
    /// When an iteration colors fewer vertices than the device works on at the same time.
    BelowDevice,
    /// When this share of all vertices is colored, from 0 to 1.
    Colored(f64),
    /// When a learned policy says so, which is asked before the first iteration, too.
    Learned(ColorSwitchModel),
    /// When a function says so.
    When(ColorRule),
}

/// A function that says when to go over; made by [`ColorSwitch::when`].
#[derive(Clone)]
pub struct ColorRule(Rule);

impl ColorSwitch {
    /// When a function says so, which is asked after each iteration.
    pub fn when(rule: impl Fn(&ColorProgress) -> bool + Send + Sync + 'static) -> Self {
        ColorSwitch::When(ColorRule(Arc::new(rule)))
    }

    /// When a model for `color-switch` says so.
    ///
    /// Fails where the model is for something else, or has other features or candidates.
    ///
    /// ```
    /// # use equipoise::{color::ColorSwitch, select::{Description, Leaf, Model, Node}};
    /// # let description = Description {
    /// #     algorithm: "color".into(),
    /// #     device: "gpu".into(),
    /// #     features: vec!["vertices".into()],
    /// #     candidates: vec!["greedy".into()],
    /// #     first: "greedy".into(),
    /// #     ..Description::default()
    /// # };
    /// # let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 9, ranking: vec![0] };
    /// # let of_color = Model::new(description, vec![Node::Leaf(leaf)]).unwrap();
    /// let error = ColorSwitch::learned(&of_color).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `color`, not for `color-switch`");
    /// ```
    pub fn learned(model: &Model) -> OwnResult<Self> {
        ColorSwitchModel::new(model).map(ColorSwitch::Learned)
    }

    /// Fails where a model that was given is for another kind of device.
    pub(super) fn check_device(&self, device: &str) -> OwnResult<()> {
        match self {
            ColorSwitch::Learned(model) => model.check_device(device),
            _ => Ok(()),
        }
    }

    /// Whether the next iteration goes by random numbers.
    pub fn switches(&self, progress: &ColorProgress) -> bool {
        let rule = match self {
            ColorSwitch::Stall => false,
            ColorSwitch::After(iterations) => progress.iterations >= *iterations,
            ColorSwitch::Below(vertices) => progress.newly < *vertices,
            ColorSwitch::BelowDevice => progress.newly < progress.units,
            ColorSwitch::Colored(share) => {
                progress.colored as f64 >= share * progress.vertices as f64
            }
            ColorSwitch::Learned(model) => model.switches(progress),
            ColorSwitch::When(rule) => rule.0(progress),
        };
        rule || progress.newly == 0
    }

    /// Whether there is no iteration by degree at all.
    pub(super) fn at_once(&self, start: &ColorProgress) -> bool {
        match self {
            ColorSwitch::After(iterations) => *iterations == 0,
            ColorSwitch::Learned(model) => model.switches(start),
            _ => false,
        }
    }
}

/// The learned policy that comes with the program; without one, `stall`.
impl Default for ColorSwitch {
    fn default() -> Self {
        ColorSwitchModel::embedded().map_or(ColorSwitch::Stall, ColorSwitch::Learned)
    }
}

impl fmt::Display for ColorSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColorSwitch::Stall => f.write_str("stall"),
            ColorSwitch::After(iterations) => write!(f, "after={iterations}"),
            ColorSwitch::Below(vertices) => write!(f, "below={vertices}"),
            ColorSwitch::BelowDevice => f.write_str("below=device"),
            ColorSwitch::Colored(share) => write!(f, "colored={share}"),
            ColorSwitch::Learned(_) => f.write_str("learned"),
            ColorSwitch::When(_) => f.write_str("a function"),
        }
    }
}

impl fmt::Debug for ColorSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ColorSwitch({self})")
    }
}

impl fmt::Debug for ColorRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ColorRule")
    }
}

impl FromStr for ColorSwitch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "learned" {
            let model = ColorSwitchModel::embedded().map(ColorSwitch::Learned);
            return model.ok_or_else(|| {
                "no model comes with this program that says when to go over: give one".into()
            });
        }
        let (rule, value) = text.split_once('=').unwrap_or((text, ""));
        let known = match rule {
            "stall" if value.is_empty() => Some(ColorSwitch::Stall),
            "after" => value.parse().ok().map(ColorSwitch::After),
            "below" if value == "device" => Some(ColorSwitch::BelowDevice),
            "below" => value.parse().ok().map(ColorSwitch::Below),
            "colored" => {
                let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                share.map(ColorSwitch::Colored)
            }
            _ => None,
        };
        known.ok_or_else(|| {
            format!(
                "`{text}` is no rule: expected `learned`, `stall`, `after=ITERATIONS`, \
                 `below=VERTICES`, `below=device` or `colored=SHARE` with a share from 0 to 1"
            )
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ColorSwitch {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ColorSwitch {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_back_as_they_are_written() {
        for rule in ["stall", "after=0", "after=12", "below=100", "below=device", "colored=0.25"] {
            assert_eq!(rule.parse::<ColorSwitch>().unwrap().to_string(), rule);
        }
        for wrong in ["", "stall=1", "after", "after=-1", "below=few", "colored=1.5", "colored=NaN"]
        {
            let message = wrong.parse::<ColorSwitch>().unwrap_err();
            assert!(message.contains("`stall`"), "{wrong}: {message}");
        }
    }

    #[test]
    fn each_rule_looks_at_its_own_number() {
        let progress = ColorProgress {
            iterations: 3,
            newly: 10,
            colored: 60,
            vertices: 100,
            units: 8,
            degrees: ColorDegrees::default(),
        };
        let switches = |rule: &str| rule.parse::<ColorSwitch>().unwrap().switches(&progress);
        assert!(!switches("stall") && !switches("below=10") && !switches("below=device"));
        assert!(switches("after=3") && !switches("after=4") && switches("below=11"));
        assert!(switches("colored=0.6") && !switches("colored=0.61"));
        let stalled = ColorProgress { newly: 0, ..progress };
        assert!(
            ["stall", "after=9", "colored=1"]
                .iter()
                .all(|rule| rule.parse::<ColorSwitch>().unwrap().switches(&stalled))
        );
    }
}
