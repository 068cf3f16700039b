//! The program `tour`; see `tour --help`.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use clap::Parser;

/// Renews the pictures and numbers of docs/how-it-works.md and docs/so-denkt-es.md.
#[derive(Parser)]
struct Cli {
    /// Change nothing, and fail if a file is not as it should be.
    #[arg(long)]
    check: bool,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut outdated = Vec::new();
    for file in tour::files(&docs)? {
        let path = docs.join(&file.name);
        if fs::read_to_string(&path).ok().as_ref() == Some(&file.text) {
            continue;
        }
        if !cli.check {
            let folder = path.parent().context("a file has a folder")?;
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
            println!("docs/{} renewed", file.name);
        }
        outdated.push(file.name);
    }
    ensure!(!cli.check || outdated.is_empty(), "not current: {}. `{}` renews them", outdated.join(", "), tour::COMMAND);
    Ok(())
}
