//! Identifiers of rooms and reservations.

use rand::Rng;

/// Returns a random UUID (version 4), hard to guess.
pub(super) fn random_uuid() -> String {
    let bits = u128::from(rand::rng().next_u64()) << 64 | u128::from(rand::rng().next_u64());
    let bits = bits & !(0xf << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let hex = format!("{bits:032x}");
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    parts.join("-")
}
