//! Text from outside in messages for people.

/// Maximum number of characters of an excerpt.
const LENGTH: usize = 120;

/// Returns the beginning of a text from outside, fit for a message: at most 120 characters on one line, with control
/// and unprintable characters as escapes.
///
/// Errors pass every offending text through this function, because it may be binary.
///
/// ```
/// use game::excerpt;
///
/// assert_eq!(excerpt("PENTO_Q@0,0"), "PENTO_Q@0,0");
/// assert_eq!(excerpt(b"\x1b[2J\0\xff"), "\\u{1b}[2J\\0\u{fffd}");
/// assert_eq!(excerpt("x".repeat(1000)).chars().count(), 121);
/// ```
pub fn excerpt(text: impl AsRef<[u8]>) -> String {
    let bytes = text.as_ref();
    // One more character than is shown, of four bytes at most, tells whether there are more.
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * (LENGTH + 1))]);
    match start.char_indices().nth(LENGTH) {
        Some((end, _)) => printable(&start[..end]) + "…",
        None => printable(&start),
    }
}

/// Returns a text from outside on one line, with control and unprintable characters as escapes.
///
/// ```
/// assert_eq!(game::printable("Ann\x1b[2J"), "Ann\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\'' | '\\' => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_plain_text() {
        for text in ["", "a 'quoted' \"text\" with a \\", "Zug für Grün → ∅", "日本"] {
            assert_eq!(excerpt(text), text);
        }
    }

    #[test]
    fn escapes_control_and_direction_characters() {
        let bytes: Vec<u8> = (0..=255).collect();
        for chunk in bytes.chunks(50) {
            assert!(!excerpt(chunk).contains(char::is_control), "{:?}", excerpt(chunk));
        }
        // Marks that turn the direction of the text that follows.
        assert_eq!(excerpt("\u{202e}\u{2066}\u{9b}\r\n"), "\\u{202e}\\u{2066}\\u{9b}\\r\\n");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(excerpt("é".repeat(120)), "é".repeat(120));
        assert_eq!(excerpt("é".repeat(121)), format!("{}…", "é".repeat(120)));
        assert_eq!(excerpt([0xf0; 1 << 20]), format!("{}…", "\u{fffd}".repeat(120)));
        // A letter that is cut in two is not shown as such.
        assert_eq!(excerpt(format!("x{}", "🟦".repeat(500))), format!("x{}…", "🟦".repeat(119)));
    }
}
