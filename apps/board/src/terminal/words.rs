//! The texts of the terminal in English and German.

use std::env;

use game::{Color, Team};

use super::command::Command;

/// The texts of the terminal in one language.
pub(super) struct Words {
    pub colors: [&'static str; 4],
    pub letters: [&'static str; 4],
    pub decimal_mark: &'static str,
    pub teams: [&'static str; 2],
    pub person: &'static str,
    pub guest: &'static str,
    pub level: &'static str,
    pub out: &'static str,
    pub round: &'static str,
    pub pieces: &'static str,
    pub moves: &'static str,
    pub one_move: &'static str,
    pub start_of_game: &'static str,
    pub win: &'static str,
    pub search_share: &'static str,
    pub win_share: &'static str,
    pub margin: &'static str,
    pub better: &'static str,
    pub graph: &'static str,
    pub accuracy: &'static str,
    pub analysing: &'static str,
    pub reach: &'static str,
    // The status.
    pub your_move: &'static str,
    pub is_on_turn: &'static str,
    pub thinking: &'static str,
    pub won: &'static str,
    pub draw: &'static str,
    pub resigned: &'static str,
    pub late: &'static str,
    pub left: &'static str,
    pub illegal: &'static str,
    pub troubled: &'static str,
    pub said: &'static str,
    pub paused: &'static str,
    pub looking_back: &'static str,
    pub fits: &'static str,
    pub pace: &'static str,
    pub full_speed: &'static str,
    // Messages.
    pub resumed: &'static str,
    pub saved: &'static str,
    pub exists: &'static str,
    pub cannot_open: &'static str,
    pub nothing_to_place: &'static str,
    pub not_your_turn: &'static str,
    pub no_such_size: &'static str,
    pub no_place: &'static str,
    pub no_better: &'static str,
    pub played_out: &'static str,
    pub no_pass: &'static str,
    pub too_small: &'static str,
    pub no_games: &'static str,
    // Dialogues.
    pub menu: &'static str,
    pub new_game: &'static str,
    pub rules: &'static str,
    pub start_piece: &'static str,
    pub drawn: &'static str,
    pub clock: &'static str,
    pub no_clock: &'static str,
    pub minutes: &'static str,
    pub seconds: &'static str,
    pub begin: &'static str,
    pub form_help: &'static str,
    pub open_prompt: &'static str,
    pub save_prompt: &'static str,
    pub comment_prompt: &'static str,
    pub prompt_help: &'static str,
    pub recent: &'static str,
    pub really_resign: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
    pub quit: &'static str,
    pub list_help: &'static str,
    /// The groups of the menu, in the order of [`Command::GROUPS`].
    pub groups: [&'static str; 7],
    /// The names of commands, in the order of [`Command::ALL`](super::command::Command::ALL).
    pub commands: [&'static str; 35],
    /// Texts of refusals by name.
    refusals: fn(&str) -> Option<&'static str>,
}

const ENGLISH: Words = Words {
    colors: ["Blue", "Yellow", "Red", "Green"],
    letters: ["B", "Y", "R", "G"],
    decimal_mark: ".",
    teams: ["Blue and red", "Yellow and green"],
    person: "you",
    guest: "elsewhere",
    level: "level",
    out: "out",
    round: "round",
    pieces: "Pieces of",
    moves: "Moves",
    one_move: "Move",
    start_of_game: "start",
    win: " win",
    search_share: "search",
    win_share: "win",
    margin: "margin",
    better: "better",
    graph: "Chance of blue and red",
    accuracy: "Accuracy",
    analysing: "analysing",
    reach: "reaches",
    your_move: "your move",
    is_on_turn: "to move",
    thinking: "is thinking …",
    won: "won",
    draw: "A draw",
    resigned: "resigned",
    late: "ran out of time",
    left: "left the game",
    illegal: "made an illegal move",
    troubled: "failed",
    said: "Server message",
    paused: "Paused",
    looking_back: "Looking back; G plays on from here",
    fits: "Legal: Enter places it",
    pace: "Pause of programs",
    full_speed: "no pause",
    resumed: "Your last game goes on",
    saved: "Saved as",
    exists: "This file exists; choose another name",
    cannot_open: "Cannot be opened",
    nothing_to_place: "No piece is in your hand; Tab takes one",
    not_your_turn: "It is not your turn",
    no_such_size: "No piece of this size is left that can be placed",
    no_place: "There is no legal place for the piece as it is turned",
    no_better: "No better line is known here; A analyses the game",
    played_out: "Line of the engine, ← and → step; moves:",
    no_pass: "You may not pass now",
    too_small: "This terminal is too small: the board needs 80 x 24",
    no_games: "No games yet",
    menu: "Menu",
    new_game: "New game",
    rules: "Rules",
    start_piece: "First piece",
    drawn: "drawn",
    clock: "Clock",
    no_clock: "none",
    minutes: "minutes a team",
    seconds: "seconds a move",
    begin: "Start game",
    form_help: "↑↓ choose   ←→ change   Enter start   Esc back",
    open_prompt: "A file, or a position in our notation",
    save_prompt: "Save as .blksgf, .txt, .jsonl, .xml or .html",
    comment_prompt: "A comment on this move",
    prompt_help: "Enter done   Esc back",
    recent: "Recent games",
    really_resign: "Resign?",
    yes: "Yes",
    no: "No",
    quit: "Quit",
    list_help: "↑↓ choose   Enter do it   Esc back",
    groups: ["Games", "Play", "Piece", "Moves", "Analysis", "Speed", "Show"],
    commands: [
        "Take the next piece",
        "Take the piece before",
        "Turn it",
        "Turn it back",
        "Mirror it",
        "Next legal place",
        "Legal place before",
        "Place it",
        "Put it back",
        "Undo",
        "Redo",
        "Hint",
        "Move now",
        "Pass",
        "Resign",
        "Pause, go on",
        "Analyse, stop",
        "Show the better line",
        "Previous move",
        "Next move",
        "To the start",
        "To the end",
        "Other variation",
        "Play on from here",
        "Comment",
        "Programs slower",
        "Programs faster",
        "Graph instead of the pieces",
        "Show corners",
        "Show reach",
        "Show letters",
        "New game",
        "Recent games",
        "Open",
        "Save",
    ],
    refusals: |name| {
        Some(match name {
            "game_over" => "The game is over.",
            "wrong_color" => "It is another colour's turn.",
            "pass_on_first_move" => "The first move of a colour must place a piece.",
            "not_start_piece" => "The first piece must be the one that was drawn.",
            "piece_not_left" => "This piece has been placed before.",
            "out_of_bounds" => "The piece does not fit on the board here.",
            "obstructed" => "A cell is covered already.",
            "touches_own_color" => "Pieces of one colour must not touch along a side.",
            "not_on_start" => "The first piece must cover a start cell.",
            "no_shared_corner" => "The piece must touch one of your own at a corner.",
            "not_yours" => "Someone else plays this colour.",
            "stale" => "The game has changed meanwhile.",
            "nothing_to_undo" => "There is nothing to undo.",
            "nothing_to_redo" => "There is nothing to redo.",
            "time_up" => "The time is up.",
            "paused" => "The game is paused; Z goes on.",
            "no_engine" => "No program is to move.",
            "here" => "The game stands here already.",
            "file_empty" => "The file is empty.",
            "file_no_game" => "There is no game in the file.",
            "file_too_long" => "A game of the file has too many moves and variations for the board.",
            "disk_full" => "The disk is full: nothing was changed.",
            "database_locked" => "Another program keeps the games locked: nothing was changed.",
            "database_damaged" => "The file of the games is damaged: nothing was changed.",
            _ => return None,
        })
    },
};

const GERMAN: Words = Words {
    colors: ["Blau", "Gelb", "Rot", "Grün"],
    letters: ["B", "Ge", "R", "Gr"],
    decimal_mark: ",",
    teams: ["Blau und Rot", "Gelb und Grün"],
    person: "du",
    guest: "woanders",
    level: "Stufe",
    out: "raus",
    round: "Runde",
    pieces: "Steine von",
    moves: "Züge",
    one_move: "Zug",
    start_of_game: "Anfang",
    win: "",
    search_share: "Suche",
    win_share: "gew.",
    margin: "Vorsprung",
    better: "besser",
    graph: "Chance von Blau und Rot",
    accuracy: "Genauigkeit",
    analysing: "Analyse",
    reach: "erreicht",
    your_move: "du bist dran",
    is_on_turn: "ist dran",
    thinking: "überlegt …",
    won: "haben gewonnen",
    draw: "Unentschieden",
    resigned: "haben aufgegeben",
    late: "haben die Zeit überschritten",
    left: "haben die Partie verlassen",
    illegal: "haben regelwidrig gezogen",
    troubled: "ist ausgefallen",
    said: "Meldung des Servers",
    paused: "Pause",
    looking_back: "Rückblick; G spielt ab hier weiter",
    fits: "Das geht: Enter legt den Stein",
    pace: "Pause der Programme",
    full_speed: "keine Pause",
    resumed: "Deine letzte Partie geht weiter",
    saved: "Gespeichert als",
    exists: "Die Datei gibt es schon; nimm einen anderen Namen",
    cannot_open: "Das lässt sich nicht öffnen",
    nothing_to_place: "Du hast keinen Stein in der Hand; Tab nimmt einen",
    not_your_turn: "Du bist nicht dran",
    no_such_size: "Von dieser Größe ist kein Stein mehr da, der passt",
    no_place: "So gedreht passt der Stein nirgends",
    no_better: "Hier ist keine bessere Folge bekannt; A analysiert die Partie",
    played_out: "Zugfolge des Programms, weiter mit ← und →; Züge:",
    no_pass: "Du darfst jetzt nicht aussetzen",
    too_small: "Dieses Terminal ist zu klein: Das Brett braucht 80 x 24",
    no_games: "Noch keine Partien",
    menu: "Menü",
    new_game: "Neue Partie",
    rules: "Regeln",
    start_piece: "Erster Stein",
    drawn: "ausgelost",
    clock: "Uhr",
    no_clock: "keine",
    minutes: "Minuten je Team",
    seconds: "Sekunden je Zug",
    begin: "Spiel starten",
    form_help: "↑↓ wählen   ←→ ändern   Enter los   Esc zurück",
    open_prompt: "Eine Datei oder eine Stellung in unserer Notation",
    save_prompt: "Speichern als .blksgf, .txt, .jsonl, .xml oder .html",
    comment_prompt: "Ein Kommentar zu diesem Zug",
    prompt_help: "Enter fertig   Esc zurück",
    recent: "Letzte Partien",
    really_resign: "Aufgeben?",
    yes: "Ja",
    no: "Nein",
    quit: "Beenden",
    list_help: "↑↓ wählen   Enter ausführen   Esc zurück",
    groups: ["Partien", "Spielen", "Stein", "Züge", "Analyse", "Tempo", "Anzeige"],
    commands: [
        "Nächsten Stein nehmen",
        "Stein davor nehmen",
        "Drehen",
        "Zurückdrehen",
        "Spiegeln",
        "Nächster möglicher Platz",
        "Möglicher Platz davor",
        "Legen",
        "Zurücklegen",
        "Zurücknehmen",
        "Wiederholen",
        "Tipp",
        "Sofort ziehen",
        "Aussetzen",
        "Aufgeben",
        "Pause, weiter",
        "Analyse, abbrechen",
        "Bessere Zugfolge zeigen",
        "Voriger Zug",
        "Nächster Zug",
        "Zum Anfang",
        "Zum Ende",
        "Andere Variante",
        "Ab hier weiterspielen",
        "Kommentar",
        "Programme langsamer",
        "Programme schneller",
        "Graph statt der Steine",
        "Ecken zeigen",
        "Reichweite zeigen",
        "Buchstaben zeigen",
        "Neue Partie",
        "Letzte Partien",
        "Öffnen",
        "Speichern",
    ],
    refusals: |name| {
        Some(match name {
            "game_over" => "Die Partie ist vorbei.",
            "wrong_color" => "Eine andere Farbe ist dran.",
            "pass_on_first_move" => "Im ersten Zug legt jede Farbe einen Stein.",
            "not_start_piece" => "Der erste Stein muss der ausgeloste sein.",
            "piece_not_left" => "Diesen Stein hast du schon gelegt.",
            "out_of_bounds" => "Hier ragt der Stein über das Brett hinaus.",
            "obstructed" => "Ein Feld ist schon belegt.",
            "touches_own_color" => "Steine derselben Farbe dürfen sich nicht an einer Seite berühren.",
            "not_on_start" => "Der erste Stein muss ein Startfeld bedecken.",
            "no_shared_corner" => "Der Stein muss einen eigenen an einer Ecke berühren.",
            "not_yours" => "Diese Farbe spielt jemand anders.",
            "stale" => "Inzwischen hat sich die Partie geändert.",
            "nothing_to_undo" => "Du kannst nichts zurücknehmen.",
            "nothing_to_redo" => "Du kannst nichts wiederholen.",
            "time_up" => "Die Zeit ist abgelaufen.",
            "paused" => "Die Partie macht Pause; Z setzt sie fort.",
            "no_engine" => "Es ist kein Programm am Zug.",
            "here" => "Die Partie steht schon hier.",
            "file_empty" => "Die Datei ist leer.",
            "file_no_game" => "In der Datei ist keine Partie.",
            "file_too_long" => "Eine Partie der Datei hat zu viele Züge und Varianten für das Brett.",
            "disk_full" => "Die Festplatte ist voll: Nichts wurde geändert.",
            "database_locked" => "Ein anderes Programm hält die Partien gesperrt: Nichts wurde geändert.",
            "database_damaged" => "Die Datei mit den Partien ist beschädigt: Nichts wurde geändert.",
            _ => return None,
        })
    },
};

impl Words {
    /// The texts in the language of the environment: German where it begins with `de`, English elsewhere.
    pub fn of_environment() -> &'static Self {
        let set = |name: &&str| env::var(name).is_ok_and(|value| !value.is_empty());
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set).unwrap_or("LANG");
        if env::var(name).is_ok_and(|value| value.starts_with("de")) { &GERMAN } else { &ENGLISH }
    }

    /// The name of a command.
    pub fn command(&self, command: Command) -> &'static str {
        let known = Command::ALL.iter().position(|&other| other == command);
        known.map_or(self.menu, |number| self.commands[number])
    }

    /// A colour.
    pub fn color(&self, color: Color) -> &'static str {
        self.colors[color as usize]
    }

    /// The letter of a colour on the board; two where one is ambiguous.
    pub fn letter(&self, color: Color) -> &'static str {
        self.letters[color as usize]
    }

