//! Gathers the licences of all packages in the extension.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../Cargo.lock");
    println!("cargo::rerun-if-changed=build.rs");
    let manifest = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let texts = pack::licences::gather(&manifest, &env::var("CARGO_PKG_NAME")?, &env::var("TARGET")?)?;
    let folder = env::var("OUT_DIR")?;
    let mut list = "[".to_owned();
    for text in texts {
        let path = Path::new(&folder).join(text.name);
        fs::write(&path, text.text)?;
        list += &format!("({:?}, include_str!({path:?})),", text.name);
    }
    fs::write(Path::new(&folder).join("licences.rs"), list + "]")?;
    Ok(())
}
