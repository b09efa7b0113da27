//! `equipoise devices`: lists the devices of this machine.

use equipoise::device::{self, DeviceInfo};

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
    let columns = [
        Column::Left("device"),
        Column::Left("model"),
        Column::Left("kind"),
        Column::Right("memory"),
        Column::Right("free"),
        Column::Right("units"),
        Column::Right("multiprocessors"),
        Column::Right("plane"),
    ];
    let usable = devices.iter().filter(|device| device.problem.is_none());
    screen.line(draw(&columns, usable.map(row)))?;
    for device in &devices {
        if let Some(problem) = &device.problem {
            let model = if device.model == "none" { "" } else { &format!(" ({})", device.model) };
            screen.line(format_args!("\n{}{model} cannot be used: {problem}", device.name))?;
        }
    }
    screen.json(&devices)
}

fn row(device: &DeviceInfo) -> Vec<String> {
    let bytes = |bytes: Option<u64>| or_unknown(bytes.map(numbers::bytes));
    // A cpu has neither planes nor multiprocessors.
    let of_gpu = |number: Option<String>| {
        if device.name == "cpu" { String::new() } else { or_unknown(number) }
    };
    vec![
        device.name.clone(),
        device.model.clone(),
        if device.software { "software" } else { "hardware" }.into(),
        bytes(device.memory),
        bytes(device.available),
        or_unknown(device.units),
        of_gpu(device.multiprocessors.map(|number| number.to_string())),
        of_gpu(device.plane_size.map(|size| size.to_string())),
    ]
}

fn or_unknown(fact: Option<impl ToString>) -> String {
    fact.map_or("unknown".into(), |fact| fact.to_string())
}
