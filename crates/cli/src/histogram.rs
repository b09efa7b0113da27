//! Text histograms.

use equipoise::graph::stats::Bin;

use crate::numbers;

/// The longest bar, in characters.
const WIDTH: u64 = 40;
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// One line per bin: the degrees, a bar, and the number of vertices.
pub fn draw(bins: &[Bin]) -> String {
    let labels: Vec<String> = bins.iter().map(label).collect();
    let label_width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let most = bins.iter().map(|bin| bin.vertices).max().unwrap_or(0);
    let lines = bins.iter().zip(&labels).map(|(bin, label)| {
        let count = numbers::count(bin.vertices);
        format!(" {label:>label_width$} │{} {count}", bar(bin.vertices, most))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn label(bin: &Bin) -> String {
    if bin.from == bin.to { bin.from.to_string() } else { format!("{}–{}", bin.from, bin.to) }
}

/// A bar of length proportional to `part` of `most`; non-zero values get at least one cell.
fn bar(part: u64, most: u64) -> String {
    if part == 0 {
        return String::new();
    }
    let eighths = (u128::from(part) * u128::from(WIDTH) * 8).div_ceil(u128::from(most)) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_fills_the_width_and_the_shortest_is_seen() {
        assert_eq!(bar(7, 7).chars().count() as u64, WIDTH);
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(0, 7), "");
        assert_eq!(bar(u64::MAX, u64::MAX).chars().count() as u64, WIDTH);
    }

    #[test]
    fn labels_are_aligned() {
        let bins = [Bin { from: 1, to: 1, vertices: 4 }, Bin { from: 2, to: 3, vertices: 0 }];
        assert_eq!(draw(&bins), format!("   1 │{} 4\n 2–3 │ 0", "█".repeat(WIDTH as usize)));
        assert_eq!(draw(&[]), "");
    }
}
