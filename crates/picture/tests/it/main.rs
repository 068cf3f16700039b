//! Integration tests.

mod common;
mod script;
mod svg;
mod text;
