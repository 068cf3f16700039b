//! The pictures and numbers of the tour through the player, `docs/how-it-works.md` and `docs/so-denkt-es.md`.
//!
//! `findings` analyses one position, `pictures` draws the results, `blocks` writes them as tables in either language,
//! and `page` puts the blocks into a page. The prose is written by hand and contains no number that the search may
//! change.

mod blocks;
mod charts;
mod findings;
mod page;
mod pictures;

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::blocks::Language;
use crate::findings::Findings;

/// The command that renews the tour.
pub const COMMAND: &str = "cargo run --release -p tour";

/// The folder of the pictures, below the one of the pages.
const PICTURES: &str = "how-it-works";

/// The pages with their languages.
const PAGES: [(&str, Language); 2] = [("how-it-works.md", Language::English), ("so-denkt-es.md", Language::German)];

/// A file of the tour as it should be.
pub struct File {
    /// Its path below the folder of the pages.
    pub name: String,
    /// What should stand in it.
    pub text: String,
}

/// All files of the tour as they should be: the pictures, and the pages in `docs` with their blocks renewed.
///
/// # Errors
/// If a page cannot be read, or has a block that there is not, or lacks one.
pub fn files(docs: &Path) -> anyhow::Result<Vec<File>> {
    let findings = Findings::gather()?;
    let mut files: Vec<File> = pictures::all(&findings)
        .into_iter()
        .map(|(name, text)| File { name: format!("{PICTURES}/{name}.svg"), text: text + "\n" })
        .collect();
    for (name, language) in PAGES {
        let path = docs.join(name);
        let page = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = page::renewed(&page, &blocks::all(&findings, language))
            .with_context(|| format!("{} cannot be renewed", path.display()))?;
        files.push(File { name: name.to_owned(), text });
    }
    Ok(files)
}
