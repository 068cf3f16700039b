//! Integration tests.

mod program;
