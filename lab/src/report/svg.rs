//! What the pictures of documents share: colors, text and numbers.

use std::fmt::Write;

pub(super) const STYLE: &str = "\
svg{font-family:system-ui,-apple-system,\"Segoe UI\",Helvetica,Arial,sans-serif}
.card{fill:#fff;stroke:#d0d7de}.t{fill:#24292f;font-size:12px}.h{fill:#24292f;font-size:13px;font-weight:600}\
.a{fill:#57606a;font-size:11px}.v{fill:#24292f;font-size:10.5px}
.g{stroke:#d8dee4}.w{stroke:#57606a;stroke-width:1.5}\
.c0{fill:#0b7a75}.c1{fill:#6cc2bd}.c2{fill:#c9772c}.c3{fill:#8250df}.c4{fill:#57606a}
@media(prefers-color-scheme:dark){.card{fill:#161b22;stroke:#30363d}.t,.h,.v{fill:#e6edf3}.a{fill:#9ea7b3}\
.g{stroke:#30363d}.w{stroke:#9ea7b3}\
.c0{fill:#2bb5ad}.c1{fill:#1d6f6b}.c2{fill:#d98a45}.c3{fill:#a37ce8}.c4{fill:#9ea7b3}}";

pub(super) fn text(svg: &mut String, x: f64, y: f64, class: &str, anchor: &str, words: &str) {
    let words = escaped(words);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

pub(super) fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A number with two or three digits, without trailing zeros.
pub(super) fn rounded(number: f64) -> String {
    let digits = match number {
        number if number >= 100.0 => 0,
        number if number >= 1.0 => 1,
        number if number >= 0.1 => 2,
        _ => 3,
    };
    let text = format!("{number:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
