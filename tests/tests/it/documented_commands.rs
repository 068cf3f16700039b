//! Documented commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program;

/// The programs whose commands are checked.
const PROGRAMS: [&str; 5] = ["arena", "client", "perft", "trainer", "board"];

/// The start of a command with a player of the reader.
const OF_READERS: &str = "match own";

/// Returns the pages of a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("it has a name").path());
    let mut pages: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.sort();
    pages
}

/// Returns the commands of a page: the program and its arguments. A command is an indented line, a line of a `sh`
/// block, or the part of one before two blanks; a backslash at the end continues the line.
fn commands(page: &str) -> Vec<(&'static str, Vec<String>)> {
    let page = page.replace("\\\n", " ");
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).flat_map(str::lines);
    let lines = page.lines().filter_map(|line| line.strip_prefix("    ")).chain(blocks);
    let parts =
        lines.flat_map(|line| line.split("  ").flat_map(|part| part.split(['|', '>', '#', ';']))).map(str::trim);
    parts.filter_map(command).collect()
}

fn command(text: &str) -> Option<(&'static str, Vec<String>)> {
    let mut words = words(text).into_iter();
    let mut first = words.next()?;
    if first == "cargo" {
        let cargo: Vec<String> = words.by_ref().take_while(|word| word != "--").collect();
        if cargo.first().is_none_or(|word| word != "run") || cargo.iter().any(|word| word == "--example") {
            return None;
        }
        let mut package = cargo.into_iter().skip_while(|word| word != "-p" && word != "--package");
        first = package.nth(1).unwrap_or_else(|| "client".to_owned());
    }
    let program = PROGRAMS.into_iter().find(|&program| program == first)?;
    Some((program, words.collect()))
}

/// Splits a command into words like a shell, as far as the documents need it.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for letter in text.chars() {
        let last = words.last_mut().expect("there is always a word");
        match letter {
            '"' | '\'' if quote.is_none() => quote = Some(letter),
            letter if quote == Some(letter) => quote = None,
            ' ' if quote.is_none() => words.push(String::new()),
            letter => last.push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns `true` if a word stands for another one: in capital letters, with brackets around what may be left out, or
/// with the name of a file that another command makes.
fn is_placeholder(word: &str) -> bool {
    let value = word.rsplit_once('=').map_or(word, |(_, value)| value);
    let is_name = |letter: char| letter.is_ascii_uppercase() || letter == '…';
    let is_made = value.starts_with("file:") || word.contains("weights=");
    value.starts_with('[') || is_made || !value.is_empty() && value.chars().all(is_name)
}

#[test]
fn programs_accept_documented_options() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["", "docs", "python", "templates/python", "templates/rust"];
    let folders = folders.map(|folder| root.join(folder));
    let mut wrong = Vec::new();
    let mut checked = BTreeSet::new();
    for page in folders.iter().flat_map(|folder| pages(folder)) {
        let text = fs::read_to_string(&page).expect("the page can be read");
        for (program, arguments) in commands(&text) {
            if arguments.iter().any(|argument| is_placeholder(argument)) || arguments.join(" ").starts_with(OF_READERS)
            {
                continue;
            }
            if !checked.insert((program, arguments.clone())) {
                continue;
            }
            // Programs parse all arguments before they show their help.
            let output = program::command(program).args(&arguments).arg("--help").output();
            let output = output.expect("the program can be started");
            if !output.status.success() {
                let message = String::from_utf8_lossy(&output.stderr);
                let reason = message.lines().next().unwrap_or_default().to_owned();
                wrong.push(format!("{}: {program} {}: {reason}", page.display(), arguments.join(" ")));
            }
        }
    }
    assert!(checked.len() > 50, "only {} commands were found", checked.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
