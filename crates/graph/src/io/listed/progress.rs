//! Progress of readers that go through a file from start to end.

use crate::io::options::Progress;

/// The interval between reports, in bytes.
const STEP: usize = 1 << 20;

/// Reports how far a file was read, and on drop that it is finished.
pub(in crate::io) struct SequentialProgress<'p> {
    progress: Option<&'p dyn Progress>,
    length: usize,
    reported: usize,
}

impl<'p> SequentialProgress<'p> {
    pub fn new(progress: Option<&'p dyn Progress>, length: usize) -> Self {
        if let Some(progress) = progress {
            progress.start("parsing", length as u64);
        }
        Self { progress, length, reported: 0 }
    }

    /// Reports that the reader reached byte `position`.
    pub fn reached(&mut self, position: usize) {
        if position >= self.reported + STEP {
            self.report(position);
        }
    }

    fn report(&mut self, position: usize) {
        if let Some(progress) = self.progress {
            progress.advance(position.saturating_sub(self.reported) as u64);
        }
        self.reported = position;
    }
}

impl Drop for SequentialProgress<'_> {
    fn drop(&mut self) {
        self.report(self.length);
        if let Some(progress) = self.progress {
            progress.finish();
        }
    }
}
