//! Many games at once, for reinforcement learning.

use std::num::NonZero;
use std::thread;

use game::{Move, Piece, Placement, Rules, Team};
use player::model::policy_net::PLANES;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::value_error;
use crate::features::{CELLS, PASS, inputs, move_of, remaining_bytes, write_planes};
use crate::position::{Position, read};

/// Bytes of the remaining pieces of a position.
const REMAINING: usize = 4 * Piece::ALL.len();

/// Games that are played at the same time on several threads; a finished game starts over. The class
/// `blokus.batch.Batch` turns bytes into arrays.
#[pyclass(module = "blokus")]
pub struct Batch {
    games: Vec<Running>,
    rules: Rules,
    /// Start pieces of consecutive games.
    pieces: Vec<Option<Piece>>,
    threads: usize,
}

struct Running {
    position: game::Position,
    /// Index of the start piece of the next game.
    next: usize,
    /// Numbers of the legal moves.
    actions: Vec<u16>,
}

impl Running {
    fn list_actions(&mut self, placements: &mut Vec<Placement>) {
        placements.clear();
        self.position.board().list_placements(self.position.color(), placements);
        self.actions.clear();
        self.actions.extend(placements.iter().map(|placement| placement.index() as u16));
        if self.position.may_pass() {
            self.actions.push(PASS as u16);
        }
    }
}

#[pymethods]
impl Batch {
    /// Starts games; `threads` 0 means one per processor.
    #[new]
    fn new(games: usize, rules: &str, start_piece: Option<&str>, threads: usize) -> PyResult<Self> {
        let rules: Rules = read(rules)?;
        let mut pieces: Vec<Option<Piece>> = rules.start_pieces().iter().map(Some).collect();
        if pieces.is_empty() || start_piece.is_some() {
            pieces = vec![start_piece.map(read::<Piece>).transpose()?];
        }
        let threads = if threads == 0 { thread::available_parallelism().map_or(1, NonZero::get) } else { threads };
        let start = |number: usize| {
            let position = game::Position::new(rules, pieces[number % pieces.len()])?;
            Ok(Running { position, next: number + 1, actions: Vec::new() })
        };
        let games = (0..games).map(start).collect::<Result<_, game::SetupError>>().map_err(value_error)?;
        let mut batch = Self { games, rules, pieces, threads };
        batch.for_each(&mut vec![(); batch.games.len()], 1, |game, _, _, list| game.list_actions(list));
        Ok(batch)
    }

    /// Plays the moves with these numbers (`<u2`), one per game. Returns 1 per finished game and its points of team ONE
    /// less those of TWO (`<i2`).
    fn step<'py>(&mut self, py: Python<'py>, actions: &[u8]) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let actions: Vec<u16> = actions.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect();
        if actions.len() != self.games.len() {
            return Err(value_error(format!("{} actions for {} games", actions.len(), self.games.len())));
        }
        let moves: Vec<Option<Move>> =
            actions.iter().map(|&action| move_of(usize::from(action)).map(|mv| mv.0)).collect();
        for (number, (game, mv)) in self.games.iter().zip(&moves).enumerate() {
            if mv.is_none_or(|mv| game.position.check(mv).is_err()) {
                return Err(value_error(format!("game {number}: the action {} is not legal", actions[number])));
            }
        }
        let mut ended = vec![None; self.games.len()];
        let (rules, pieces) = (self.rules, self.pieces.clone());
        py.detach(|| {
            self.for_each(&mut ended, 1, |game, number, ended, list| {
                game.position.play(moves[number].expect("the move is legal"));
                if game.position.is_over() {
                    ended[0] = Some(game.position.margin(Team::One) as i16);
                    let piece = pieces[game.next % pieces.len()];
                    game.position = game::Position::new(rules, piece).expect("an earlier game had this piece");
                    game.next += 1;
                }
                game.list_actions(list);
            });
        });
        let flags: Vec<u8> = ended.iter().map(|margin| u8::from(margin.is_some())).collect();
        let margins: Vec<u8> = ended.iter().flat_map(|margin| margin.unwrap_or(0).to_le_bytes()).collect();
        Ok((PyBytes::new(py, &flags), PyBytes::new(py, &margins)))
    }

    /// Numbers of the legal moves (`<u2`) of all games in sequence, and the start of each game's part (`<u4`).
    fn legal<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        let actions: Vec<u8> =
            self.games.iter().flat_map(|game| &game.actions).flat_map(|action| action.to_le_bytes()).collect();
        let mut end = 0;
        let mut starts = vec![0; 4];
        for game in &self.games {
            end += game.actions.len() as u32;
            starts.extend(end.to_le_bytes());
        }
        (PyBytes::new(py, &actions), PyBytes::new(py, &starts))
    }

    /// Colour to move of each game, 0 to 3.
    fn colors<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let colors: Vec<u8> = self.games.iter().map(|game| game.position.color() as u8).collect();
        PyBytes::new(py, &colors)
    }

    /// Planes that the colours to move see, a byte per cell.
    fn planes<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.games.len() * PLANES * CELLS, |bytes| {
            py.detach(|| {
                self.for_each(bytes, PLANES * CELLS, |game, _, bytes, _| {
                    write_planes(&inputs(&game.position, game.position.color()), bytes);
                });
            });
            Ok(())
        })
    }

    /// Remaining pieces of each colour, the one to move first.
    fn remaining_pieces<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.games.len() * REMAINING, |bytes| {
            self.for_each(bytes, REMAINING, |game, _, bytes, _| {
                bytes.copy_from_slice(&remaining_bytes(&game.position, game.position.color()));
            });
            Ok(())
        })
    }

    /// Positions of all games.
    fn positions(&self) -> Vec<Position> {
        self.games.iter().map(|game| Position::from(game.position)).collect()
    }
}

impl Batch {
    /// Calls `work` for each game with its number, its `width` elements of `out`, and a list to reuse.
    fn for_each<T: Send>(
        &mut self,
        out: &mut [T],
        width: usize,
        work: impl Fn(&mut Running, usize, &mut [T], &mut Vec<Placement>) + Sync,
    ) {
        let size = self.games.len().div_ceil(self.threads).max(1);
        thread::scope(|scope| {
            for (part, (games, out)) in self.games.chunks_mut(size).zip(out.chunks_mut(size * width)).enumerate() {
                let work = &work;
                scope.spawn(move || {
                    let mut list = Vec::new();
                    for (n, (game, out)) in games.iter_mut().zip(out.chunks_mut(width)).enumerate() {
                        work(game, part * size + n, out, &mut list);
                    }
                });
            }
        });
    }
}
