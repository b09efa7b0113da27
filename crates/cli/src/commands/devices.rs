//! `equipoise devices`: what this machine can run on.

use equipoise::device;

use crate::{
    failure::Result,
    numbers,
    screen::{Screen, ScreenArguments},
    table::{Column, draw},
};

const EXAMPLE: &str = "\
Example:
  equipoise devices";

/// List the devices of this machine
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    screen: ScreenArguments,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let devices = device::list();
    let memory = |bytes: Option<u64>| bytes.map_or("unknown".into(), numbers::bytes);
    let rows = devices.iter().map(|device| {
        vec![
            device.name.clone(),
            device.model.clone(),
            device.units.to_string(),
            memory(device.memory),
            memory(device.available),
        ]
    });
    let columns = [
        Column::Left("device"),
        Column::Left("model"),
        Column::Right("threads"),
        Column::Right("memory"),
        Column::Right("free"),
    ];
    screen.line(draw(&columns, rows))?;
    screen.json(&devices)
}
