//! The board in a terminal, with keys and the mouse.
//!
//! It uses the games of the service in the same process, without a network. Each move is saved before it is shown, so
//! the game continues at the next start.
//!
//! | file | content |
//! |---|---|
//! | `screen` | the raw terminal: enters and restores it |
//! | `end` | signals that end the program |
//! | `notices` | log messages for the last line |
//! | `app` | the state, and its input handling |
//! | `open_game` | the open game and its commands |
//! | `hand` | the held piece |
//! | `snapshot` | the drawn state of a game |
//! | `command` | commands and their keys |
//! | `dialog`, `form` | menus, questions, and the form of a new game |
//! | `words` | texts in English and German |
//! | `draw`, `board`, `side`, `graph`, `window`, `paint` | drawing |

mod app;
mod board;
mod command;
mod dialog;
mod draw;
mod end;
mod form;
mod graph;
mod hand;
mod notices;
mod open_game;
mod paint;
mod screen;
mod side;
mod snapshot;
mod window;
mod words;

use std::io;
use std::thread;

use ratatui::crossterm::event::{self, Event};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::service::{GameOptions, GameRegistry, ServiceError, ServiceState};
use app::App;
use end::EndSignals;
pub use notices::Notices;
use screen::Screen;

/// An error of the board in a terminal.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// The file of the games or the engines cannot be used.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Shows the board until the user quits or a signal ends the program. Returns the exit code. All log messages must go
/// to `notices`.
///
/// # Errors
/// [`TerminalError`]. The terminal is restored then.
pub async fn run(options: &GameOptions, notices: Notices) -> Result<u8, TerminalError> {
    let service = ServiceState::open(options, None, Handle::current())?;
    let mut ends = EndSignals::new()?;
    let mut screen = Screen::enter()?;
    let mut app = App::new(GameRegistry::new(service), notices);
    let mut events = events();
    loop {
        let delay = app.redraw_delay();
        app.refresh();
        screen.draw(|frame| draw::draw(&mut app, frame))?;
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => app.handle(event?),
                None => return Ok(0),
            },
            () = app.changed() => {}
            code = ends.next() => return Ok(code),
            () = tokio::time::sleep(delay) => {}
        }
        // Redrawing after each mouse event would lag behind.
        while let Ok(event) = events.try_recv() {
            app.handle(event?);
        }
        if app.is_done {
            return Ok(0);
        }
    }
}

/// Reads keys and mouse events on a thread of its own.
fn events() -> mpsc::Receiver<io::Result<Event>> {
    let (sender, receiver) = mpsc::channel(256);
    thread::spawn(move || {
        loop {
            let event = event::read();
            let is_last = event.is_err();
            if sender.blocking_send(event).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}
