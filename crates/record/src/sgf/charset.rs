//! Decodes files.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Returns the text of a file: UTF-8 if valid, else the encoding of `CA`, else windows-1252, which includes ISO 8859-1,
/// the default of the Smart Game Format.
///
/// ```
/// use record::sgf::decode;
///
/// assert_eq!(decode(b"(;CA[ISO-8859-1]PB[gr\xfcn])"), "(;CA[ISO-8859-1]PB[grün])");
/// assert_eq!(decode("(;CA[ISO-8859-1]PB[grün])".as_bytes()), "(;CA[ISO-8859-1]PB[grün])");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let encoding = if str::from_utf8(bytes).is_ok() { UTF_8 } else { declared(bytes).unwrap_or(WINDOWS_1252) };
    encoding.decode(bytes).0
}

/// Returns the encoding of the first `CA`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let at = bytes.windows(3).position(|window| window == b"CA[")?;
    let label = bytes[at + 3..].split(|&byte| byte == b']').next()?;
    Encoding::for_label(label)
}

/// Returns `true` if the bytes contain the beginning of a tree.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let after = |at: usize| bytes[at + 1..].trim_ascii_start().first();
    let is_tree = |at: usize| bytes[at] == b'(' && after(at) == Some(&b';');
    bytes.trim_ascii_start().starts_with(b"(") || (0..bytes.len()).any(is_tree)
}
