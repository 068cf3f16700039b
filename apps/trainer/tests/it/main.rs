//! Integration tests.

mod learn;
mod measure;
mod play;
