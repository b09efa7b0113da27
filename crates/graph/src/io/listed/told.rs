//! How far a file was read that is read from its start to its end.

use crate::io::Progress;

/// How often it is told, in bytes.
const STEP: usize = 1 << 20;

/// Tells who wants to hear it how far a file was read, and at last that it was.
pub(in crate::io) struct Told<'p> {
    progress: Option<&'p dyn Progress>,
    length: usize,
    told: usize,
}

impl<'p> Told<'p> {
    /// Starts with a text of so many bytes.
    pub fn new(progress: Option<&'p dyn Progress>, length: usize) -> Self {
        if let Some(progress) = progress {
            progress.start("parsing", length as u64);
        }
        Self { progress, length, told: 0 }
    }

    /// The reader has come to a place.
    pub fn at(&mut self, place: usize) {
        if place >= self.told + STEP {
            self.tell(place);
        }
    }

    fn tell(&mut self, place: usize) {
        if let Some(progress) = self.progress {
            progress.advance(place.saturating_sub(self.told) as u64);
        }
        self.told = place;
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.tell(self.length);
        if let Some(progress) = self.progress {
            progress.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::io::{Format, ReadOptions, parse_graph};

    #[derive(Default)]
    struct Heard {
        steps: AtomicU64,
        bytes: AtomicU64,
        finished: AtomicU64,
    }

    impl Progress for Heard {
        fn start(&self, _what: &str, _total: u64) {}

        fn advance(&self, bytes: u64) {
            self.steps.fetch_add(1, Relaxed);
            self.bytes.fetch_add(bytes, Relaxed);
        }

        fn finish(&self) {
            self.finished.fetch_add(1, Relaxed);
        }
    }

    #[test]
    fn all_bytes_are_told_once_also_of_a_file_that_is_refused() {
        let nodes = |node: fn(u32) -> String| (0..90_000).map(node).collect::<String>();
        let gml = format!("graph [\n{}]\n", nodes(|id| format!("  node [\n    id {id}\n  ]\n")));
        let graphml = format!(
            "<graphml><graph edgedefault=\"directed\">\n{}</graph></graphml>",
            nodes(|id| format!("  <node id=\"{id}\"></node>\n"))
        );
        for (format, text) in [(Format::Gml, gml), (Format::GraphMl, graphml)] {
            for length in [text.len(), text.len() - 20] {
                let heard = Heard::default();
                let options = ReadOptions { progress: Some(&heard), ..Default::default() };
                let read = parse_graph(&text.as_bytes()[..length], format, &options);
                assert_eq!(read.is_ok(), length == text.len(), "{format}");
                let counts = [heard.steps, heard.bytes, heard.finished].map(AtomicU64::into_inner);
                assert!(counts[0] >= 3, "{format}: {counts:?}");
                assert_eq!(counts[1..], [length as u64, 1], "{format}");
            }
        }
    }
}
