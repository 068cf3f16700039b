//! A real browser that is driven by a WebDriver: pages are clicked on, typed into and looked at as people do.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MouseActions, PointerAction, TouchActions, WheelAction, WheelActions,
};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};

use crate::browser::Browser;
use crate::program;

/// The program that drives Chromium, running.
pub struct Driver {
    process: Child,
    url: String,
    browser: Browser,
}

impl Driver {
    /// Where the program is, if this machine has it. The test program `left_out` says if it has not.
    pub fn find() -> Option<PathBuf> {
        program::in_path("chromedriver")
    }

    /// Starts it, if it and a browser are there.
    ///
    /// # Panics
    /// If it is there and does not start.
    pub fn start() -> Option<Self> {
        let (program, browser) = (Self::find()?, Browser::find()?);
        // Once in a while it ends before it listens, and does not say why.
        let (process, port) = (0..5).find_map(|_| launch(&program)).expect("chromedriver tells its port");
        Some(Self { process, url: format!("http://127.0.0.1:{port}"), browser })
    }

    /// A browser of its own with a page of this size, otherwise as most people have it.
    ///
    /// # Panics
    /// If the browser does not start.
    pub async fn open(&self, width: u32, height: u32) -> Page {
        self.open_as(&Setup::new(width, height)).await
    }

    /// A browser of its own.
    ///
    /// # Panics
    /// If the browser does not start.
    pub async fn open_as(&self, setup: &Setup<'_>) -> Page {
        let &Setup { width, height, has_touch, is_dark, is_forgetful, language, downloads } = setup;
        let mut arguments = vec!["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
        if is_dark {
            arguments.push("--blink-settings=preferredColorScheme=0");
        }
        let options = json!({
            "binary": self.browser.path(),
            "args": arguments,
            "prefs": {
                "intl.accept_languages": language,
                "download.default_directory": downloads,
                // All or nothing of what sites may keep.
                "profile.default_content_setting_values.cookies": if is_forgetful { 2 } else { 1 },
            },
            // No window is as narrow as a telephone, but a page can be.
            "mobileEmulation": {
                "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1, "touch": has_touch },
            },
        });
        let capabilities = [("goog:chromeOptions", options), ("goog:loggingPrefs", json!({ "browser": "ALL" }))];
        let capabilities: Map<String, Value> =
            capabilities.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&self.url).await;
        Page { client: client.expect("the browser can be started") }
    }
}

/// Starts the program of the driver and waits for the port that it tells; nothing if it ends before.
fn launch(program: &Path) -> Option<(Child, u16)> {
    let mut process =
        Command::new(program).arg("--port=0").stdout(Stdio::piped()).spawn().expect("chromedriver can be started");
    let output = process.stdout.take().expect("it is piped");
    let port = BufReader::new(output).lines().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    if port.is_none() {
        process.wait().expect("it has been started");
    }
    Some((process, port?))
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It has nothing to save.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser and the machine of whoever uses it.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The size of the page in pixels.
    pub width: u32,
    /// The same.
    pub height: u32,
    /// Whether the screen feels fingers.
    pub has_touch: bool,
    /// Whether the system is set to dark colours.
    pub is_dark: bool,
    /// Whether the browser lets no site keep anything.
    pub is_forgetful: bool,
    /// The language of the browser, such as `en-US`.
    pub language: &'a str,
    /// The folder to which files are saved.
    pub downloads: Option<&'a Path>,
}

impl Setup<'_> {
    /// A mouse, light colours, and English.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            has_touch: false,
            is_dark: false,
            is_forgetful: false,
            language: "en-US",
            downloads: None,
        }
    }
}

/// A page in a browser. All functions panic if the browser does not do what it is told.
#[expect(missing_debug_implementations, reason = "a connection tells nothing")]
pub struct Page {
    client: Client,
}

impl Page {
    /// Goes to an address.
    ///
    /// # Panics
    /// If the browser cannot.
    pub async fn go(&self, url: &str) {
        self.client.goto(url).await.expect("the page can be loaded");
    }

    /// What the body of a function of JavaScript returns.
    ///
    /// # Panics
    /// If it throws something.
    pub async fn ask(&self, body: &str) -> Value {
        self.client.execute(body, Vec::new()).await.unwrap_or_else(|error| panic!("{error}: {body}"))
    }

