//! The tables of the tour, by name, in both languages.

use std::collections::BTreeMap;
use std::fmt::Write;

use game::{Color, Placement};
use protocol::{ClientMessage, Season, WireMove};

use crate::findings::{Findings, PLAYOUTS, Search};

/// Number of moves in a table.
const MOVES: usize = 6;

/// A language of the tour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
}

impl Language {
    /// One of two texts.
    fn say<'a>(self, english: &'a str, german: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::German => german,
        }
    }

    /// A number with this many digits behind the point, or the comma.
    fn decimal(self, number: f64, digits: usize) -> String {
        let text = format!("{number:.digits$}");
        if self == Self::German { text.replace('.', ",") } else { text }
    }

    /// A share as a percentage.
    fn percent(self, share: f64) -> String {
        format!("{} %", self.decimal(100.0 * share, 1))
    }

    /// Points with their sign.
    fn points(self, points: f64) -> String {
        let sign = if points < 0.0 { "−" } else { "+" };
        format!("{sign}{}", self.decimal(points.abs(), 1))
    }

    /// A whole number, its thousands apart.
    fn whole(self, number: u64) -> String {
        let (digits, separator) = (number.to_string(), self.say(",", "."));
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect::<Vec<_>>();
        groups.join(separator)
    }

    /// The name of a colour.
    fn color(self, color: Color) -> &'static str {
        match color {
            Color::Blue => self.say("blue", "Blau"),
            Color::Yellow => self.say("yellow", "Gelb"),
            Color::Red => self.say("red", "Rot"),
            Color::Green => self.say("green", "Grün"),
        }
    }
}

/// All blocks with their names.
pub fn all(findings: &Findings, language: Language) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("position", position(findings)),
        ("playout", playout(findings, language)),
        ("network", network(findings, language)),
        ("look", look(findings, language)),
        ("opinion", opinion(findings, language)),
        ("ending", ending(findings, language)),
        ("answer", answer(findings)),
    ])
}

/// A table of Markdown.
fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut text = format!("\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text + "\n"
}

/// Text that stands as it is.
fn code(text: &str) -> String {
    format!("\n```text\n{}\n```\n\n", text.trim_end())
}

fn position(findings: &Findings) -> String {
    code(&findings.position.to_string())
}

/// The most probable moves by the policy network, with the prior's probability.
fn look(findings: &Findings, language: Language) -> String {
    let head = [
        language.say("move", "Zug"),
        language.say("prior", "erster Eindruck"),
        language.say("policy network", "zweiter Blick"),
    ];
    let rows = findings.look.iter().take(MOVES).map(|&(placement, share)| {
        [format!("`{placement}`"), language.percent(share_of(placement, &findings.prior)), language.percent(share)]
    });
    table(head, rows)
}

/// The probability of a placement.
fn share_of(placement: Placement, shares: &[(Placement, f64)]) -> f64 {
    shares.iter().find(|&&(of, _)| of == placement).map_or(0.0, |&(_, share)| share)
}

fn playout(findings: &Findings, language: Language) -> String {
    let (_, moves) = findings.playout;
    let margins = &findings.margins;
    let mean = margins.iter().map(|&margin| f64::from(margin)).sum::<f64>() / margins.len() as f64;
    let won = margins.iter().filter(|&&margin| margin > 0).count() as f64 / margins.len() as f64;
    let one = margins.first().map_or(0.0, |&margin| f64::from(margin));
    let games = language.whole(PLAYOUTS as u64);
    let row = |english: &str, german: &str, value: String| [language.say(english, german).to_owned(), value];
    table(
        [language.say("what", "was"), language.say("number", "Zahl")],
        [
            row("moves to the end of the first game", "Züge bis zum Ende des ersten Spiels", moves.to_string()),
            row("its margin", "sein Punktevorsprung", language.points(one)),
            row("games", "Spiele", games),
            row("mean margin of all", "mittlerer Vorsprung aller Spiele", language.points(mean)),
            row("won", "gewonnen", language.percent(won)),
        ],
    )
}

fn network(findings: &Findings, language: Language) -> String {
    let [own, next, partner, last] = findings.position.color().turn_order().map(|color| language.color(color));
    let head = [language.say("input", "was es sieht"), own, next, partner, last];
    let row = |english: &str, german: &str, of: fn(&player::model::value_net::ColorFeatures) -> f32| {
        let [a, b, c, d] = findings.inputs.each_ref().map(|color| language.decimal(of(color).into(), 2));
        [language.say(english, german).to_owned(), a, b, c, d]
    };
    let rows = [
        row("`covered`: covered cells / 50", "`covered`: bedeckte Felder / 50", |of| of.covered),
        row("`pentominoes`: remaining pentominoes / 10", "`pentominoes`: übrige Fünfer / 10", |of| of.pentominoes),
        row("`anchors`: anchors / 20", "`anchors`: Anker / 20", |of| of.anchors),
        row("`mobility`: √placements / 20", "`mobility`: √Züge / 20", |of| of.mobility),
        row("`reached_first`: cells it reaches first / 50", "`reached_first`: zuerst erreichte Felder / 50", |of| {
            of.reached_first
        }),
        row(
            "`near_alone`: near cells that no opponent is near / 50",
            "`near_alone`: nahe Felder, die keinem Gegner nah sind / 50",
            |of| of.near_alone,
        ),
    ];
    let expected = language.percent(findings.expected.into());
    let says = language.say("Win probability for", "Das Netz erwartet für");
    format!("{}{says} {}: **{expected}**\n\n", table(head, rows), own)
}

fn opinion(findings: &Findings, language: Language) -> String {
    let head = [
        language.say("simulations", "Simulationen"),
        language.say("chooses", "wählt"),
        language.say("wins with", "gewinnt mit"),
        language.say("deepest", "am tiefsten"),
        language.say("expects", "erwartet"),
    ];
    let rows = findings.searches.iter().map(|Search { report, .. }| {
        let line = report.line.iter().take(4).map(|mv| format!("`{mv}`")).collect::<Vec<_>>().join(" ");
        let win = report.evaluation.map_or_else(String::new, |evaluation| language.percent(evaluation.win.into()));
        [language.whole(report.nodes), format!("`{}`", report.mv), win, report.depth.to_string(), line]
    });
    table(head, rows)
}

fn ending(findings: &Findings, language: Language) -> String {
    let ending = &findings.ending;
    table(
        [
            language.say("solved in turn", "gelöst in Zugnummer"),
            language.say("positions searched", "untersuchte Stellungen"),
            language.say("best move", "bester Zug"),
            language.say("margin of the side to move", "Vorsprung für den, der dran ist"),
        ],
        [[
            ending.turn.to_string(),
            language.whole(ending.nodes),
            format!("`{}`", ending.mv),
            language.points(ending.margin.into()),
        ]],
    )
}

/// The message with the chosen move.
fn answer(findings: &Findings) -> String {
    let mv = WireMove::new(findings.position.color(), findings.searches[1].report.mv);
    let message = ClientMessage::Move { room: "cb3bc426-5c70-48b9-9307-943bc328b503".to_owned(), mv };
    format!("\n```xml\n{}\n```\n\n", message.to_element(Season::Season2027).to_xml(0).trim())
}
