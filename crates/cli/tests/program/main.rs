//! The program as a person, or a person's script, runs it.

mod cases;
mod common;
mod files;
mod json;
mod manners;
mod readme;