    /// What the body of a function of JavaScript returns as soon as that is neither null nor false.
    ///
    /// # Panics
    /// If that takes longer than half a minute.
    pub async fn wait(&self, body: &str) -> Value {
        let begun = std::time::Instant::now();
        loop {
            let answer = self.ask(body).await;
            if !matches!(answer, Value::Null | Value::Bool(false)) {
                return answer;
            }
            if begun.elapsed().as_secs() >= 30 {
                let shown = self.ask("return document.body.innerText").await;
                panic!("this does not come true: {body}\nthe page says {shown}");
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    /// Clicks with the mouse at a place of the window.
    ///
    /// # Panics
    /// If the browser cannot.
    pub async fn click(&self, (x, y): (f64, f64)) {
        let mouse = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: 0 })
            .then(PointerAction::Up { button: 0 });
        self.client.perform_actions(mouse).await.expect("the mouse can click");
    }

    /// Puts a finger on the first of some places, moves it to the others, leaves it there for a while and lifts it.
    ///
    /// # Panics
    /// If the browser cannot.
    pub async fn touch(&self, places: &[(f64, f64)], rest: Duration) {
        let mut finger = TouchActions::new("finger".to_owned());
        for (n, &(x, y)) in places.iter().enumerate() {
            finger = finger.then(PointerAction::MoveTo { duration: None, x, y });
            if n == 0 {
                finger = finger.then(PointerAction::Down { button: 0 });
            }
        }
        let lift = finger.then(PointerAction::Pause { duration: rest }).then(PointerAction::Up { button: 0 });
        self.client.perform_actions(lift).await.expect("a finger can be moved");
    }

    /// Turns the wheel of the mouse at a place of the window by a click towards oneself.
    ///
    /// # Panics
    /// If the browser cannot.
    pub async fn turn_wheel(&self, (x, y): (f64, f64)) {
        let (x, y) = (x as i64, y as i64);
        let turn = WheelAction::Scroll { duration: None, x, y, delta_x: 0, delta_y: 100 };
        let wheel = WheelActions::new("wheel".to_owned()).then(turn);
        self.client.perform_actions(wheel).await.expect("the wheel can be turned");
    }

    /// Clicks at the middle of what a selector finds first, after it was scrolled into view.
    ///
    /// # Panics
    /// If there is no such thing.
    pub async fn click_on(&self, selector: &str) {
        let place = self.middle(selector).await;
        self.click(place).await;
    }

    /// The middle of what a selector finds first, after it was scrolled into view.
    ///
    /// # Panics
    /// If there is no such thing.
    pub async fn middle(&self, selector: &str) -> (f64, f64) {
        let body = format!(
            "const found = document.querySelector({}); if (!found) return null; found.scrollIntoView({{ block: 'nearest' }});
             const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]",
            json!(selector)
        );
        place_of(&self.wait(&body).await)
    }

    /// Presses keys one after the other; those without letters have the codes of WebDriver.
    ///
    /// # Panics
    /// If the browser cannot.
    pub async fn press(&self, keys: impl IntoIterator<Item = char>) {
        let mut actions = KeyActions::new("keys".to_owned());
        for value in keys {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.expect("keys can be pressed");
    }

    /// What the console says.
    ///
    /// # Panics
    /// If the browser does not tell.
    pub async fn console(&self) -> Vec<String> {
        let log = self.client.issue_cmd(Log).await.expect("the browser has a console");
        let lines = log.as_array().into_iter().flatten();
        lines.map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// How much of the page has moved by itself so far, in the unit of browsers (cumulative layout shift), and what
    /// moved.
    ///
    /// # Panics
    /// If the browser does not tell.
    pub async fn shift(&self) -> (f64, String) {
        let body = "const done = arguments[0]; let sum = 0; const moved = [];
            const name = ({ node, previousRect, currentRect }) =>
                `${node?.id || node?.className || node?.nodeName} from ${previousRect.y} to ${currentRect.y}`;
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) {
                    if (entry.hadRecentInput) continue;
                    sum += entry.value;
                    moved.push(...entry.sources.map(name));
                }
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => done([sum, moved.join(', ')]), 100);";
        let told = self.client.execute_async(body, Vec::new()).await.expect("the browser observes the page");
        (told[0].as_f64().expect("a number"), told[1].as_str().unwrap_or_default().to_owned())
    }

    /// A picture of the page as a PNG file.
    ///
    /// # Panics
    /// If the browser makes none.
    pub async fn picture(&self) -> Vec<u8> {
        self.client.screenshot().await.expect("the browser makes pictures")
    }

    /// Ends the browser.
    ///
    /// # Panics
    /// If it does not end.
    pub async fn close(self) {
        self.client.close().await.expect("the browser ends");
    }
}

/// The x and y that a script has returned.
///
/// # Panics
/// If these are no numbers.
pub fn place_of(value: &Value) -> (f64, f64) {
    let number = |i: usize| value[i].as_f64().unwrap_or_else(|| panic!("no place: {value}"));
    (number(0), number(1))
}

/// The command of ChromeDriver that tells what the console says.
#[derive(Debug)]
struct Log;

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}
