//! What the terminal says, in English and German.

use std::env;

use game::{Color, Team};

use super::command::Command;

/// What the terminal says in one language.
pub(super) struct Words {
    pub colors: [&'static str; 4],
    pub teams: [&'static str; 2],
    pub person: &'static str,
    pub guest: &'static str,
    pub level: &'static str,
    pub out: &'static str,
    pub round: &'static str,
    pub pieces: &'static str,
    pub moves: &'static str,
    pub start_of_game: &'static str,
    pub win: &'static str,
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
    pub fault: &'static str,
    pub paused: &'static str,
    pub looking_back: &'static str,
    pub fits: &'static str,
    pub pace: &'static str,
    pub full_speed: &'static str,
    // Messages.
    pub resumed: &'static str,
    pub saved: &'static str,
    pub exists: &'static str,
    pub nothing_to_place: &'static str,
    pub not_your_turn: &'static str,
    pub no_such_size: &'static str,
    pub no_place: &'static str,
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
    /// What commands are called, in the order of [`Command::ALL`](super::command::Command::ALL).
    pub commands: [&'static str; 34],
    /// What was refused, by its name.
    refusals: fn(&str) -> Option<&'static str>,
}

const ENGLISH: Words = Words {
    colors: ["Blue", "Yellow", "Red", "Green"],
    teams: ["Blue and red", "Yellow and green"],
    person: "you",
    guest: "elsewhere",
    level: "level",
    out: "out",
    round: "round",
    pieces: "Pieces of",
    moves: "Moves",
    start_of_game: "start",
    win: " win",
    margin: "margin",
    better: "better",
    graph: "Chance of blue and red",
    accuracy: "Accuracy",
    analysing: "analysing",
    reach: "reaches",
    your_move: "your move",
    is_on_turn: "is on turn",
    thinking: "is thinking …",
    won: "won",
    draw: "A draw",
    resigned: "resigned",
    late: "ran out of time",
    fault: "lost by a fault",
    paused: "Paused",
    looking_back: "Looking back; G goes on from here",
    fits: "Legal: Enter places it",
    pace: "Between moves of programs",
    full_speed: "no pause",
    resumed: "Your last game goes on",
    saved: "Saved as",
    exists: "There is such a file already; choose another name",
    nothing_to_place: "No piece is in your hand; Tab takes one",
    not_your_turn: "It is not your turn",
    no_such_size: "No piece of this size is left that can be placed",
    no_place: "There is no legal place for the piece as it is turned",
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
    begin: "Start",
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
        "One move back",
        "One move on",
        "To the start",
        "To the end",
        "Other variation",
        "Go on from here",
        "Comment",
        "Bots slower",
        "Bots faster",
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
            "wrong_color" => "Another colour is on turn.",
            "pass_on_first_move" => "The first move of a colour must place a piece.",
            "not_start_piece" => "The first piece must be the one that was drawn.",
            "piece_not_left" => "This piece has been placed before.",
            "out_of_bounds" => "The piece does not fit on the board here.",
            "obstructed" => "A cell is covered already.",
            "touches_own_color" => "Pieces of one colour must not touch along a side.",
            "not_on_start" => "The first piece must cover a start cell.",
            "no_shared_corner" => "The piece must touch one of your own at a corner.",
            "not_yours" => "Somebody else plays this colour.",
            "stale" => "The game has changed meanwhile.",
            "nothing_to_undo" => "There is nothing to take back.",
            "nothing_to_redo" => "There is nothing to do again.",
            "time_up" => "The time is up.",
            "paused" => "The game is paused; Z goes on.",
            "no_engine" => "No program is to move.",
            "here" => "The game stands here already.",
            _ => return None,
        })
    },
};

const GERMAN: Words = Words {
    colors: ["Blau", "Gelb", "Rot", "Grün"],
    teams: ["Blau und Rot", "Gelb und Grün"],
    person: "du",
    guest: "woanders",
    level: "Stufe",
    out: "fertig",
    round: "Runde",
    pieces: "Steine von",
    moves: "Züge",
    start_of_game: "Anfang",
    win: "",
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
    fault: "haben durch einen Regelverstoß verloren",
    paused: "Pause",
    looking_back: "Rückblick; mit G geht es von hier weiter",
    fits: "Das geht: Enter legt den Stein",
    pace: "Zwischen Zügen von Programmen",
    full_speed: "keine Pause",
    resumed: "Deine letzte Partie geht weiter",
    saved: "Gespeichert als",
    exists: "Die Datei gibt es schon; nimm einen anderen Namen",
    nothing_to_place: "Du hast keinen Stein in der Hand; Tab nimmt einen",
    not_your_turn: "Du bist nicht dran",
    no_such_size: "Von dieser Größe ist kein Stein mehr da, der passt",
    no_place: "So gedreht passt der Stein nirgends",
    no_pass: "Du darfst jetzt nicht passen",
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
    begin: "Los",
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
        "Zieh jetzt",
        "Passen",
        "Aufgeben",
        "Pause, weiter",
        "Analyse, abbrechen",
        "Ein Zug zurück",
        "Ein Zug vor",
        "Zum Anfang",
        "Zum Ende",
        "Andere Variante",
        "Von hier weiter",
        "Kommentar",
        "Bots langsamer",
        "Bots schneller",
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
            "pass_on_first_move" => "Im ersten Zug muss jede Farbe einen Stein legen.",
            "not_start_piece" => "Der erste Stein muss der ausgeloste sein.",
            "piece_not_left" => "Diesen Stein hast du schon gelegt.",
            "out_of_bounds" => "Hier ragt der Stein über das Brett hinaus.",
            "obstructed" => "Ein Feld ist schon belegt.",
            "touches_own_color" => "Steine derselben Farbe dürfen sich nicht an einer Seite berühren.",
            "not_on_start" => "Der erste Stein muss ein Startfeld bedecken.",
            "no_shared_corner" => "Der Stein muss einen eigenen an einer Ecke berühren.",
            "not_yours" => "Diese Farbe spielt jemand anders.",
            "stale" => "Inzwischen hat sich die Partie geändert.",
            "nothing_to_undo" => "Es gibt nichts zurückzunehmen.",
            "nothing_to_redo" => "Es gibt nichts zu wiederholen.",
            "time_up" => "Die Zeit ist abgelaufen.",
            "paused" => "Die Partie macht Pause; Z setzt sie fort.",
            "no_engine" => "Es ist kein Programm am Zug.",
            "here" => "Die Partie steht schon hier.",
            _ => return None,
        })
    },
};

impl Words {
    /// Those of the language that the environment asks for: German where it begins with `de`, English elsewhere.
    pub fn of_environment() -> &'static Self {
        let set = |name: &&str| env::var(name).is_ok_and(|value| !value.is_empty());
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set).unwrap_or("LANG");
        if env::var(name).is_ok_and(|value| value.starts_with("de")) { &GERMAN } else { &ENGLISH }
    }

    /// What a command is called.
    pub fn command(&self, command: Command) -> &'static str {
        let known = Command::ALL.iter().position(|&other| other == command);
        known.map_or(self.menu, |number| self.commands[number])
    }

    /// A colour.
    pub fn color(&self, color: Color) -> &'static str {
        self.colors[color as usize]
    }

    /// A team.
    pub fn team(&self, team: Team) -> &'static str {
        self.teams[team as usize]
    }

    /// What was refused, by its name; the text in English where there are no words for it.
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
