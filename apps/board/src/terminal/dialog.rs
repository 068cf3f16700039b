//! Menus, forms and questions over the board.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::command::Command;
use super::form::{Field, Form};

/// The longest text that can be typed or pasted, in bytes.
const LONGEST_TEXT: usize = 4_000;

/// What lies over the board.
pub(super) enum Dialog {
    List(List),
    Form(Form),
    Prompt(Prompt),
}

/// Something to choose from.
pub(super) struct List {
    pub title: &'static str,
    /// What can be chosen: its text, its key, and what it does.
    pub items: Vec<(String, &'static str, Choice)>,
    pub selected: usize,
}

/// A line of text to type.
pub(super) struct Prompt {
    pub title: &'static str,
    pub text: String,
    pub purpose: Purpose,
}

/// What a text is typed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Open,
    Save,
    /// A comment about the move that led to the place with this number, wherever the game stands when it is typed.
    Comment(usize),
}

/// What is done when something was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    Command(Command),
    /// Opens the game of a link.
    Game(String),
    Resign,
    Nothing,
}

/// What comes of a key.
pub(super) enum Answer {
    /// Nothing yet.
    Open,
    /// The dialogue is given up.
    Back,
    Chosen(Choice),
    Begin,
    Typed(Purpose, String),
}

impl Dialog {
    /// What comes of a key.
    pub fn key(&mut self, key: KeyEvent) -> Answer {
        if key.code == KeyCode::Esc || (key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL) {
            return Answer::Back;
        }
        match self {
            Self::List(list) => list.key(key.code),
            Self::Form(form) => form_key(form, key.code),
            Self::Prompt(prompt) => prompt.key(key),
        }
    }

    /// Goes to a line with the mouse, and does what Enter does.
    pub fn click(&mut self, line: usize) -> Answer {
        match self {
            Self::List(list) => {
                list.selected = line;
                list.key(KeyCode::Enter)
            }
            Self::Form(form) => {
                form.line = line.min(Field::ALL.len() - 1);
                form_key(form, if form.field() == Field::Begin { KeyCode::Enter } else { KeyCode::Right })
            }
            Self::Prompt(_) => Answer::Open,
        }
    }

    /// Takes in what was pasted.
    pub fn paste(&mut self, text: &str) {
        if let Self::Prompt(prompt) = self {
            text.chars().filter(|letter| !letter.is_control()).for_each(|letter| prompt.push(letter));
        }
    }
}

impl List {
    fn key(&mut self, key: KeyCode) -> Answer {
        let last = self.items.len().saturating_sub(1);
        self.selected = match key {
            KeyCode::Up => self.selected.checked_sub(1).unwrap_or(last),
            KeyCode::Down | KeyCode::Tab => {
                if self.selected < last {
                    self.selected + 1
                } else {
                    0
                }
            }
            KeyCode::PageUp => self.selected.saturating_sub(10),
            KeyCode::PageDown => (self.selected + 10).min(last),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => self.selected,
        };
        match (key, self.items.get(self.selected)) {
            (KeyCode::Enter, Some((_, _, choice))) => Answer::Chosen(choice.clone()),
            (KeyCode::Enter, None) => Answer::Back,
            (KeyCode::Char(letter), _) => {
                let name = letter.to_uppercase().to_string();
                let found = self.items.iter().find(|(_, key, _)| *key == name);
                found.map_or(Answer::Open, |(_, _, choice)| Answer::Chosen(choice.clone()))
            }
            _ => Answer::Open,
        }
    }
}

fn form_key(form: &mut Form, key: KeyCode) -> Answer {
    match key {
        KeyCode::Up | KeyCode::BackTab => form.step(-1),
        KeyCode::Down | KeyCode::Tab => form.step(1),
        KeyCode::Left => form.change(-1),
        KeyCode::Right | KeyCode::Char(' ') => form.change(1),
        KeyCode::Enter => return Answer::Begin,
        _ => {}
    }
    Answer::Open
}

impl Prompt {
    fn key(&mut self, key: KeyEvent) -> Answer {
        match key.code {
            KeyCode::Enter => return Answer::Typed(self.purpose, std::mem::take(&mut self.text)),
            KeyCode::Backspace => drop(self.text.pop()),
            KeyCode::Char('u') if key.modifiers == KeyModifiers::CONTROL => self.text.clear(),
            KeyCode::Char(letter) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.push(letter);
            }
            _ => {}
        }
        Answer::Open
    }

    fn push(&mut self, letter: char) {
        if self.text.len() + letter.len_utf8() <= LONGEST_TEXT {
            self.text.push(letter);
        }
    }
}
