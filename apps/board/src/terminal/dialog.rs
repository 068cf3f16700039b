//! Menus, forms and prompts over the board.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use record::Verdict;

use super::command::UserCommand;
use super::form::{BEGIN, Form, player_name};
use super::words::Words;
use crate::session::{Seat, Session, Summary};

/// Maximum length of a typed or pasted text in bytes.
const MAX_TEXT: usize = 4_000;

/// A dialogue over the board.
pub(super) enum Dialog {
    List(List),
    Form(Form),
    Prompt(Prompt),
}

/// A list of choices.
pub(super) struct List {
    pub title: &'static str,
    /// Items: text, key and choice.
    pub items: Vec<(String, &'static str, ListChoice)>,
    pub selected: usize,
}

/// A prompt for a line of text.
pub(super) struct Prompt {
    pub title: &'static str,
    pub text: String,
    pub purpose: PromptPurpose,
}

/// Purpose of a typed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PromptPurpose {
    Open,
    Save,
    /// A comment on the move to this node.
    Comment(usize),
}

/// Result of choosing an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ListChoice {
    Command(UserCommand),
    /// Opens the game of a link.
    Game(String),
    Resign,
    Nothing,
    /// A heading, which cannot be chosen.
    Heading,
}

/// Result of a key or click.
pub(super) enum DialogResult {
    /// The dialogue stays open.
    Open,
    /// The dialogue is cancelled.
    Back,
    Chosen(ListChoice),
    Begin,
    Typed(PromptPurpose, String),
}

impl Dialog {
    /// Returns `true` for a list with this title.
    pub fn is_titled(&self, title: &str) -> bool {
        matches!(self, Self::List(list) if list.title == title)
    }

    /// Handles a key.
    pub fn key(&mut self, key: KeyEvent) -> DialogResult {
        if key.code == KeyCode::Esc || (key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL) {
            return DialogResult::Back;
        }
        match self {
            Self::List(list) => list.key(key.code),
            Self::Form(form) => form_key(form, key.code),
            Self::Prompt(prompt) => prompt.key(key),
        }
    }

    /// Handles a click on a line.
    pub fn click(&mut self, line: usize) -> DialogResult {
        match self {
            Self::List(list) => {
                list.selected = line.min(list.items.len().saturating_sub(1));
                list.key(KeyCode::Enter)
            }
            Self::Form(form) => {
                form.line = line.min(BEGIN);
                form_key(form, if form.line == BEGIN { KeyCode::Enter } else { KeyCode::Right })
            }
            Self::Prompt(_) => DialogResult::Open,
        }
    }

    /// Inserts pasted text.
    pub fn paste(&mut self, text: &str) {
        if let Self::Prompt(prompt) = self {
            text.chars().filter(|letter| !letter.is_control()).for_each(|letter| prompt.push(letter));
        }
    }
}

impl List {
    /// Selects an item, or the next one in the direction if it is a heading.
    pub fn select(&mut self, item: usize, is_up: bool) {
        let count = self.items.len();
        let step = |n: usize| if is_up { (item + count - n) % count } else { (item + n) % count };
        let is_item = |n: &usize| self.items[*n].2 != ListChoice::Heading;
        self.selected = (0..count).map(step).find(is_item).unwrap_or(item);
    }

    fn key(&mut self, key: KeyCode) -> DialogResult {
        let last = self.items.len().saturating_sub(1);
        let (next, is_up) = match key {
            KeyCode::Up => (self.selected.checked_sub(1).unwrap_or(last), true),
            KeyCode::Down | KeyCode::Tab => (if self.selected < last { self.selected + 1 } else { 0 }, false),
            KeyCode::PageUp => (self.selected.saturating_sub(10), true),
            KeyCode::PageDown => ((self.selected + 10).min(last), false),
            KeyCode::Home => (0, false),
            KeyCode::End => (last, true),
            _ => (self.selected, false),
        };
        self.select(next, is_up);
        match (key, self.items.get(self.selected)) {
            (KeyCode::Enter, Some((_, _, ListChoice::Heading))) => DialogResult::Open,
            (KeyCode::Enter, Some((_, _, choice))) => DialogResult::Chosen(choice.clone()),
            (KeyCode::Enter, None) => DialogResult::Back,
            (KeyCode::Char(letter), _) => {
                let name = letter.to_uppercase().to_string();
                let found = self.items.iter().find(|(_, key, _)| *key == name);
                found.map_or(DialogResult::Open, |(_, _, choice)| DialogResult::Chosen(choice.clone()))
            }
            _ => DialogResult::Open,
        }
    }
}

fn form_key(form: &mut Form, key: KeyCode) -> DialogResult {
    match key {
        KeyCode::Up | KeyCode::BackTab => form.step(-1),
        KeyCode::Down | KeyCode::Tab => form.step(1),
        KeyCode::Left => form.change(-1),
        KeyCode::Right | KeyCode::Char(' ') => form.change(1),
        KeyCode::Enter => return DialogResult::Begin,
        KeyCode::Char('?') => return DialogResult::Chosen(ListChoice::Command(UserCommand::Rules)),
        _ => {}
    }
    DialogResult::Open
}

impl Prompt {
    fn key(&mut self, key: KeyEvent) -> DialogResult {
        match key.code {
            KeyCode::Enter => return DialogResult::Typed(self.purpose, std::mem::take(&mut self.text)),
            KeyCode::Backspace => drop(self.text.pop()),
            KeyCode::Char('u') if key.modifiers == KeyModifiers::CONTROL => self.text.clear(),
            KeyCode::Char(letter) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.push(letter);
            }
            _ => {}
        }
        DialogResult::Open
    }

    fn push(&mut self, letter: char) {
        if self.text.len() + letter.len_utf8() <= MAX_TEXT {
            self.text.push(letter);
        }
    }
}

/// Describes a game in one line.
pub(super) fn describe(session: &Session, words: &Words) -> String {
    let Summary { rules, moves, names, seats, points, result, .. } = Summary::of(session);
    let [blue, yellow, red, green] = &seats;
    let team = |name: &str, seats: [&Seat; 2]| {
        let [first, second] = seats.map(|seat| player_name(name, seat, words));
        if first == second { first } else { format!("{first}, {second}") }
    };
    let unit = if moves == 1 { words.one_move } else { words.moves };
    let end = if result == Verdict::Unfinished { " …" } else { "" };
    let players = match rules.has_teams() {
        true => vec![team(&names[0], [blue, red]), team(&names[1], [yellow, green])],
        false => seats.iter().map(|seat| player_name("", seat, words)).collect(),
    };
    let points: Vec<String> = points.iter().map(i32::to_string).collect();
    format!("{rules}  {moves:>2} {unit}  {}  {}{end}", players.join(" – "), points.join(" : "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_skips_headings() {
        let item = |choice| (String::new(), "", choice);
        let items =
            [ListChoice::Heading, ListChoice::Nothing, ListChoice::Heading, ListChoice::Resign].map(item).into();
        let mut list = List { title: "", items, selected: 1 };
        let mut press = |key| {
            list.key(key);
            list.selected
        };
        assert_eq!([KeyCode::Down, KeyCode::Down, KeyCode::Up, KeyCode::Home].map(&mut press), [3, 1, 3, 1]);
    }
}
