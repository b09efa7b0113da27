//! The result of a strategy in the memory of a GPU.

use equipoise_graph::parallel::*;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    primitives::{Max, reduce},
};

use super::{
    super::{Colored, QueueUse, counting::sums_by_number},
    stealing::DeviceQueues,
};
use crate::{Result, Step, Trace};

/// Colors and steps.
pub(super) struct Outcome {
    pub colors: Buffer<u32>,
    pub iterations: Iterations,
    pub steps: Vec<Step>,
    pub queues: Option<DeviceQueues>,
}

/// The iteration that colored each vertex.
pub(super) enum Iterations {
    /// Each iteration has this number of colors.
    Colors(u32),
    /// Recorded per vertex, counted from 0. The `found` counts of steps are still 0.
    Recorded(Buffer<u32>),
}

impl Outcome {
    /// The largest color plus 1, or 0.
    pub fn count(&self, gpu: &Gpu) -> Result<u32> {
        if self.colors.is_empty() {
            return Ok(0);
        }
        let largest = gpu.download(&reduce::<Max<u32>>(gpu, &self.colors)?)?;
        Ok(largest.iter().sum::<u32>() + 1)
    }

    /// Copies the result to the host.
    pub fn download(self, gpu: &Gpu) -> Result<(Colored, Option<QueueUse>)> {
        let colors = gpu.download(&self.colors)?;
        let mut steps = self.steps;
        let iterations = match self.iterations {
            Iterations::Colors(each) => colors.par_iter().map(|color| color / each).collect(),
            Iterations::Recorded(buffer) => {
                let iterations = gpu.download(&buffer)?;
                let found = sums_by_number(&iterations, steps.len(), |_| 1);
                steps.iter_mut().zip(found).for_each(|(step, found)| step.found += found);
                iterations
            }
        };
        let queues = self.queues.map(|queues| queues.read(gpu, steps.len())).transpose()?;
        Ok((Colored { colors, iterations, trace: Trace { steps } }, queues))
    }
}
