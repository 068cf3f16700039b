//! The files of the page, embedded into the program. The picture of the board comes from [`picture::svg`].

use std::sync::LazyLock;

use game::{Position, Rules};
use picture::Labels;
use picture::svg::{self, Svg};

/// The mark for the board in the page.
const BOARD: &str = "<!--BOARD-->";

/// The folder of the files in the service.
const FOLDER: &str = "/page/";

/// The page with an empty board.
static INDEX: LazyLock<String> = LazyLock::new(|| include_str!("../page/index.html").replace(BOARD, &board()));

/// The page of the static site, an installable app with relative addresses.
static INDEX_ALONE: LazyLock<String> = LazyLock::new(|| {
    let icon = "<link rel=\"icon\" href=\"./icon.svg\">\n    <link rel=\"manifest\" href=\"./manifest.json\">";
    INDEX.replace(FOLDER, "./").replace("<link rel=\"icon\" href=\"data:,\">", icon)
});

/// The service worker of the static site with the names of all files.
static SERVICE_WORKER: LazyLock<String> = LazyLock::new(|| {
    let names = alone_names().chain(["", "site.js", "site_bg.wasm"]);
    let files: Vec<String> = names.map(|name| format!("./{name}")).collect();
    include_str!("../page/alone/sw.js").replace("[/*FILES*/]", &format!("{files:?}"))
});

/// Returns the picture of an empty board, which pages copy and change.
pub(crate) fn board() -> String {
    let start = Position::new(Rules::Classic, None);
    let svg = |position| {
        Svg { style: false, letters: true, labels: Some(Labels::Coordinates), ..Svg::new(position) }.to_string()
    };
    start.as_ref().map(svg).unwrap_or_default()
}

/// Returns the content of an existing file.
pub(crate) fn text(name: &str) -> &'static str {
    file(name).unwrap_or_default()
}

macro_rules! files {
    ($($name:literal)*) => {
        /// The names of all files.
        pub const NAMES: &[&str] = &["index.html", "board.css", "paint.js", $($name),*];

        /// Returns the file with a name.
        pub fn file(name: &str) -> Option<&'static str> {
            Some(match name {
                "index.html" => &INDEX,
                "board.css" => svg::STYLE,
                "paint.js" => svg::MODULE,
                $($name => include_str!(concat!("../page/", $name)),)*
                _ => return None,
            })
        }
    };
}

files! {
    "style.css" "main.js" "game.js" "input.js" "wheel.js" "start.js" "elsewhere.js" "board.js" "hand.js" "tray.js"
    "piece.js" "analysis.js" "lesson.js" "options.js" "setup.js" "record.js" "drawing.js" "result.js" "howto.js"
    "tabs.js" "tools.js" "refused.js" "panel.js" "graph.js" "dialogs.js" "league.html" "league.js" "save.js"
    "share.js" "sheet.js" "settings.js" "words.js" "connection.js" "channel.js" "dom.js" "failure.js"
}

/// Returns the files of the static site: some files of the page are replaced, and workers are added. They load the
/// module `site.js`, built from the crate `site`.
pub fn alone() -> impl Iterator<Item = (&'static str, &'static str)> {
    alone_names().map(|name| {
        let own = match name {
            "index.html" => &INDEX_ALONE,
            "sw.js" => &SERVICE_WORKER,
            _ => OWN.iter().find(|(own, _)| *own == name).map_or_else(|| text(name), |(_, text)| text),
        };
        (name, own)
    })
}

/// Files of the static site that replace a file of the page or are added.
const OWN: &[(&str, &str)] = &[
    ("connection.js", include_str!("../page/alone/connection.js")),
    ("table.js", include_str!("../page/alone/table.js")),
    ("engine.js", include_str!("../page/alone/engine.js")),
    ("storage.js", include_str!("../page/alone/storage.js")),
    ("speed.html", include_str!("../page/alone/speed.html")),
    ("speed.js", include_str!("../page/alone/speed.js")),
    ("race.js", include_str!("../page/alone/race.js")),
    ("manifest.json", include_str!("../page/alone/manifest.json")),
    ("icon.svg", include_str!("../page/alone/icon.svg")),
];

/// Files that only the service has.
const OF_SERVICE: [&str; 2] = ["league.html", "league.js"];

/// Returns the names of all files of the static site but its WebAssembly module.
fn alone_names() -> impl Iterator<Item = &'static str> {
    let same = NAMES.iter().copied().filter(|name| !OF_SERVICE.contains(name));
    let added = OWN.iter().map(|(name, _)| *name).filter(|name| !NAMES.contains(name));
    same.chain(added).chain(["sw.js"])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texts between two others.
    fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(start).skip(1).filter_map(move |rest| rest.split_once(end).map(|(found, _)| found))
    }

    #[test]
    fn loaded_files_exist() {
        let of_service = NAMES.iter().map(|&name| (name, text(name))).collect();
        let all: [Vec<_>; 2] = [of_service, alone().collect()];
        for (name, text) in all.iter().flatten() {
            assert!(!text.contains("//cdn") && !text.contains("https://"), "{name} loads from elsewhere");
            assert!(!text.contains("innerHTML"), "{name} could take text for markup");
        }
        for (files, folder) in all.iter().zip([FOLDER, "./"]) {
            for (name, text) in files {
                let starts = ["from \"./", "new URL(\"./", &format!("src=\"{folder}"), &format!("href=\"{folder}")];
                let loaded =
                    starts.iter().flat_map(|start| between(text, start, "\"")).filter(|other| !other.is_empty());
                for other in loaded {
                    assert!(other == "site.js" || files.iter().any(|(name, _)| *name == other), "{name} loads {other}");
                }
                assert!(folder == FOLDER || !text.contains(FOLDER), "{name}");
            }
        }
        assert!(file("../main.rs").is_none());
    }

    #[test]
    fn both_connections_export_the_same_names() {
        let exported = |text: &'static str| {
            let mut names: Vec<&str> = text
                .lines()
                .filter_map(|line| line.strip_prefix("export "))
                .filter_map(|line| {
                    let mut words = line.split([' ', '(']);
                    words.find(|word| !["const", "async", "function", "class"].contains(word))
                })
                .collect();
            names.sort_unstable();
            names
        };
        let alone = alone().find(|(name, _)| *name == "connection.js").unwrap().1;
        assert!(exported(alone).len() > 10);
        assert_eq!(exported(text("connection.js")), exported(alone));
    }

    #[test]
    fn both_languages_have_the_same_keys_once() {
        // Each key with its depth.
        let keys = |name: &str| {
            let (mut keys, mut depth, mut word) = (Vec::new(), 0, String::new());
            for letter in between(text("words.js"), name, "\n};").next().unwrap().chars() {
                depth += i32::from("{[(".contains(letter)) - i32::from("}])".contains(letter));
                match letter {
                    ':' => keys.push((depth, std::mem::take(&mut word))),
                    ',' | '\n' | '{' => word.clear(),
                    ' ' => {}
                    _ => word.push(letter),
                }
            }
            let is_name = |key: &str| key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            keys.retain(|(_, key)| !key.is_empty() && is_name(key));
            keys.sort();
            keys
        };
        let [english, german] = ["const ENGLISH = {", "const GERMAN = {"].map(keys);
        assert!(english.len() > 80, "{}", english.len());
        assert_eq!(english, german);
        let hidden = english.windows(2).find(|keys| keys[0].0 == 0 && keys[0] == keys[1]);
        assert_eq!(hidden, None, "a later text would hide an earlier one");
    }
}
