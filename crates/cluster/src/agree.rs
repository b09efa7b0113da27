//! Failures of one rank become failures of all.

use crate::{Comm, Error, Reduction, Result};

/// The value of this rank's result. If any rank failed, all fail with the message of the first one that did.
///
/// A rank that continued alone would wait for the others for ever.
///
/// ```
/// use equipoise_cluster::{Comm, Error, agree, run_threads};
///
/// let outcomes = run_threads(3, 64, |comm| {
///     let mine = match comm.rank() {
///         1 => Err(Error::Option("no such thing".into())),
///         rank => Ok(rank),
///     };
///     agree(comm, mine).unwrap_err().to_string()
/// });
/// assert_eq!(outcomes, ["rank 1: no such thing"; 3]);
/// ```
pub fn agree<T>(comm: &dyn Comm, mine: Result<T>) -> Result<T> {
    if comm.size() == 1 {
        return mine;
    }
    let mut first = [if mine.is_err() { comm.rank() as u64 } else { u64::MAX }];
    comm.all_reduce(&mut first, Reduction::Min);
    if first[0] == u64::MAX {
        return mine;
    }
    let rank = first[0] as usize;
    let message = mine.err().map(|error| error.to_string()).unwrap_or_default();
    let messages = comm.all_gather(message.as_bytes());
    let message = messages.get(rank).map(|message| String::from_utf8_lossy(message).into_owned());
    Err(Error::OnRank { rank, message: message.unwrap_or_default() })
}
