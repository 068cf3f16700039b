//! Commands and their keys.

use std::ops::Range;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

macro_rules! commands {
    ($($name:ident: $code:expr, $key:literal, $english:literal, $german:literal;)*) => {
        /// A command of a key, the menu or the mouse.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum UserCommand {
            $($name,)*
            Menu,
            Quit,
            /// Takes the next piece with this number of cells.
            OfSize(usize),
            /// Moves the held piece by cells to the right and down.
            Move(i32, i32),
        }

        impl UserCommand {
            /// All commands of the menu.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the key of a command of the menu. A lowercase letter also matches its capital, unless the
            /// capital has its own command.
            const fn code(self) -> Option<KeyCode> {
                match self {
                    $(Self::$name => Some($code),)*
                    _ => None,
                }
            }

            /// Returns the label of the key.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                    Self::Menu => "Esc",
                    Self::Quit => "Q",
                    Self::OfSize(_) => "1-5",
                    Self::Move(..) => "←↑↓→",
                }
            }

            /// Returns the names of a command of the menu or the keys in English and German.
            pub const fn names(self) -> Option<[&'static str; 2]> {
                match self {
                    $(Self::$name => Some([$english, $german]),)*
                    Self::Quit => Some(["Quit", "Beenden"]),
                    Self::Move(..) => Some(["Move", "Bewegen"]),
                    _ => None,
                }
            }
        }
    };
}

commands! {
    NextPiece: KeyCode::Tab, "Tab", "Next piece", "Nächster Stein";
    PreviousPiece: KeyCode::BackTab, "⇧Tab", "Previous piece", "Voriger Stein";
    Turn: KeyCode::Char('r'), "R", "Rotate", "Drehen";
    TurnBack: KeyCode::Char('R'), "⇧R", "Rotate back", "Zurückdrehen";
    Mirror: KeyCode::Char('f'), "F", "Flip", "Spiegeln";
    NextPlace: KeyCode::Char(' '), "Space", "Next legal place", "Nächster Platz";
    PreviousPlace: KeyCode::Backspace, "⌫", "Previous legal place", "Voriger erlaubter Platz";
    Place: KeyCode::Enter, "Enter", "Place", "Legen";
    PutBack: KeyCode::Esc, "Esc", "Put back", "Zurücklegen";
    Undo: KeyCode::Char('u'), "U", "Undo", "Zurücknehmen";
    Redo: KeyCode::Char('U'), "⇧U", "Redo", "Wiederholen";
    Hint: KeyCode::Char('h'), "H", "Hint", "Tipp";
    MoveNow: KeyCode::Char('m'), "M", "Move now", "Sofort ziehen";
    Pass: KeyCode::Char('p'), "P", "Pass", "Aussetzen";
    Resign: KeyCode::Char('x'), "X", "Resign", "Aufgeben";
    Pause: KeyCode::Char('z'), "Z", "Pause", "Pause";
    Analyse: KeyCode::Char('a'), "A", "Analyse", "Analyse";
    Better: KeyCode::Char('b'), "B", "Show better line", "Bessere Zugfolge zeigen";
    Back: KeyCode::Left, "←", "Previous move", "Voriger Zug";
    Forward: KeyCode::Right, "→", "Next move", "Nächster Zug";
    First: KeyCode::Home, "Home", "First move", "Zum Anfang";
    Last: KeyCode::End, "End", "Last move", "Zum Ende";
    Variation: KeyCode::Char('v'), "V", "Next variation", "Nächste Variante";
    GoOn: KeyCode::Char('g'), "G", "Continue from here", "Ab hier weiterspielen";
    Comment: KeyCode::Char('k'), "K", "Comment", "Kommentar";
    Slower: KeyCode::Char('-'), "-", "Slower", "Langsamer";
    Faster: KeyCode::Char('+'), "+", "Faster", "Schneller";
    Graph: KeyCode::Char('t'), "T", "Graph or pieces", "Graph oder Steine";
    Corners: KeyCode::Char('c'), "C", "Show corners", "Ecken zeigen";
    Reach: KeyCode::Char('e'), "E", "Show reach", "Reichweite zeigen";
    Letters: KeyCode::Char('l'), "L", "Show letters", "Buchstaben zeigen";
    New: KeyCode::Char('n'), "N", "New game", "Neue Partie";
    Recent: KeyCode::Char('w'), "W", "Recent games", "Letzte Partien";
    Open: KeyCode::Char('o'), "O", "Open", "Öffnen";
    Save: KeyCode::Char('s'), "S", "Save", "Speichern";
    Rules: KeyCode::Char('?'), "?", "Rules", "Regeln";
}

impl UserCommand {
    /// The groups of the menu as ranges of [`ALL`](Self::ALL): games, play, piece, moves, analysis, speed, show.
    pub const GROUPS: [Range<usize>; 7] = [31..36, 9..16, 0..9, 18..25, 16..18, 25..27, 27..31];

    /// Returns `true` if the command needs an open game.
    pub fn needs_game(self) -> bool {
        !matches!(self, Self::New | Self::Recent | Self::Open | Self::Rules | Self::Menu | Self::Quit)
    }

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
            KeyCode::Up => Self::Back,
            KeyCode::Down => Self::Forward,
            KeyCode::Esc if !is_holding => Self::Menu,
            KeyCode::F(1) => Self::Rules,
            KeyCode::Char(digit @ '1'..='5') => Self::OfSize(digit as usize - '0' as usize),
            KeyCode::Char('=') => Self::Faster,
            KeyCode::Char('q' | 'Q') => Self::Quit,
            code => {
                let find = |code| Self::ALL.iter().copied().find(|command| command.code() == Some(code));
                let small = |letter: char| KeyCode::Char(letter.to_ascii_lowercase());
                return find(code).or_else(|| find(small(code.as_char()?)));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_menu_command_has_its_own_key() {
        for &command in UserCommand::ALL {
            let key = KeyEvent::new(command.code().unwrap(), KeyModifiers::NONE);
            assert_eq!(UserCommand::of_key(key, command == UserCommand::PutBack), Some(command));
        }
        let large = KeyEvent::new(KeyCode::Char('H'), KeyModifiers::SHIFT);
        assert_eq!(UserCommand::of_key(large, false), Some(UserCommand::Hint));
    }
}
