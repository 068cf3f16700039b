//! Generates the JavaScript that loads a WebAssembly module in a browser: `wasm-to-js MODULE FOLDER`.

use std::env;

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [module, folder] = &arguments[..] else { bail!("usage: wasm-to-js MODULE FOLDER") };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("wasm-bindgen cannot generate the JavaScript")
}
