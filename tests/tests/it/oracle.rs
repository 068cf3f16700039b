//! Every recorded state of games that the official server played and judged.
//!
//! The format is described in `shared/oracle/README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use game::{Board, Cell, Color, ColorSet, IllegalMove, Move, Piece, Position, Shape, Team};
use protocol::Season;
use serde::Deserialize;
use tests::naive;
use tests::shared;

#[test]
fn games_of_2021_match_official_server() {
    replay(Season::Season2021);
}

#[test]
fn games_of_2027_match_official_server() {
    replay(Season::Season2027);
}

#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
enum Line {
    Header { kinds: Vec<String>, games: usize },
    Game { start: String },
    Ply(Box<Ply>),
    End(End),
}

#[derive(Deserialize)]
struct Ply {
    g: usize,
    p: usize,
    turn: u16,
    round: u16,
    color: String,
    valid: String,
    left: [u32; 4],
    mono: BTreeMap<String, bool>,
    pts: [i32; 4],
    team: [i32; 2],
    over: bool,
    board: Option<String>,
    n: usize,
    #[serde(default)]
    k: BTreeMap<String, usize>,
    legal: Option<BTreeMap<String, Vec<Vec<usize>>>>,
    #[serde(default)]
    bad: Vec<Bad>,
    r#move: Option<Played>,
}

/// Colour, piece, rotation, flipped, x, y, reason.
#[derive(Deserialize)]
struct Bad(String, String, String, bool, i32, i32, String);

#[derive(Deserialize)]
#[serde(untagged)]
enum Played {
    Place { color: String, kind: String, rotation: String, flipped: bool, x: i32, y: i32, cells: Vec<usize> },
    Skip { skip: String },
}

#[derive(Deserialize)]
struct End {
    plies: usize,
    turn: u16,
    round: u16,
    #[serde(rename = "validLeft")]
    valid_left: usize,
    parts: [[i32; 2]; 2],
    winner: Option<String>,
}

/// A game in both implementations of the rules.
struct Game {
    position: Position,
    naive: naive::Game,
    plies: usize,
}

fn replay(season: Season) {
    let Some(path) = shared::games(season) else { return };
    let rules = season.rules();
    let mut lines = BufReader::new(GzDecoder::new(File::open(path).unwrap()))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap());
    let Some(Line::Header { kinds, games }) = lines.next() else { panic!("the first line is the header") };
    assert_eq!(kinds, Piece::ALL.map(Piece::name));

    let mut game = None;
    let mut finished = 0;
    for line in lines {
        match line {
            Line::Header { .. } => panic!("a second header"),
            Line::Game { start } => {
                let start = Some(piece(&start));
                let position = Position::new(rules, start).unwrap();
                game = Some(Game { position, naive: naive::Game::new(rules, start), plies: 0 });
            }
            Line::Ply(ply) => {
                let game = game.as_mut().expect("a game begins before its plies");
                let place = format!("{rules}, game {}, ply {}", ply.g, ply.p);
                assert_state(&game.position, &ply, &place);
                assert_counts(&game.position, &ply, &place);
                if let Some(legal) = &ply.legal {
                    assert_legal_set(&game.position, legal, &place);
                }
                for bad in &ply.bad {
                    assert_illegal(game, bad, &place);
                }
                if let Some(played) = &ply.r#move {
                    game.play(played, &place);
                }
            }
            Line::End(end) => {
                let game = game.take().expect("a game begins before its end");
                assert_eq!(game.plies, end.plies);
                assert_result(&game.position, &end);
                finished += 1;
            }
        }
    }
    assert_eq!(finished, games);
}

fn assert_state(position: &Position, ply: &Ply, place: &str) {
    assert_eq!(position.turn(), ply.turn, "{place}");
    assert_eq!(position.round(), ply.round, "{place}");
    assert_eq!(position.color().name(), ply.color, "{place}");
    let valid: ColorSet = ply.valid.chars().filter_map(Color::from_letter).collect();
    assert_eq!(position.in_play(), valid, "{place}");
    assert_eq!(position.is_over(), ply.over, "{place}");
    assert_eq!(position.zobrist_hash(), position.recomputed_hash(), "{place}");
    for color in Color::ALL {
        let remaining = position.board().remaining_pieces(color);
        assert_eq!(remaining.bits(), ply.left[color as usize], "{place} {color}");
        assert_eq!(position.points(color), ply.pts[color as usize], "{place} {color}");
        assert_eq!(position.mono_last().contains(color), ply.mono.get(color.name()) == Some(&true), "{place} {color}");
        assert_eq!(remaining.is_empty(), ply.mono.contains_key(color.name()), "{place} {color}");
    }
    for team in Team::ALL {
        assert_eq!(position.team_points(team), ply.team[team as usize], "{place} {team}");
    }
    if let Some(board) = &ply.board {
        assert_eq!(letters(position.board()), *board, "{place}");
    }
    assert_eq!(position.to_string().parse(), Ok(*position), "{place}");
}

fn assert_counts(position: &Position, ply: &Ply, place: &str) {
    let (board, color) = (position.board(), position.color());
    // After the last colour was removed the server has nobody to generate moves for.
    if position.in_play().is_empty() {
        assert_eq!(ply.n, 0, "{place}");
        return;
    }
    assert_eq!(board.count_placements(color), ply.n, "{place}");
    assert_eq!(board.has_placement(color), ply.n > 0, "{place}");
    let list = board.placements(color);
    let mut counts = BTreeMap::new();
    for placement in &list {
        *counts.entry(placement.piece().name().to_owned()).or_default() += 1;
    }
    assert_eq!(counts, ply.k, "{place}");
    assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len(), "{place}: a placement twice");
}

