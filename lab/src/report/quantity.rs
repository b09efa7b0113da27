//! Quantities, and the units in which they are displayed.

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    Seconds,
    Bytes,
    /// A ratio.
    Ratio,
    /// A count of what the title names.
    Count,
}

/// A unit of display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    /// The symbol; empty for a plain number.
    pub name: &'static str,
    /// The factor from the base unit.
    pub factor: f64,
}

const SECONDS: [Unit; 3] = [
    Unit { name: "s", factor: 1.0 },
    Unit { name: "ms", factor: 1e3 },
    Unit { name: "µs", factor: 1e6 },
];

const BYTES: [Unit; 4] = [
    Unit { name: "GiB", factor: 1.0 / (1u64 << 30) as f64 },
    Unit { name: "MiB", factor: 1.0 / (1u64 << 20) as f64 },
    Unit { name: "KiB", factor: 1.0 / (1u64 << 10) as f64 },
    Unit { name: "bytes", factor: 1.0 },
];

impl Quantity {
    /// The base unit, used in files.
    pub fn base(self) -> Unit {
        match self {
            Self::Seconds => SECONDS[0],
            Self::Bytes => BYTES[3],
            Self::Ratio => Unit { name: "×", factor: 1.0 },
            Self::Count => Unit { name: "", factor: 1.0 },
        }
    }

    /// The largest unit in which a typical number is at least 1.
    pub fn unit_for(self, typical: f64) -> Unit {
        let units: &[Unit] = match self {
            Self::Seconds => &SECONDS,
            Self::Bytes => &BYTES,
            Self::Ratio | Self::Count => return self.base(),
        };
        let fits = |unit: &&Unit| typical * unit.factor >= 1.0;
        units.iter().find(fits).or(units.last()).copied().unwrap_or(self.base())
    }
}

/// A title with its unit, for axes and tables.
pub(crate) fn titled(title: &str, unit: Unit) -> String {
    match unit.name {
        "" => title.into(),
        name => format!("{title} ({name})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_fit_the_numbers() {
        let names = [2.0, 1.0, 0.9, 1e-3, 9e-4, 0.0].map(|s| Quantity::Seconds.unit_for(s).name);
        assert_eq!(names, ["s", "s", "ms", "ms", "µs", "µs"]);
        assert_eq!(Quantity::Bytes.unit_for(3e6).name, "MiB");
        assert_eq!(Quantity::Bytes.unit_for(0.0).name, "bytes");
        assert_eq!(titled("time", Quantity::Seconds.unit_for(0.5)), "time (ms)");
        assert_eq!(titled("vertices", Quantity::Count.unit_for(5e9)), "vertices");
    }
}
