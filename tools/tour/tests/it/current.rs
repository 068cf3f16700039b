//! The tour agrees with the current program.

use std::fs;
use std::path::Path;

/// Pages that there are in one language each.
const TWINS: [&str; 8] = [
    "how-it-works.md",
    "so-denkt-es.md",
    "contest.md",
    "wettbewerb.md",
    "own-player.md",
    "eigener-spieler.md",
    "board.md",
    "brett.md",
];

#[test]
fn pictures_and_numbers_are_those_of_this_program() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let files = tour::files(&docs).unwrap();
    assert!(files.len() > 5);
    let read = |name: &str| fs::read_to_string(docs.join(name)).unwrap_or_default().replace("\r\n", "\n");
    let outdated: Vec<_> = files.iter().filter(|file| read(&file.name) != file.text).map(|file| &file.name).collect();
    assert!(outdated.is_empty(), "{outdated:?} are not current: run `{}` and look at what has changed", tour::COMMAND);
    let pictures = fs::read_dir(docs.join("how-it-works")).unwrap().count();
    assert_eq!(pictures, files.len() - 2, "a picture is left over");
}

/// Both languages go the same way: the same blocks, pictures, files and commands in the same order.
#[test]
fn both_languages_show_the_same() {
    let [english, german] = ["how-it-works.md", "so-denkt-es.md"].map(|name| {
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap();
        let mut shown: Vec<String> = page
            .lines()
            .filter(|line| line.starts_with("<!-- tour: ") || line.starts_with("    "))
            .map(str::to_owned)
            .collect();
        let links = page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link.to_owned());
        // Some pages have twins themselves.
        let has_twin = |link: &String| TWINS.iter().any(|twin| link.starts_with(twin));
        shown.extend(links.filter(|link| !has_twin(link)));
        shown
    });
    assert!(english.len() > 30, "only {} things are shown", english.len());
    assert_eq!(english, german);
}

/// The files that are named are there.
#[test]
fn links_lead_somewhere() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for name in ["how-it-works.md", "so-denkt-es.md"] {
        let page = fs::read_to_string(docs.join(name)).unwrap();
        let links = page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        for link in links.filter(|link| !link.starts_with("http")) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(docs.join(file).exists(), "{name}: {link}");
        }
    }
}
