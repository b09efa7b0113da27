//! Learning through its public interface.

mod comparing;
mod determinism;
mod embedded;
mod ensembles;
mod evaluating;
mod holding_out;
mod pictures;
mod recording;
mod rules;
mod splitting;
mod tables;
mod weighting;