    /// A number with the decimal mark of the language.
    pub fn decimal(&self, number: f32) -> String {
        number.to_string().replace('.', self.decimal_mark)
    }

    /// A team.
    pub fn team(&self, team: Team) -> &'static str {
        self.teams[team as usize]
    }

    /// The text of a refusal, by its name; `text` if the name is unknown.
    pub fn refusal(&self, name: &str, text: &dyn std::fmt::Display) -> String {
        (self.refusals)(name).map_or_else(|| text.to_string(), str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::rule_name;
    use game::Refusal;

    #[test]
    fn german_has_its_own_letters_and_decimal_mark() {
        assert_eq!((GERMAN.decimal(0.25).as_str(), ENGLISH.decimal(0.25).as_str()), ("0,25", "0.25"));
        for words in [&GERMAN, &ENGLISH] {
            let mut letters = words.letters;
            letters.sort_unstable();
            assert!(letters.windows(2).all(|pair| pair[0] != pair[1]));
        }
        assert_ne!(GERMAN.letter(Color::Yellow), GERMAN.letter(Color::Green));
    }

    #[test]
    fn every_rule_has_words_in_both_languages() {
        use Refusal::*;
        let all = [
            GameOver,
            WrongColor,
            PassOnFirstMove,
            NotStartPiece,
            PieceNotLeft,
            OutOfBounds,
            Obstructed,
            TouchesOwnColor,
            NotOnStart,
            NoSharedCorner,
        ];
        for name in all.map(rule_name) {
            assert!((ENGLISH.refusals)(name).is_some() && (GERMAN.refusals)(name).is_some(), "{name}");
        }
    }
}
