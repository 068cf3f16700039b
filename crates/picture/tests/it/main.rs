//! Integration tests.

mod common;
mod svg;
mod text;
