//! What the `waypost` binary is made of: its commands under [`cli`], and the pages they print.

pub mod cli;
mod report;
