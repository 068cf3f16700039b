//! Integration tests.

mod conversations;
