//! What a strategy leaves in the memory of a GPU.

use equipoise_schedule::{
    device::{Buffer, Gpu},
    primitives::{Max, reduce},
};

use super::{
    super::{Colored, QueueUse},
    stealing::DeviceQueues,
};
use crate::{Result, Step, Trace};

/// Colors, and what happened.
pub(super) struct Outcome {
    pub colors: Buffer<u32>,
    pub iterations: Iterations,
    pub steps: Vec<Step>,
    pub queues: Option<DeviceQueues>,
}

/// The iteration that each vertex was colored in.
pub(super) enum Iterations {
    /// Each has so many colors of its own.
    Colors(u32),
    /// As recorded, counted from 0. Steps do not know yet how many they found.
    Recorded(Buffer<u32>),
}

impl Outcome {
    /// One more than the largest color.
    pub fn count(&self, gpu: &Gpu) -> Result<u32> {
        if self.colors.is_empty() {
            return Ok(0);
        }
        let largest = gpu.download(&reduce::<Max<u32>>(gpu, &self.colors)?)?;
        Ok(largest.iter().sum::<u32>() + 1)
    }

    /// Copies it all back.
    pub fn download(self, gpu: &Gpu) -> Result<(Colored, Option<QueueUse>)> {
        let colors = gpu.download(&self.colors)?;
        let mut steps = self.steps;
        let iterations = match self.iterations {
            Iterations::Colors(each) => colors.iter().map(|color| color / each).collect(),
            Iterations::Recorded(buffer) => {
                let iterations = gpu.download(&buffer)?;
                iterations.iter().for_each(|&iteration| steps[iteration as usize].found += 1);
                iterations
            }
        };
        let queues = self.queues.map(|queues| queues.read(gpu, steps.len())).transpose()?;
        Ok((Colored { colors, iterations, trace: Trace { steps } }, queues))
    }
}
