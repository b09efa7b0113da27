//! The names of devices.

use std::{fmt, str::FromStr};

use equipoise_graph::UnknownName;

/// A device, by the name that `--device` takes.
///
/// ```
/// use equipoise_schedule::device::Device;
///
/// assert_eq!("cuda:1".parse(), Ok(Device::Cuda(1)));
/// assert_eq!("wgpu".parse(), Ok(Device::Wgpu(0)));
/// assert_eq!(Device::Cuda(1).to_string(), "cuda:1");
/// assert_eq!(
///     "gpu".parse::<Device>().unwrap_err().to_string(),
///     "unknown device `gpu`; known are: `auto`, `cpu`, `cuda[:n]`, `wgpu[:n]`"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Device {
    /// The best device: CUDA, else a hardware GPU through wgpu, else the cpu.
    #[default]
    Auto,
    /// All cores of this machine's processor.
    Cpu,
    /// The NVIDIA GPU of this number, through CUDA.
    Cuda(u32),
    /// The GPU of this number, through Vulkan, Metal or DirectX 12; software comes last.
    Wgpu(u32),
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::Cpu => f.pad("cpu"),
            Self::Cuda(0) => f.pad("cuda"),
            Self::Wgpu(0) => f.pad("wgpu"),
            Self::Cuda(number) => f.pad(&format!("cuda:{number}")),
            Self::Wgpu(number) => f.pad(&format!("wgpu:{number}")),
        }
    }
}

impl FromStr for Device {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let (kind, number) = match name.split_once(':') {
            None => (name, Some(0)),
            Some((kind, number)) => (kind, whole(number)),
        };
        match (kind, number) {
            ("auto", Some(0)) if kind == name => Ok(Self::Auto),
            ("cpu", Some(0)) if kind == name => Ok(Self::Cpu),
            ("cuda", Some(number)) => Ok(Self::Cuda(number)),
            ("wgpu", Some(number)) => Ok(Self::Wgpu(number)),
            _ => Err(UnknownName {
                what: "device",
                name: name.to_owned(),
                known: &["auto", "cpu", "cuda[:n]", "wgpu[:n]"],
            }),
        }
    }
}

/// Parses a number of digits only: no sign.
fn whole(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(feature = "serde")]
impl serde::Serialize for Device {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Device {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "clap")]
impl clap::builder::ValueParserFactory for Device {
    type Parser = NameParser;

    fn value_parser() -> NameParser {
        NameParser
    }
}

/// Parses a device's name on the command line, and lists the names for help and completions.
#[cfg(feature = "clap")]
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct NameParser;

#[cfg(feature = "clap")]
impl clap::builder::TypedValueParser for NameParser {
    type Value = Device;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Device, clap::Error> {
        clap::builder::StringValueParser::new()
            .try_map(|name| name.parse::<Device>())
            .parse_ref(command, argument, value)
    }

    fn possible_values(
        &self,
    ) -> Option<Box<dyn Iterator<Item = clap::builder::PossibleValue> + '_>> {
        let names = ["auto", "cpu", "cuda", "wgpu"];
        Some(Box::new(names.into_iter().map(clap::builder::PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::Device;

    #[test]
    fn names_parse_to_devices_that_print_them() {
        for name in ["auto", "cpu", "cuda", "cuda:7", "wgpu", "wgpu:4294967295"] {
            assert_eq!(name.parse::<Device>().unwrap().to_string(), name);
        }
        assert_eq!("cuda:0".parse(), Ok(Device::Cuda(0)));
    }

    #[test]
    fn other_names_are_refused_with_the_known_ones() {
        let bad = ["", "gpu", "CPU", "cpu:0", "auto:1", "cuda:", "cuda:-1", "cuda:+1", "wgpu:x"];
        for name in bad.into_iter().chain(["wgpu:4294967296", "cuda:1:2", "vulkan"]) {
            let error = name.parse::<Device>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown device `{name}`; known are: `auto`")));
        }
    }
}
