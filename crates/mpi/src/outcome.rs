//! Ranks end together, with one exit code.

use std::{
    thread,
    time::{Duration, Instant},
};

use equipoise_cluster::{
    Comm,
    commands::{Failure, Result},
};
use mpi::{topology::SimpleCommunicator, traits::CommunicatorCollectives};

use crate::{MpiComm, ending};

/// The time that a failed rank waits for the others to fail, too. An error of all ranks reaches them at once.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The communicator in which ranks meet when they are done.
pub struct End(SimpleCommunicator);

impl End {
    /// A communicator with separate messages: a rank that fails early may meet while others still exchange messages of
    /// their work.
    pub fn new(comm: &MpiComm) -> Self {
        Self(comm.apart())
    }

    /// Waits for all ranks and returns the exit code of the job. A rank that failed alone aborts the job: the others would
    /// wait for it for ever.
    pub fn meet(&self, comm: &MpiComm, outcome: Result<()>) -> u8 {
        comm.enter("the end");
        match &outcome {
            Ok(()) => {
                comm.watch().wait("barrier", || self.0.immediate_barrier().wait_without_status())
            }
            Err(failure) if !self.all_come_within(TIME_LIMIT) => {
                let why = failure.clone().on_rank(comm.rank()).to_string();
                ending::abort(failure.code().into(), &why);
            }
            Err(_) => {}
        }
        let text = outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let code = outcome.as_ref().map_or_else(Failure::code, |()| 0);
        let mut message = vec![code];
        message.extend_from_slice(text.as_bytes());
        let all = comm.all_gather(&message);
        let first = all.iter().enumerate().find(|(_, message)| message.first() != Some(&0));
        let Some((rank, message)) = first else { return 0 };
        if comm.rank() == 0 {
            let is_common = all.iter().all(|other| other == message);
            let text = String::from_utf8_lossy(message.get(1..).unwrap_or_default()).into_owned();
            anstream::eprint!(
                "{}",
                if is_common { text } else { format!("on rank {rank}, {text}") }
            );
        }
        message.first().copied().unwrap_or(1)
    }

    /// Whether all ranks come within a time limit.
    fn all_come_within(&self, limit: Duration) -> bool {
        let (start, mut request) = (Instant::now(), self.0.immediate_barrier());
        loop {
            request = match request.test() {
                Ok(_) => return true,
                Err(request) => request,
            };
            if start.elapsed() > limit {
                // An incomplete request must not be dropped, and this one never completes.
                std::mem::forget(request);
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}
