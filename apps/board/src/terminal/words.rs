//! The texts of the terminal in English and German.

use std::env;

use game::{Color, Team};

use super::command::UserCommand;

macro_rules! words {
    ($($name:ident: $english:literal, $german:literal;)*) => {
        /// The texts of the terminal in one language.
        pub(super) struct Words {
            language: Language,
            $(pub $name: &'static str,)*
        }

        const ENGLISH: Words = Words { language: Language::English, $($name: $english,)* };
        const GERMAN: Words = Words { language: Language::German, $($name: $german,)* };
    };
}

/// A language, as an index of its texts.
#[derive(Clone, Copy)]
enum Language {
    English,
    German,
}

const COLORS: [[&str; 4]; 2] = [["Blue", "Yellow", "Red", "Green"], ["Blau", "Gelb", "Rot", "Grün"]];

const LETTERS: [[&str; 4]; 2] = [["B", "Y", "R", "G"], ["B", "Ge", "R", "Gr"]];

const TEAMS: [[&str; 2]; 2] = [["Blue and red", "Yellow and green"], ["Blau und Rot", "Gelb und Grün"]];

/// The groups of the menu, in the order of [`UserCommand::GROUPS`].
const GROUPS: [[&str; 7]; 2] = [
    ["Games", "Play", "Piece", "Moves", "Analysis", "Speed", "Display"],
    ["Partien", "Spielen", "Stein", "Züge", "Analyse", "Tempo", "Anzeige"],
];

words! {
    decimal_mark: ".", ",";
    person: "you", "du";
    guest: "guest", "Gast";
    level: "level", "Stufe";
    out: "out", "raus";
    round: "round", "Runde";
    pieces: "Pieces of", "Steine von";
    moves: "Moves", "Züge";
    one_move: "Move", "Zug";
    start_of_game: "start", "Anfang";
    search_share: "search", "Suche";
    win_share: "win", "gew.";
    margin: "margin", "Vorsprung";
    better: "better", "besser";
    graph: "Win probability of blue and red", "Gewinnchance von Blau und Rot";
    accuracy: "Accuracy", "Genauigkeit";
    analysing: "analysing", "Analyse";
    stops: "A stops", "A bricht ab";
    reach: "reaches", "erreicht";
    cells: "cells", "Felder";
    alone: "of them alone (▓)", "davon allein (▓)";
    // The status.
    your_move: "your move", "Du bist dran";
    is_on_turn: "to move", "ist dran";
    thinking: "is thinking …", "überlegt …";
    won: "won", "haben gewonnen";
    won_alone: "won", "hat gewonnen";
    draw: "Draw", "Unentschieden";
    resigned: "resigned", "haben aufgegeben";
    late: "lost on time", "haben die Zeit überschritten";
    left: "left the game", "haben die Partie verlassen";
    illegal: "made an illegal move", "haben einen verbotenen Zug gemacht";
    failed: "failed", "ist ausgefallen";
    server_message: "Server message", "Meldung des Servers";
    paused: "Paused; Z resumes", "Pause; Z setzt fort";
    other_position: "Another position; G continues from here", "Eine andere Stellung; G spielt ab hier weiter";
    first_piece: "The first piece must cover a start cell ◆; Tab picks it up",
        "Der erste Stein muss ein Startfeld ◆ bedecken; Tab nimmt ihn";
    start_with: "Start with piece", "Beginne mit dem Stein";
    on_start: "on a start cell ◆; Tab picks it up", "auf einem Startfeld ◆; Tab nimmt ihn";
    fits: "Legal; Enter places the piece", "Erlaubt; Enter legt den Stein";
    delay: "Delay between moves", "Pause zwischen Zügen";
    no_delay: "none", "keine";
    // Messages.
    resumed: "Your last game continues", "Deine letzte Partie geht weiter";
    saved: "Saved as", "Gespeichert als";
    exists: "This file exists already; choose another name", "Die Datei gibt es schon; nimm einen anderen Namen";
    nothing_to_place: "You hold no piece; Tab takes one", "Du hast keinen Stein in der Hand; Tab nimmt einen";
    not_now: "You cannot do this now", "Das geht jetzt nicht";
    no_such_size: "You can place no piece of this size", "Kein Stein dieser Größe passt noch";
    no_place: "The piece fits nowhere in this orientation", "So gedreht passt der Stein nirgends";
    no_better: "No better line is known; A analyses the game",
        "Keine bessere Zugfolge bekannt; A analysiert die Partie";
    engine_line: "Engine line, ← and → step; moves:", "Zugfolge des Programms, ← und → blättern; Züge:";
    no_pass: "You cannot pass now", "Du darfst jetzt nicht aussetzen";
    too_small: "The board needs 80 x 24, this terminal has", "Das Brett braucht 80 x 24, dieses Terminal hat";
    no_games: "No games yet", "Noch keine Partien";
    rules_of_play: "\
Blue and red play against yellow and green.
Blue moves first, then yellow, red, green.

The first piece covers a start cell ◆.
Every other piece touches one of its own colour at a corner,
but never along a side. It may touch other colours.

A colour that cannot place a piece is out.
The game ends when all four colours are out.

Each covered cell counts one point; more points win.
All 21 pieces of a colour count 15 more,
and another 5 if the single cell came last.", "\
Blau und Rot spielen gegen Gelb und Grün.
Blau beginnt, dann kommen Gelb, Rot und Grün.

Der erste Stein bedeckt ein Startfeld ◆.
Jeder weitere Stein berührt einen der eigenen Farbe an einer Ecke,
aber nie an einer Seite. Andere Farben darf er berühren.

Eine Farbe, die keinen Stein mehr legen kann, ist raus.
Die Partie endet, wenn alle vier Farben raus sind.

Jedes bedeckte Feld zählt einen Punkt; mehr Punkte gewinnen.
Legt eine Farbe alle 21 Steine, zählt das 15 Punkte extra,
und noch 5, wenn der Einer zuletzt kam.";
    // Dialogues.
    menu: "Menu", "Menü";
    new_game: "New game", "Neue Partie";
    rules: "Rules", "Regeln";
    start_piece: "First piece", "Erster Stein";
    drawn: "drawn", "ausgelost";
    clock: "Clock", "Uhr";
    no_clock: "none", "keine";
    minutes: "minutes per team", "Minuten je Team";
    seconds: "seconds per move", "Sekunden je Zug";
    begin: "Start game", "Partie starten";
    form_help: "↑↓ select   ←→ change   Enter start   ? rules   Esc back",
        "↑↓ wählen   ←→ ändern   Enter starten   ? Regeln   Esc zurück";
    open_prompt: "File name or position", "Dateiname oder Stellung";
    save_prompt: "Save as .blksgf, .jsonl, .xml or .html", "Speichern als .blksgf, .jsonl, .xml oder .html";
    comment_prompt: "Comment on this move", "Kommentar zu diesem Zug";
    prompt_help: "Enter confirm   Esc cancel", "Enter übernehmen   Esc abbrechen";
    recent: "Recent games", "Letzte Partien";
    really_resign: "Resign?", "Aufgeben?";
    yes: "Yes", "Ja";
    no: "No", "Nein";
    list_help: "↑↓ select   Enter run   Esc back", "↑↓ wählen   Enter ausführen   Esc zurück";
}

macro_rules! refusals {
    ($($name:ident: $english:literal, $german:literal;)*) => {
        /// Texts of refusals by name, in English and German; empty if the error's own text says more.
        const REFUSALS: &[(&str, [&str; 2])] = &[$((stringify!($name), [$english, $german])),*];
    };
}

refusals! {
    game_over: "The game is over.", "Die Partie ist vorbei.";
    wrong_color: "It is another colour's turn.", "Eine andere Farbe ist dran.";
    pass_on_first_move: "The first move of a colour must place a piece.",
        "Im ersten Zug legt jede Farbe einen Stein.";
    not_start_piece: "The first piece must be the drawn one.", "Der erste Stein muss der ausgeloste sein.";
    piece_not_left: "This piece is already on the board.", "Diesen Stein hast du schon gelegt.";
    out_of_bounds: "The piece does not fit on the board here.", "Hier ragt der Stein über das Brett hinaus.";
    obstructed: "A cell is already occupied.", "Ein Feld ist schon belegt.";
    touches_own_color: "Pieces of one colour must not share an edge.",
        "Steine derselben Farbe dürfen sich nicht an einer Seite berühren.";
    not_on_start: "The first piece must cover a start cell.", "Der erste Stein muss ein Startfeld bedecken.";
    no_shared_corner: "The piece must touch a corner of one of your own.",
        "Der Stein muss einen eigenen an einer Ecke berühren.";
    not_yours: "Someone else plays this colour.", "Diese Farbe spielt jemand anders.";
    stale: "The game has changed in the meantime.", "Die Partie hat sich inzwischen geändert.";
    nothing_to_undo: "There is nothing to undo.", "Du kannst nichts zurücknehmen.";
    nothing_to_redo: "There is nothing to redo.", "Du kannst nichts wiederholen.";
    time_up: "The time is up.", "Die Zeit ist abgelaufen.";
    paused: "The game is paused; Z resumes it.", "Die Partie ist pausiert; Z setzt sie fort.";
    no_engine: "No program is to move.", "Kein Programm ist am Zug.";
    here: "The game is already at this position.", "Die Partie steht schon an dieser Stelle.";
    file_empty: "The file is empty.", "Die Datei ist leer.";
    file_archive: "This is a ZIP archive. Unpack it first.", "Das ist ein ZIP-Archiv. Entpacke es zuerst.";
    file_no_game: "The file contains no game.", "Die Datei enthält keine Partie.";
    file_too_long: "A game in the file has too many moves or variations.",
        "Eine Partie der Datei hat zu viele Züge oder Varianten.";
    disk_full: "The disk is full; nothing was changed.", "Die Festplatte ist voll; nichts wurde geändert.";
    database_locked: "Another program has locked the games; nothing was changed.",
        "Ein anderes Programm sperrt die Partien; nichts wurde geändert.";
    database_damaged: "The file of the games is damaged; nothing was changed.",
        "Die Datei mit den Partien ist beschädigt; nichts wurde geändert.";
    no_replay: "", "Von Partien mit diesen Regeln gibt es keine Replays.";
    not_found: "", "Nimm .blksgf, .jsonl, .xml oder .html; diese Endung kenne ich nicht.";
    text_too_long: "", "Der Text ist zu lang.";
    too_long: "", "Die Partie hat die Höchstzahl an Zügen, Varianten oder Änderungen erreicht.";
    notation: "", "Das ist keine Stellung in unserer Notation.";
    no_piece: "", "Einige Felder bilden keinen Stein.";
    piece_twice: "", "Eine Farbe hat einen Stein zweimal gelegt.";
}

impl Words {
    /// Returns the texts in the language of the environment: German if it begins with `de`, else English.
    pub fn of_environment() -> &'static Self {
        let set = |name: &&str| env::var(name).is_ok_and(|value| !value.is_empty());
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set).unwrap_or("LANG");
        if env::var(name).is_ok_and(|value| value.starts_with("de")) { &GERMAN } else { &ENGLISH }
    }

    /// Returns the name of a command.
    pub fn command(&self, command: UserCommand) -> &'static str {
        command.names().map_or(self.menu, |names| names[self.language as usize])
    }

    /// Returns the label of a command's key.
    pub fn key(&self, command: UserCommand) -> &'static str {
        match (self.language, command) {
            (Language::German, UserCommand::NextPlace) => "Leertaste",
            (Language::German, UserCommand::First) => "Pos1",
            (Language::German, UserCommand::Last) => "Ende",
            _ => command.key(),
        }
    }

    /// Returns the groups of the menu.
    pub fn groups(&self) -> [&'static str; 7] {
        GROUPS[self.language as usize]
    }

    /// Returns the name of a colour.
    pub fn color(&self, color: Color) -> &'static str {
        COLORS[self.language as usize][color as usize]
    }

    /// Returns the letter of a colour on the board, or two if one is ambiguous.
    pub fn letter(&self, color: Color) -> &'static str {
        LETTERS[self.language as usize][color as usize]
    }

    /// Formats a number with the decimal mark of the language.
    pub fn decimal(&self, number: f32) -> String {
        number.to_string().replace('.', self.decimal_mark)
    }

    /// Returns the name of a team.
    pub fn team(&self, team: Team) -> &'static str {
        TEAMS[self.language as usize][team as usize]
    }

    /// Translates a refusal by its name and keeps what `text` has in backticks; returns `text` if there is no
    /// translation.
    pub fn refusal(&self, name: &str, text: &dyn std::fmt::Display) -> String {
        let text = text.to_string();
        let known = REFUSALS.iter().find(|(known, _)| *known == name).map(|(_, texts)| texts[self.language as usize]);
        match (known.filter(|known| !known.is_empty()), text.split('`').nth(1)) {
            (Some(known), Some(offending)) => format!("{}: `{offending}`", known.trim_end_matches('.')),
            (Some(known), None) => known.to_owned(),
            (None, _) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::rule_name;
    use game::IllegalMove;
    use std::collections::BTreeSet;

    #[test]
    fn languages_have_distinct_letters_and_their_decimal_mark() {
        assert_eq!((GERMAN.decimal(0.25).as_str(), ENGLISH.decimal(0.25).as_str()), ("0,25", "0.25"));
        for words in [&GERMAN, &ENGLISH] {
            assert_eq!(BTreeSet::from(Color::ALL.map(|color| words.letter(color))).len(), 4);
        }
    }

    #[test]
    fn refusal_keeps_offending_text() {
        let text = "expected blksgf, jsonl, xml or html, found `pdf`";
        let german = GERMAN.refusal("not_found", &text);
        assert!(german.starts_with("Nimm .blksgf") && german.ends_with("kenne ich nicht: `pdf`"), "{german}");
        assert_eq!(GERMAN.refusal("text_too_long", &"400 bytes"), "Der Text ist zu lang.");
        assert_eq!(ENGLISH.refusal("not_found", &text), text);
    }

    #[test]
    fn german_keys_have_german_names() {
        let keys = [UserCommand::NextPlace, UserCommand::First, UserCommand::Last, UserCommand::Turn];
        assert_eq!(keys.map(|command| GERMAN.key(command)), ["Leertaste", "Pos1", "Ende", "R"]);
        assert_eq!(keys.map(|command| ENGLISH.key(command)), ["Space", "Home", "End", "R"]);
    }

    #[test]
    fn every_rule_has_a_text() {
        use IllegalMove::*;
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
            assert_ne!(ENGLISH.refusal(name, &""), "", "{name}");
        }
    }
}
