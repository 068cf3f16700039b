//! Pages in a real browser, as far as there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::program;

/// A program that shows pages: Chromium or one like it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Browser(PathBuf);

impl Browser {
    /// The browser of this machine, if it has one. The test program `left_out` says if it has none.
    pub fn find() -> Option<Self> {
        ["chromium", "chromium-browser", "google-chrome", "chrome"].into_iter().find_map(program::in_path).map(Self)
    }

    /// The program.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What a function of JavaScript, as `() => …`, returns in a page of this width in pixels, after the page
    /// has done its own. If anything is thrown on the way, it is told instead.
    ///
    /// # Panics
    /// If the browser cannot be started or does not show the page.
    pub fn ask(&self, page: &str, width: u32, function: &str) -> Value {
        let folder = tempfile::tempdir().expect("there is room for a page");
        let file = folder.path().join("page.html");
        let watch = "<head><script>window.thrown = []; addEventListener('error', (event) => thrown.push(event.message));</script>";
        let ask = format!(
            "<script>let told; try {{ told = ({function})(); }} catch (error) {{ thrown.push(String(error)); }}
             parent.document.title = 'told ' + JSON.stringify(thrown.length ? thrown.join() : told);</script></body>"
        );
        let page = page.replacen("<head>", watch, 1).replacen("</body>", &ask, 1);
        // No window is as narrow as a telephone, but a frame can be.
        let page = serde_json::to_string(&page).expect("text can be written").replace('<', "\\u003c");
        let frame = format!(
            "<!DOCTYPE html><title></title><iframe id='frame' style='border: 0; width: {width}px; height: 1000px'></iframe>
             <script>document.getElementById('frame').srcdoc = {page};</script>"
        );
        fs::write(&file, frame).expect("there is room for a page");
        let output = Command::new(&self.0)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--window-size=1600,1100", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("file://{}", file.display()))
            .output()
            .expect("the browser can be started");
        let shown = String::from_utf8_lossy(&output.stdout);
        let title = shown.split_once("<title>told ").and_then(|(_, rest)| rest.split_once("</title>"));
        let (told, _) = title.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&output.stderr)));
        let told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"))
    }
}
