//! Tests of the report: its files, its comparison, and its page in a browser.

mod browser;
mod chromium;
mod comparison;
mod figures;
mod files;
mod sample;
