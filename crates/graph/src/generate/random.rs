//! Random numbers that do not depend on the threads: each block of edges has its generator, seeded
//! by the graph's seed and the block's number.

use std::ops::Range;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{cancel::Cancel, parallel::*};

/// The generator of one block.
pub(super) type Random = Xoshiro256PlusPlus;

/// The number of edges per block. Changing it changes the graph of every seed.
pub(super) const BLOCK: usize = 1 << 14;

/// The purpose of random numbers. Streams are independent, so that weights do not affect edges.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    Edges,
    Labels,
    Weights,
}

/// The generator of block `block` of `stream`.
pub(super) fn random(seed: u64, stream: Stream, block: u64) -> Random {
    let of_stream = mix(mix(seed).wrapping_add(stream as u64));
    Random::seed_from_u64(mix(of_stream.wrapping_add(block)))
}

/// A number below `limit` from 64 random bits. The probabilities of two numbers differ by a factor
/// of at most 1 + `limit / 2⁶⁴`.
pub(super) fn below(limit: u64, bits: u64) -> u64 {
    ((u128::from(bits) * u128::from(limit)) >> 64) as u64
}

pub(super) type Ends = (Vec<u32>, Vec<u32>);

/// The ends of the edges `numbers`, which start at a block boundary; `edge(random, i)` makes edge
/// `i`.
pub(super) fn edges(
    numbers: Range<u64>,
    seed: u64,
    edge: impl Fn(&mut Random, u64) -> (u32, u32) + Sync,
) -> Ends {
    let count = (numbers.end - numbers.start) as usize;
    let first_block = numbers.start / BLOCK as u64;
    let (mut sources, mut targets) = (vec![0; count], vec![0; count]);
    let cancel = Cancel::current();
    sources.par_chunks_mut(BLOCK).zip(targets.par_chunks_mut(BLOCK)).enumerate().for_each(
        |(block, (sources, targets))| {
            cancel.poll();
            let block = first_block + block as u64;
            let mut random = random(seed, Stream::Edges, block);
            let numbers = block * BLOCK as u64..;
            for ((number, source), target) in numbers.zip(sources).zip(targets) {
                (*source, *target) = edge(&mut random, number);
            }
        },
    );
    (sources, targets)
}

/// The edges that `edges_of(block)` yields for each of `blocks`, in order. `edges_of` must be
/// deterministic: a first pass counts the edges, so that allocations have the exact size.
pub(super) fn edges_by_block<I>(blocks: Range<u64>, edges_of: impl Fn(u64) -> I + Sync) -> Ends
where
    I: Iterator<Item = (u32, u32)>,
{
    let counts: Vec<usize> =
        blocks.clone().into_par_iter().map(|block| edges_of(block).count()).collect();
    let count = counts.iter().sum();
    let (mut sources, mut targets) = (vec![0; count], vec![0; count]);
    let (mut sources_left, mut targets_left) = (&mut sources[..], &mut targets[..]);
    let blocks_of_edges: Vec<(&mut [u32], &mut [u32])> = counts
        .iter()
        .map(|&count| {
            let sources = sources_left.split_off_mut(..count).unwrap_or_default();
            (sources, targets_left.split_off_mut(..count).unwrap_or_default())
        })
        .collect();
    let cancel = Cancel::current();
    blocks_of_edges.into_par_iter().enumerate().for_each(|(block, (sources, targets))| {
        cancel.poll();
        let slots = sources.iter_mut().zip(targets);
        for ((source, target), edge) in slots.zip(edges_of(blocks.start + block as u64)) {
            (*source, *target) = edge;
        }
    });
    (sources, targets)
}

/// Draws the numbers `numbers` of a stream; the result does not depend on the threads.
pub(super) fn draw_all<T: Copy + Default + Send>(
    numbers: Range<u64>,
    seed: u64,
    stream: Stream,
    draw: impl Fn(&mut Random) -> T + Sync,
) -> Vec<T> {
    let mut drawn = vec![T::default(); (numbers.end - numbers.start) as usize];
    let (block, skipped) = (numbers.start / BLOCK as u64, (numbers.start % BLOCK as u64) as usize);
    let in_first = drawn.len().min(BLOCK - skipped);
    let (first, others) = drawn.split_at_mut(in_first);
    // `numbers` need not start at a block boundary.
    let mut random_of_first = random(seed, stream, block);
    (0..skipped).for_each(|_| {
        draw(&mut random_of_first);
    });
    first.fill_with(|| draw(&mut random_of_first));
    others.par_chunks_mut(BLOCK).enumerate().for_each(|(further, part)| {
        let mut random = random(seed, stream, block + 1 + further as u64);
        part.fill_with(|| draw(&mut random));
    });
    drawn
}

/// Spreads every bit over all others (the finaliser of SplitMix64).
fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
