//! Copies to a GPU and back, compared with the original.

use equipoise::{
    Result,
    device::{Gpu, OpenDevice},
};

use super::{Check, Target};

/// Lengths of arrays in words: small ones, those where the method of copying changes, and several
/// pieces.
const LENGTHS: &[(&str, usize)] = &[
    ("one-word", 1),
    ("small", 1000),
    ("quarter-mebibyte", 1 << 16),
    ("one-word-more", (1 << 16) + 1),
    ("one-piece", 1 << 20),
    ("many-pieces", 10_000_019),
];

/// Arrays of all lengths, copied at once and made piece by piece; copied back whole and in part.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let OpenDevice::Gpu(gpu) = &target.device else { return Ok(()) };
    for subject in ["copied", "made"].into_iter().filter(|subject| target.wants(subject)) {
        for &(input, len) in LENGTHS {
            let verdict = match round_trip(gpu, subject == "made", len) {
                Ok(true) => Ok(()),
                Ok(false) => Err("other words came back than were sent".into()),
                Err(error) => Err(error.to_string()),
            };
            report(Check { subject, input, verdict });
        }
    }
    Ok(())
}

fn round_trip(gpu: &Gpu, is_made: bool, len: usize) -> Result<bool> {
    let word = |index: usize| (index as u32).wrapping_mul(0x9e37_79b9);
    let sent: Vec<u32> = (0..len).map(word).collect();
    let buffer = if is_made {
        gpu.upload_with(len, |start, piece: &mut [u32]| {
            piece.iter_mut().zip(start..).for_each(|(to, index)| *to = word(index));
        })?
    } else {
        gpu.upload(&sent)?
    };
    let part = len - len / 3;
    let (whole, first) = (gpu.download(&buffer)?, gpu.download_first(&buffer, part)?);
    Ok(whole == sent && first == sent[..part])
}
