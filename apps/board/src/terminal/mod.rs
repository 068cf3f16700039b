//! The board in a terminal: with keys for everything, and with the mouse where the terminal has one.
//!
//! It uses the games of the service in the same process, without a network. A move is on the disk before it is shown,
//! so the game continues at the next start.
//!
//! | file | what |
//! |---|---|
//! | `screen` | taking the terminal over and giving it back |
//! | `end` | signals that ask the program to end |
//! | `notices` | what other parts of the program log |
//! | `app` | the state, and what keys and the mouse do to it |
//! | `table` | a game on the screen and its commands |
//! | `hand` | the piece in the hand |
//! | `seen` | the drawn state of a game |
//! | `command` | commands and their keys |
//! | `dialog`, `form` | menus, questions, and the form of a new game |
//! | `words` | English and German |
//! | `draw`, `board`, `side`, `graph`, `window`, `paint` | the picture |

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
mod paint;
mod screen;
mod seen;
mod side;
mod table;
mod window;
mod words;

use std::io;
use std::thread;

use ratatui::crossterm::event::{self, Event};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::service::{Config, GameRegistry, ServiceError, ServiceState};
use app::App;
use end::Ends;
pub use notices::Notices;
use screen::Screen;

/// Why there is no board in the terminal.
#[derive(Debug, Error)]
pub enum TerminalError {
    /// The file of the games or the engines cannot be used.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The terminal cannot be used, or is none.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Shows the board until somebody quits; then the exit code is 0. If the program is asked to end from outside, it is
/// that of the signal. What others log must go to the `notices`.
///
/// # Errors
/// [`TerminalError`]; the terminal is as it was before.
pub async fn run(config: &Config, notices: Notices) -> Result<u8, TerminalError> {
    let service = ServiceState::open(config, Handle::current())?;
    let mut ends = Ends::new()?;
    let mut screen = Screen::enter()?;
    let mut app = App::new(GameRegistry::new(service), notices);
    let mut events = events();
    loop {
        let patience = app.patience();
        app.refresh();
        screen.draw(|frame| draw::draw(&mut app, frame))?;
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => app.handle(event?),
                None => return Ok(0),
            },
            () = app.changed() => {}
            code = ends.next() => return Ok(code),
            () = tokio::time::sleep(patience) => {}
        }
        // A picture for each of many movements of the mouse would come too late.
        while let Ok(event) = events.try_recv() {
            app.handle(event?);
        }
        if app.is_done {
            return Ok(0);
        }
    }
}

/// What keys and mouse do, read on a thread that ends with the program.
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
