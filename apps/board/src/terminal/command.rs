//! Commands and their keys.

use std::ops::Range;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Something that can be done with a key, in the menu or with the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    NextPiece,
    PreviousPiece,
    Turn,
    TurnBack,
    Mirror,
    NextPlace,
    PreviousPlace,
    Place,
    PutBack,
    Undo,
    Redo,
    Hint,
    MoveNow,
    Pass,
    Resign,
    Pause,
    Analyse,
    Better,
    Back,
    Forward,
    First,
    Last,
    Variation,
    GoOn,
    Comment,
    Slower,
    Faster,
    Graph,
    Corners,
    Reach,
    Letters,
    New,
    Recent,
    Open,
    Save,
    // What follows is not in the menu under a name of its own.
    Menu,
    Quit,
    /// Takes the next piece with this number of cells.
    OfSize(usize),
    /// Moves the held piece by cells to the right and down.
    Move(i32, i32),
}

impl Command {
    /// The groups of the menu as ranges of [`ALL`](Self::ALL): games, play, piece, moves, analysis, speed, show.
    pub const GROUPS: [Range<usize>; 7] = [31..35, 9..16, 0..9, 18..25, 16..18, 25..27, 27..31];

    /// All commands of the menu.
    pub const ALL: [Self; 35] = [
        Self::NextPiece,
        Self::PreviousPiece,
        Self::Turn,
        Self::TurnBack,
        Self::Mirror,
        Self::NextPlace,
        Self::PreviousPlace,
        Self::Place,
        Self::PutBack,
        Self::Undo,
        Self::Redo,
        Self::Hint,
        Self::MoveNow,
        Self::Pass,
        Self::Resign,
        Self::Pause,
        Self::Analyse,
        Self::Better,
        Self::Back,
        Self::Forward,
        Self::First,
        Self::Last,
        Self::Variation,
        Self::GoOn,
        Self::Comment,
        Self::Slower,
        Self::Faster,
        Self::Graph,
        Self::Corners,
        Self::Reach,
        Self::Letters,
        Self::New,
        Self::Recent,
        Self::Open,
        Self::Save,
    ];

    /// The key, as it is written.
    pub const fn key(self) -> &'static str {
        match self {
            Self::NextPiece => "Tab",
            Self::PreviousPiece => "⇧Tab",
            Self::Turn => "R",
            Self::TurnBack => "⇧R",
            Self::Mirror => "F",
            Self::NextPlace => "Space",
            Self::PreviousPlace => "⌫",
            Self::Place => "Enter",
            Self::PutBack | Self::Menu => "Esc",
            Self::Undo => "U",
            Self::Redo => "⇧U",
            Self::Hint => "H",
            Self::MoveNow => "M",
            Self::Pass => "P",
            Self::Resign => "X",
            Self::Pause => "Z",
            Self::Analyse => "A",
            Self::Better => "B",
            Self::Back => "←",
            Self::Forward => "→",
            Self::First => "Home",
            Self::Last => "End",
            Self::Variation => "V",
            Self::GoOn => "G",
            Self::Comment => "K",
            Self::Slower => "-",
            Self::Faster => "+",
            Self::Graph => "T",
            Self::Corners => "C",
            Self::Reach => "E",
            Self::Letters => "L",
            Self::New => "N",
            Self::Recent => "W",
            Self::Open => "O",
            Self::Save => "S",
            Self::Quit => "Q",
            Self::OfSize(_) => "1-5",
            Self::Move(..) => "←↑↓→",
        }
    }

    /// What a key does, depending on whether a piece is in the hand.
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
                return Self::ALL.into_iter().find(is_named);
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
        for command in Command::ALL {
            let (code, is_holding) = special(command.key());
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            assert_eq!(Command::of_key(key, is_holding), Some(command));
        }
    }
}
