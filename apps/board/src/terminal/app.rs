//! The state of the terminal, and its input handling.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use game::Rules;
use picture::Terminal;
use ratatui::crossterm::event::{Event, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::command::UserCommand;
use super::dialog::{Dialog, DialogResult, List, ListChoice, Prompt, PromptPurpose, describe};
use super::form::Form;
use super::notices::Notices;
use super::open_game::OpenGame;
use super::paint::{ClickTarget, ClickTargets, Painter};
use super::words::Words;
use crate::new_game::NewGame;
use crate::service::{GameLink, GameRegistry, RequestError};
use crate::session::Action;

/// Maximum size of an opened file in bytes.
const MAX_FILE: u64 = 64 << 20;

/// Number of games in the list of recent games.
const RECENT: u32 = 20;

/// The state of the terminal.
pub(super) struct App {
    games: GameRegistry,
    notices: Notices,
    pub words: &'static Words,
    pub painter: Painter,
    pub game: Option<OpenGame>,
    /// The form of a new game as it was filled in last.
    form: Form,
    pub dialog: Option<Dialog>,
    /// Message on the last line until the next key or click.
    pub message: Option<String>,
    pub targets: ClickTargets,
    pub is_done: bool,
}

impl App {
    /// Continues the last game if it has not ended, else asks for a new one.
    pub fn new(games: GameRegistry, notices: Notices) -> Self {
        let painter = Painter { depth: Terminal::of_stdout().canvas().depth };
        let mut app = Self {
            form: Form::new(&games.programs()),
            games,
            notices,
            words: Words::of_environment(),
            painter,
            game: None,
            dialog: None,
            message: None,
            targets: ClickTargets::new(),
            is_done: false,
        };
        app.resume();
        app
    }

    fn resume(&mut self) {
        let last = self.games.recent(1).map(|games| games.into_iter().next());
        match last {
            Ok(Some(last)) if self.games.load(&last).is_ok_and(|session| !session.is_over()) => {
                self.open_game(&last.token);
                self.message.get_or_insert_with(|| self.words.resumed.to_owned());
            }
            Ok(_) => self.dialog = Some(Dialog::Form(self.form.clone())),
            Err(error) => self.show_error(&error),
        }
        self.ensure_open();
    }

    /// Opens the menu if there is neither a game nor a dialogue.
    fn ensure_open(&mut self) {
        if self.game.is_none() && self.dialog.is_none() {
            self.dialog = Some(self.menu());
        }
    }

    fn show_error(&mut self, error: &RequestError) {
        self.message = Some(self.words.refusal(error.name(), error));
    }

    /// Opens the game of a link.
    fn open_game(&mut self, token: &str) {
        self.close_game();
        match self.games.find(token) {
            Ok((handle, _)) => self.game = Some(OpenGame::new(handle, self.words)),
            Err(error) => self.show_error(&error),
        }
    }

    /// Closes the game. Pauses it if only programs play.
    fn close_game(&mut self) {
        let Some(mut game) = self.game.take() else { return };
        let view = &game.snapshot.view;
        if !view.has_ended && !view.is_paused && view.colors.iter().all(|color| color.seat.is_engine()) {
            self.message = game.act(&Action::Pause);
        }
    }

    /// Opens a new game by the first of its links. Shows an error after `context`.
    fn open_created(&mut self, created: Result<Vec<GameLink>, RequestError>, context: &str) {
        match created {
            Ok(links) => links.first().map_or((), |host| self.open_game(&host.token)),
            Err(error) => self.message = Some(format!("{context}{}", self.words.refusal(error.name(), &error))),
        }
    }

    /// Waits for a change of the game, such as the move of a program.
    pub async fn changed(&mut self) {
        match &mut self.game {
            Some(game) => game.changed().await,
            None => std::future::pending().await,
        }
    }

    /// Updates the shown game and clock.
    pub fn refresh(&mut self) {
        if let Some(game) = &mut self.game {
            game.refresh();
        }
        if let Some(notice) = self.notices.take() {
            self.message = Some(notice);
        }
    }

    /// Returns the time until the next redraw: short if a clock runs.
    pub fn redraw_delay(&self) -> Duration {
        let is_timed = self.game.as_ref().is_some_and(OpenGame::is_timed);
        if is_timed { Duration::from_millis(200) } else { Duration::from_secs(3600) }
    }

    /// Handles an event of the terminal.
    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => {
                if let Some(dialog) = &mut self.dialog {
                    dialog.paste(&text);
                }
            }
            _ => {}
        }
        self.ensure_open();
    }

    fn key(&mut self, key: KeyEvent) {
        self.message = None;
        if let Some(mut dialog) = self.dialog.take() {
            let answer = dialog.key(key);
            return self.answer(dialog, answer);
        }
        let is_holding = self.game.as_ref().is_some_and(|game| game.hand.piece().is_some());
        if let Some(command) = UserCommand::of_key(key, is_holding) {
            self.command(command);
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let place = Position::new(mouse.column, mouse.row);
        let target = self.targets.iter().rev().find(|(area, _)| area.contains(place)).copied();
        if let Some(mut dialog) = self.dialog.take() {
            let answer = match (mouse.kind, target) {
                (MouseEventKind::Down(MouseButton::Left), Some((_, ClickTarget::Line(line)))) => dialog.click(line),
                _ => DialogResult::Open,
            };
            return self.answer(dialog, answer);
        }
        let Some(game) = &mut self.game else { return };
        let is_holding = game.hand.piece().is_some();
        if let Some((area, ClickTarget::Board { width, height })) = target
            && is_holding
        {
            let cell = ((mouse.column - area.x) / width, (mouse.row - area.y) / height);
            game.hand.go(cell.0.into(), cell.1.into());
        }
        let command = match (mouse.kind, target) {
            (MouseEventKind::Down(MouseButton::Left), Some((_, target))) => match target {
                ClickTarget::Board { .. } if is_holding => UserCommand::Place,
                ClickTarget::Piece(piece) if game.hand.piece() == Some(piece) => UserCommand::PutBack,
                ClickTarget::Piece(piece) => {
                    self.message = game.take(piece);
                    return;
                }
                ClickTarget::Node(node) => return game.look_at(node),
                ClickTarget::Command(command) => command,
                ClickTarget::Board { .. } | ClickTarget::Line(_) => return,
            },
            (MouseEventKind::Down(MouseButton::Right), _) if is_holding => UserCommand::Mirror,
            (MouseEventKind::ScrollDown, _) if is_holding => UserCommand::Turn,
            (MouseEventKind::ScrollUp, _) if is_holding => UserCommand::TurnBack,
            (MouseEventKind::ScrollDown, _) => UserCommand::Forward,
            (MouseEventKind::ScrollUp, _) => UserCommand::Back,
            _ => return,
        };
        self.message = None;
        self.command(command);
    }

    fn answer(&mut self, dialog: Dialog, answer: DialogResult) {
        match answer {
            DialogResult::Open => self.dialog = Some(dialog),
            // Escape from the menu without a game quits.
            DialogResult::Back if self.game.is_none() && dialog.is_titled(self.words.menu) => self.is_done = true,
            DialogResult::Back => {}
            DialogResult::Chosen(choice) => {
                if let Dialog::Form(form) = dialog {
                    self.form = form;
                }
                self.choose(choice);
            }
            DialogResult::Begin => {
                if let Dialog::Form(form) = dialog {
                    self.open_created(self.games.create(&form.game()), "");
                    self.form = form;
                }
            }
            DialogResult::Typed(purpose, text) => self.typed(purpose, text),
        }
    }

    fn choose(&mut self, choice: ListChoice) {
        match choice {
            ListChoice::Command(command) => self.command(command),
            ListChoice::Game(token) => self.open_game(&token),
            ListChoice::Resign => self.message = self.game.as_mut().and_then(OpenGame::resign),
            ListChoice::Nothing | ListChoice::Heading => {}
        }
    }

    fn typed(&mut self, purpose: PromptPurpose, text: String) {
        match (purpose, &mut self.game) {
            (PromptPurpose::Comment(node), Some(game)) => self.message = game.act(&Action::Comment { node, text }),
            _ if text.trim().is_empty() => {}
            (PromptPurpose::Save, Some(game)) => self.message = Some(game.save(text.trim())),
            (PromptPurpose::Open, _) => self.open(text.trim()),
            (PromptPurpose::Save | PromptPurpose::Comment(_), None) => {}
        }
    }

    /// Opens the first game of a file, or a position.
    fn open(&mut self, text: &str) {
        let is_position = text.split(' ').next().is_some_and(|word| word.parse::<Rules>().is_ok());
        if is_position && text.contains('/') {
            let created = self.games.create(&NewGame { position: Some(text.to_owned()), ..NewGame::default() });
            return self.open_created(created, "");
        }
        let mut bytes = Vec::new();
        if let Err(error) = std::fs::File::open(text).and_then(|file| file.take(MAX_FILE).read_to_end(&mut bytes)) {
            self.message = Some(format!("{text}: {error}"));
            return;
        }
        let games = self.games.import(&bytes);
        self.open_created(games.map(|games| games.into_iter().flatten().collect()), &format!("{text}: "));
    }

    /// Runs a command.
    fn command(&mut self, command: UserCommand) {
        let words = self.words;
        match (command, &mut self.game) {
            (UserCommand::Quit, _) => self.is_done = true,
            (UserCommand::Menu, _) => self.dialog = Some(self.menu()),
            (UserCommand::New, _) => self.dialog = Some(Dialog::Form(self.form.clone())),
            (UserCommand::Recent, _) => self.dialog = Some(self.recent()),
            (UserCommand::Rules, _) => {
                let items =
                    words.rules_of_play.lines().map(|line| (line.to_owned(), "", ListChoice::Nothing)).collect();
                self.dialog = Some(Dialog::List(List { title: words.rules, items, selected: 0 }));
            }
            (UserCommand::Open, _) => self.ask(words.open_prompt, String::new(), PromptPurpose::Open),
            (UserCommand::Save, Some(_)) => {
                let mut names = (1..).map(|n| format!("blokus-{n}.blksgf"));
                let free = names.find(|name| !Path::new(name).exists());
                self.ask(words.save_prompt, free.unwrap_or_default(), PromptPurpose::Save);
            }
            (UserCommand::Comment, Some(game)) => {
                let (node, text) = (game.snapshot.view.node, game.own_comment().to_owned());
                self.ask(words.comment_prompt, text, PromptPurpose::Comment(node));
            }
            (UserCommand::Resign, Some(_)) => {
                let items = [(words.no, ListChoice::Nothing), (words.yes, ListChoice::Resign)];
                let items = items.map(|(text, choice)| (text.to_owned(), "", choice)).into();
                self.dialog = Some(Dialog::List(List { title: words.really_resign, items, selected: 0 }));
            }
            (_, Some(game)) => self.message = game.command(command),
            (_, None) => {}
        }
    }

    fn ask(&mut self, title: &'static str, text: String, purpose: PromptPurpose) {
        self.dialog = Some(Dialog::Prompt(Prompt { title, text, purpose }));
    }

    /// Returns the menu of all commands with their keys, in groups; only the first group without a game.
    fn menu(&self) -> Dialog {
        let words = self.words;
        let item = |command| (words.command(command).to_owned(), words.key(command), ListChoice::Command(command));
        let mut items = Vec::new();
        for (name, range) in self.words.groups().into_iter().zip(UserCommand::GROUPS) {
            let commands = UserCommand::ALL[range].iter().copied();
            let usable = commands.filter(|command| self.game.is_some() || !command.needs_game()).map(item);
            let usable: Vec<_> = usable.collect();
            if !usable.is_empty() {
                items.push((name.to_owned(), "", ListChoice::Heading));
                items.extend(usable);
            }
        }
        items.push(item(UserCommand::Quit));
        Dialog::List(List { title: self.words.menu, items, selected: 1 })
    }

    /// Returns the list of recent games.
    fn recent(&mut self) -> Dialog {
        let games = self.games.recent(RECENT).unwrap_or_else(|error| {
            self.show_error(&error);
            Vec::new()
        });
        let items = games.into_iter().map(|game| {
            let text = match self.games.load(&game) {
                Ok(session) => describe(&session, self.words),
                Err(error) => error.to_string(),
            };
            (text, "", ListChoice::Game(game.token))
        });
        Dialog::List(List { title: self.words.recent, items: items.collect(), selected: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::ServiceState;
    use crate::session::By;
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};

    /// Returns the terminal with a new game of people, and the token of the game.
    fn app_with_game(folder: &Path) -> (App, String) {
        let mut app = App::new(GameRegistry::new(ServiceState::for_test(folder)), Notices::default());
        let game = NewGame { rules: Some(Rules::Classic), ..NewGame::default() };
        let token = app.games.create(&game).unwrap()[0].token.clone();
        (app.dialog, _) = (None, app.open_game(&token));
        (app, token)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn comment_stays_with_its_move() {
        let folder = tempfile::tempdir().unwrap();
        let (mut app, token) = app_with_game(folder.path());
        let (handle, _) = app.games.find(&token).unwrap();
        let play = |mv: &str| handle.act(Action::Play { mv: mv.parse().unwrap() }, By::Host, None).unwrap();
        play("MONO@0,0");
        app.refresh();
        let press = |app: &mut App, code| app.handle(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        press(&mut app, KeyCode::Char('k'));
        play("MONO@19,0");
        app.refresh();
        "solid".chars().for_each(|letter| press(&mut app, KeyCode::Char(letter)));
        press(&mut app, KeyCode::Enter);
        let record = handle.game().session().record();
        let comments: Vec<&str> = record.main_line().map(|id| record.node(id).note.comment.as_str()).collect();
        assert_eq!(comments, ["", "solid", ""]);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn actions_lead_back_to_the_current_position() {
        let folder = tempfile::tempdir().unwrap();
        let (mut app, _) = app_with_game(folder.path());
        let game = app.game.as_mut().unwrap();
        for action in [Action::Undo, Action::Resign { team: game::Team::One }] {
            game.act(&Action::Play { mv: "MONO@0,0".parse().unwrap() });
            game.command(UserCommand::Back);
            assert_ne!(game.snapshot.view.node, game.snapshot.view.current);
            assert_eq!(game.act(&action), None);
            assert_eq!(game.snapshot.view.node, game.snapshot.view.current, "{action:?}");
        }
    }
}