fn assert_legal_set(position: &Position, legal: &BTreeMap<String, Vec<Vec<usize>>>, place: &str) {
    let official: BTreeSet<(&str, Vec<usize>)> =
        legal.iter().flat_map(|(kind, sets)| sets.iter().map(move |cells| (kind.as_str(), cells.clone()))).collect();
    // The server lists placements also after the end of the game.
    let list = position.board().placements(position.color());
    let generated: BTreeSet<_> =
        list.iter().map(|placement| (placement.piece().name(), numbers(placement.cells()))).collect();
    assert_eq!(generated, official, "{place}");
}

fn assert_illegal(game: &Game, bad: &Bad, place: &str) {
    let Bad(color, kind, rotation, flipped, x, y, official) = bad;
    let (color, shape) = (color.parse().unwrap(), shape(kind, rotation, *flipped));
    let reason = game.position.check_piece(color, shape, *x, *y).expect_err("illegal for the server");
    // The server checks one cell after the other: of several reasons it may name another first.
    let points = shape.cells().iter().map(|&(dx, dy)| (x + i32::from(dx), y + i32::from(dy))).collect();
    let reasons: Vec<IllegalMove> = game.naive.reasons_against(color, shape.piece(), &points).collect();
    let official = illegal_move(official);
    assert_eq!(reasons.first(), Some(&reason), "{place}: {shape} at {x}, {y}");
    assert!(reasons.contains(&official), "{place}: {shape} at {x}, {y}: {reasons:?}, the server: {official:?}");
    let of_cells = [IllegalMove::OutOfBounds, IllegalMove::Obstructed, IllegalMove::TouchesOwnColor];
    let same = reason == official || of_cells.contains(&reason) && of_cells.contains(&official);
    // When the round limit has ended the game, the server still names what else is wrong.
    assert!(same || game.position.is_over(), "{place}: {reason:?}, the server: {official:?}");
}

/// Translates the official name of a reason.
fn illegal_move(name: &str) -> IllegalMove {
    match name {
        "WRONG_COLOR" => IllegalMove::WrongColor,
        "WRONG_SHAPE" => IllegalMove::NotStartPiece,
        "DUPLICATE_SHAPE" => IllegalMove::PieceNotLeft,
        "OUT_OF_BOUNDS" => IllegalMove::OutOfBounds,
        "OBSTRUCTED" => IllegalMove::Obstructed,
        "TOUCHES_SAME_COLOR" => IllegalMove::TouchesOwnColor,
        "NOT_IN_CORNER" | "NOT_ON_BORDER" => IllegalMove::NotOnStart,
        "NO_SHARED_CORNER" => IllegalMove::NoSharedCorner,
        _ => panic!("{name} is unknown"),
    }
}

impl Game {
    fn play(&mut self, played: &Played, place: &str) {
        match played {
            Played::Place { color, kind, rotation, flipped, x, y, cells } => {
                let color = color.parse().unwrap();
                let placement = self.position.check_piece(color, shape(kind, rotation, *flipped), *x, *y);
                let placement = placement.unwrap_or_else(|reason| panic!("{place}: {reason}"));
                assert_eq!(numbers(placement.cells()), *cells, "{place}");
                assert_eq!(self.position.try_play(Move::Place(placement)), Ok(()), "{place}");
                self.naive.play(Some(&placement.into()));
            }
            Played::Skip { skip } => {
                assert_eq!(self.position.color().name(), skip, "{place}");
                assert_eq!(self.position.try_play(Move::Pass), Ok(()), "{place}");
                self.naive.play(None);
            }
        }
        self.plies += 1;
    }
}

fn assert_result(position: &Position, end: &End) {
    assert!(position.is_over());
    assert_eq!((position.turn(), position.round()), (end.turn, end.round));
    assert_eq!(position.in_play().len(), end.valid_left);
    let points = Team::ALL.map(|team| position.team_points(team));
    assert_eq!(points, end.parts.map(|[_, points]| points));
    let winner = match points[0].cmp(&points[1]) {
        std::cmp::Ordering::Greater => Some(Team::One),
        std::cmp::Ordering::Less => Some(Team::Two),
        std::cmp::Ordering::Equal => None,
    };
    assert_eq!(winner.map(Team::name), end.winner.as_deref());
    for team in Team::ALL {
        let wins = winner.map_or(1, |winner| if winner == team { 2 } else { 0 });
        assert_eq!(end.parts[team as usize][0], wins);
    }
}

fn piece(name: &str) -> Piece {
    name.parse().unwrap()
}

fn shape(kind: &str, rotation: &str, flipped: bool) -> Shape {
    Shape::new(piece(kind), rotation.parse().unwrap(), flipped)
}

fn letters(board: &Board) -> String {
    let cells = (0..400).filter_map(|number| Cell::new(number % 20, number / 20));
    cells.map(|cell| board.color_at(cell).map_or('.', Color::letter)).collect()
}

/// Returns cells as the oracle numbers them, ascending.
fn numbers(cells: game::Bitboard) -> Vec<usize> {
    cells.iter().map(|cell| 20 * cell.y() + cell.x()).collect()
}
