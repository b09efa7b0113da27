//! What ranks make and read in slices, beside what one machine does.

#[cfg(test)]
mod common;
#[cfg(test)]
mod eqp;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod parts;
#[cfg(test)]
mod text;
