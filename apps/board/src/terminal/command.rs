//! Commands and their keys.

use std::ops::Range;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

macro_rules! commands {
    ($($name:ident: $key:literal, $english:literal, $german:literal;)*) => {
        /// A command of a key, the menu or the mouse.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Command {
            $($name,)*
            Menu,
            Quit,
            /// Takes the next piece with this number of cells.
            OfSize(usize),
            /// Moves the held piece by cells to the right and down.
            Move(i32, i32),
        }

        impl Command {
            /// All commands of the menu.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The label of the key.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                    Self::Menu => "Esc",
                    Self::Quit => "Q",
                    Self::OfSize(_) => "1-5",
                    Self::Move(..) => "←↑↓→",
                }
            }

            /// The names of a command of the menu in English and German.
            pub const fn names(self) -> Option<[&'static str; 2]> {
                match self {
                    $(Self::$name => Some([$english, $german]),)*
                    _ => None,
                }
            }
        }
    };
}

commands! {
    NextPiece: "Tab", "Next piece", "Nächster Stein";
    PreviousPiece: "⇧Tab", "Previous piece", "Voriger Stein";
    Turn: "R", "Rotate", "Drehen";
    TurnBack: "⇧R", "Rotate back", "Zurückdrehen";
    Mirror: "F", "Flip", "Spiegeln";
    NextPlace: "Space", "Next legal place", "Nächster möglicher Platz";
    PreviousPlace: "⌫", "Previous legal place", "Voriger möglicher Platz";
    Place: "Enter", "Place", "Legen";
    PutBack: "Esc", "Put back", "Zurücklegen";
    Undo: "U", "Undo", "Zurücknehmen";
    Redo: "⇧U", "Redo", "Wiederholen";
    Hint: "H", "Hint", "Tipp";
    MoveNow: "M", "Move now", "Sofort ziehen";
    Pass: "P", "Pass", "Aussetzen";
    Resign: "X", "Resign", "Aufgeben";
    Pause: "Z", "Pause, resume", "Pause, fortsetzen";
    Analyse: "A", "Analyse, stop", "Analyse, abbrechen";
    Better: "B", "Show better line", "Bessere Zugfolge zeigen";
    Back: "←", "Previous move", "Voriger Zug";
    Forward: "→", "Next move", "Nächster Zug";
    First: "Home", "First move", "Zum Anfang";
    Last: "End", "Last move", "Zum Ende";
    Variation: "V", "Next variation", "Nächste Variante";
    GoOn: "G", "Continue from here", "Ab hier weiterspielen";
    Comment: "K", "Comment", "Kommentar";
    Slower: "-", "Slower", "Langsamer";
    Faster: "+", "Faster", "Schneller";
    Graph: "T", "Graph or pieces", "Graph oder Steine";
    Corners: "C", "Show corners", "Ecken zeigen";
    Reach: "E", "Show reach", "Reichweite zeigen";
    Letters: "L", "Show letters", "Buchstaben zeigen";
    New: "N", "New game", "Neue Partie";
    Recent: "W", "Recent games", "Letzte Partien";
    Open: "O", "Open", "Öffnen";
    Save: "S", "Save", "Speichern";
}

impl Command {
    /// The groups of the menu as ranges of [`ALL`](Self::ALL): games, play, piece, moves, analysis, speed, show.
    pub const GROUPS: [Range<usize>; 7] = [31..35, 9..16, 0..9, 18..25, 16..18, 25..27, 27..31];

    /// Returns the command of a key. Some depend on whether the hand holds a piece.
    pub fn of_key(key: KeyEvent, is_holding: bool) -> Option<Self> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(Self::Quit);
        }
        if key.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        let step = if key.modifiers.contains(KeyModifiers::SHIFT) { 5 } else { 1 };
        Some(match key.code {
            KeyCode::Left if is_holding => Self::Move(-step, 0),
            KeyCode::Right if is_holding => Self::Move(step, 0),
            KeyCode::Up if is_holding => Self::Move(0, -step),
            KeyCode::Down if is_holding => Self::Move(0, step),
            KeyCode::Left | KeyCode::Up => Self::Back,
            KeyCode::Right | KeyCode::Down => Self::Forward,
            KeyCode::Home => Self::First,
            KeyCode::End => Self::Last,
            KeyCode::Tab => Self::NextPiece,
            KeyCode::BackTab => Self::PreviousPiece,
            KeyCode::Enter => Self::Place,
            KeyCode::Backspace => Self::PreviousPlace,
            KeyCode::Esc if is_holding => Self::PutBack,
            KeyCode::Esc | KeyCode::F(1) | KeyCode::Char('?') => Self::Menu,
            KeyCode::Char(' ') => Self::NextPlace,
            KeyCode::Char(digit @ '1'..='5') => Self::OfSize(digit as usize - '0' as usize),
            KeyCode::Char('R') => Self::TurnBack,
            KeyCode::Char('U') => Self::Redo,
            KeyCode::Char('=') => Self::Faster,
            KeyCode::Char('q' | 'Q') => Self::Quit,
            KeyCode::Char(letter) => {
                let name = letter.to_ascii_uppercase();
                let is_named = |command: &Self| command.key().chars().eq([name]);
                return Self::ALL.iter().copied().find(is_named);
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_menu_command_has_a_key() {
        let special = |name| match name {
            "Tab" => (KeyCode::Tab, false),
            "⇧Tab" => (KeyCode::BackTab, false),
            "⇧R" => (KeyCode::Char('R'), true),
            "⇧U" => (KeyCode::Char('U'), true),
            "Space" => (KeyCode::Char(' '), false),
            "⌫" => (KeyCode::Backspace, false),
            "Enter" => (KeyCode::Enter, false),
            "Esc" => (KeyCode::Esc, true),
            "←" => (KeyCode::Left, false),
            "→" => (KeyCode::Right, false),
            "Home" => (KeyCode::Home, false),
            "End" => (KeyCode::End, false),
            letter => (KeyCode::Char(letter.chars().next().unwrap().to_ascii_lowercase()), false),
        };
        for &command in Command::ALL {
            let (code, is_holding) = special(command.key());
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            assert_eq!(Command::of_key(key, is_holding), Some(command));
        }
    }
}
