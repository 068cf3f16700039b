//! Integration tests.

mod current;
