//! The rule by which the hybrid strategy switches from degrees to random numbers.

use std::{fmt, str::FromStr, sync::Arc};

use equipoise_select::Model;

use super::{ColorDegrees, learned_switch::ColorSwitchModel};
use crate::Error;

/// The progress after an iteration by degree.
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
    /// The number of iterations so far.
    pub iterations: u32,
    /// The vertices colored in the last iteration.
    pub newly: u64,
    /// The vertices colored in all iterations.
    pub colored: u64,
    /// The vertices of the graph.
    pub vertices: u64,
    /// The number of vertices that the device processes at the same time.
    pub units: u64,
    /// The distribution of degrees.
    pub degrees: ColorDegrees,
}

/// The rule by which the hybrid strategy switches from degrees to random numbers. Whatever the rule, it switches when an
/// iteration by degree colors no vertex.
///
/// ```
/// use equipoise::color::{ColorDegrees, ColorProgress, ColorSwitch};
///
/// assert_eq!("after=4".parse::<ColorSwitch>()?.to_string(), "after=4");
/// // A custom rule: when the last iteration colored less than a tenth of the uncolored vertices.
/// let rule = ColorSwitch::when(|p: &ColorProgress| p.newly < (p.vertices - p.colored) / 10);
/// let (vertices, units, degrees) = (99, 8, ColorDegrees::default());
/// let progress = ColorProgress { iterations: 1, newly: 1, colored: 1, vertices, units, degrees };
/// assert!(rule.switches(&progress));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum ColorSwitch {
    /// When an iteration colors no vertex, as in the paper.
    Stall,
    /// After this number of iterations.
    After(u32),
    /// When an iteration colors fewer vertices than this.
    Below(u64),
    /// When an iteration colors fewer vertices than the device processes at the same time.
    BelowDevice,
    /// When this share of all vertices is colored, from 0 to 1.
    Colored(f64),
    /// When a learned policy decides to, also before the first iteration.
    Learned(ColorSwitchModel),
    /// When a function returns true.
    When(ColorSwitchRule),
}

/// A function that decides when to switch, created by [`ColorSwitch::when`].
#[derive(Clone)]
pub struct ColorSwitchRule(Arc<dyn Fn(&ColorProgress) -> bool + Send + Sync>);

impl ColorSwitch {
    /// Switches when `rule` returns true after an iteration.
    pub fn when(rule: impl Fn(&ColorProgress) -> bool + Send + Sync + 'static) -> Self {
        ColorSwitch::When(ColorSwitchRule(Arc::new(rule)))
    }

    /// Switches when a model for `color-switch` decides to.
    ///
    /// Fails if the model is for another purpose, or has other features or candidates.
    ///
    /// ```
    /// use equipoise::{color::ColorSwitch, explain::Explainable};
    ///
    /// let error = ColorSwitch::learned(&Explainable::Color.embedded_model(true)?).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `color`, not for `color-switch`");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn learned(model: &Model) -> Result<Self, Error> {
        ColorSwitchModel::new(model).map(ColorSwitch::Learned)
    }

    /// Fails if a custom model is for another kind of device.
    pub(super) fn check_device(&self, device: &str) -> Result<(), Error> {
        match self {
            ColorSwitch::Learned(model) => model.check_device(device),
            _ => Ok(()),
        }
    }

    /// Whether the next iteration is by random numbers.
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

    /// Whether the first iteration is by random numbers.
    pub(super) fn at_once(&self, start: &ColorProgress) -> bool {
        match self {
            ColorSwitch::After(iterations) => *iterations == 0,
            ColorSwitch::Learned(model) => model.switches(start),
            _ => false,
        }
    }
}

/// The built-in learned policy, or else `stall`.
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

impl fmt::Debug for ColorSwitchRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ColorSwitchRule")
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
    fn rules_round_trip_through_strings() {
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
    fn each_rule_compares_its_number() {
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
        for rule in ["stall", "after=9", "colored=1"] {
            assert!(rule.parse::<ColorSwitch>().unwrap().switches(&stalled));
        }
    }
}
