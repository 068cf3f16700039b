//! Integration tests.

mod architecture;
