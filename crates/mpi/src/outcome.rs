//! How ranks end together.

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

/// How long a rank that failed waits for the others to fail, too: what all of them agreed upon reaches them at once.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the others ask about once they are done: whether all are.
pub struct End(SimpleCommunicator);

impl End {
    /// Where ranks meet at the end. What is sent there meets nothing of the work: a rank that leaves its work early may
    /// come while others still talk of that.
    pub fn of(comm: &MpiComm) -> Self {
        Self(comm.apart())
    }

    /// The exit code of the job, once all ranks are here. A rank that failed where others did not ends the job: they would
    /// wait for it for ever.
    pub fn meet(&self, comm: &MpiComm, outcome: Result<()>) -> u8 {
        comm.enter("the end");
        match &outcome {
            Ok(()) => {
                comm.watch().wait("barrier", || self.0.immediate_barrier().wait_without_status())
            }
            Err(failure) if !self.all_come_within(PATIENCE) => {
                let why = failure.clone().on_rank(comm.rank()).to_string();
                ending::abort(failure.code().into(), &why);
            }
            Err(_) => {}
        }
        let said = outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let code = outcome.as_ref().map_or_else(Failure::code, |()| 0);
        let mut message = vec![code];
        message.extend_from_slice(said.as_bytes());
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

    /// Whether all ranks come before patience ends.
    fn all_come_within(&self, patience: Duration) -> bool {
        let (start, mut request) = (Instant::now(), self.0.immediate_barrier());
        loop {
            request = match request.test() {
                Ok(_) => return true,
                Err(request) => request,
            };
            if start.elapsed() > patience {
                // A request must not be dropped before it is done, and this one never will be.
                std::mem::forget(request);
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}
