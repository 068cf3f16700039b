//! The files of the page, which are part of the program.

/// A file of the page with its type.
pub(super) struct File {
    pub content_type: &'static str,
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! files {
    ($($name:literal: $type:expr),* $(,)?) => {
        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];

        /// The file with a name.
        pub(super) fn file(name: &str) -> Option<File> {
            match name {
                $($name => Some(File { content_type: $type, text: include_str!(concat!("../../page/", $name)) }),)*
                _ => None,
            }
        }
    };
}

files! {
    "index.html": HTML,
    "style.css": STYLE,
    "main.js": SCRIPT,
    "words.js": SCRIPT,
    "connection.js": SCRIPT,
    "board.js": SCRIPT,
    "hand.js": SCRIPT,
    "tray.js": SCRIPT,
    "panel.js": SCRIPT,
    "graph.js": SCRIPT,
    "start.js": SCRIPT,
    "dom.js": SCRIPT,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts between two others.
    fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(start).skip(1).filter_map(move |rest| rest.split_once(end).map(|(found, _)| found))
    }

    #[test]
    fn whatever_the_files_load_is_there() {
        for name in NAMES {
            let text = file(name).unwrap().text;
            let loaded = between(text, "from \"./", "\"").chain(between(text, "\"/page/", "\""));
            for other in loaded {
                assert!(file(other).is_some(), "{name} loads {other}");
            }
            assert!(!text.contains("//cdn") && !text.contains("https://"), "{name} loads from elsewhere");
            assert!(!text.contains("innerHTML"), "{name} could take text for markup");
        }
        assert!(file("../main.rs").is_none());
    }

    #[test]
    fn both_languages_say_the_same_things() {
        let words = file("words.js").unwrap().text;
        let keys = |name: &str| {
            let object = between(words, name, "\n};").next().unwrap();
            let line_keys = object.lines().flat_map(|line| line.split(", "));
            let mut keys: Vec<String> = line_keys
                .filter_map(|part| part.trim().split_once(':'))
                .map(|(key, _)| key.trim_matches('"').to_owned())
                .filter(|key| key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
                .collect();
            keys.sort();
            keys
        };
        let (english, german) = (keys("const ENGLISH = {"), keys("const GERMAN = {"));
        assert!(english.len() > 80, "{}", english.len());
        assert_eq!(english, german);
    }
}
