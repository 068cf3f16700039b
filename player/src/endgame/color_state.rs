//! The state of one colour.

use std::ops::Range;

use game::PieceSet;

use super::bound::Gain;
use super::candidate::{Candidate, CandidateId, CandidateList, Candidates};
use super::cells::CellSet;

/// The state of one colour.
#[derive(Clone, Copy)]
pub struct ColorState {
    open: CellSet,
    anchors: CellSet,
    /// Remaining pieces.
    pub remaining: PieceSet,
    /// Number of remaining turns before the turn limit.
    pub turns: usize,
    /// Positions in the list of the search: possible candidates from the first to the third, legal ones from the first
    /// to the second.
    live: [u32; 3],
    /// Order-independent hashes of the possible candidates and of the legal ones.
    hashes: [u64; 2],
    /// Superset of the cells that the colour can still cover. Other cells do not matter to it.
    pub reach: CellSet,
    /// Upper bound of the points it can gain.
    pub gain: Gain,
}

impl ColorState {
    pub fn new(open: CellSet, anchors: CellSet, remaining: PieceSet, turns: usize) -> Self {
        Self {
            open,
            anchors,
            remaining,
            turns,
            live: [0; 3],
            hashes: [0; 2],
            reach: CellSet::EMPTY,
            gain: Gain::default(),
        }
    }

    pub fn use_turn(&mut self) {
        self.turns = self.turns.saturating_sub(1);
    }

    /// Updates cells and pieces after a placement of this colour (`own`) or another.
    pub fn place(&mut self, candidate: &Candidate, own: bool) {
        self.open = self.open.without(candidate.cells);
        if own {
            self.open = self.open.without(candidate.sides);
            self.anchors = self.anchors | candidate.corners;
            self.remaining.remove(candidate.piece);
        }
        self.anchors = self.anchors & self.open;
    }

    /// Finds the possible candidates in the part `from` of the list, without the `excluded` one, and appends them to
    /// the list.
    pub fn list_candidates(
        &mut self,
        candidates: &Candidates,
        list: &mut CandidateList,
        from: Range<usize>,
        excluded: Option<CandidateId>,
    ) {
        let first = list.len();
        let (mut legal, mut anchors) = (first, self.anchors);
        self.reach = CellSet::EMPTY;
        for at in from {
            let id = list[at];
            let candidate = &candidates[id];
            if self.turns > 0
                && excluded != Some(id)
                && self.remaining.contains(candidate.piece)
                && candidate.cells.is_subset(self.open)
            {
                list.push(id);
                if candidate.cells.intersects(self.anchors) {
                    let last = list.len() - 1;
                    list.swap(legal, last);
                    legal += 1;
                    self.reach = self.reach | candidate.cells;
                    anchors = anchors | candidate.corners;
                }
            }
        }
        let mut live = legal;
        loop {
            let before = live;
            for at in before..list.len() {
                let candidate = &candidates[list[at]];
                if candidate.cells.intersects(anchors) {
                    list.swap(live, at);
                    live += 1;
                    self.reach = self.reach | candidate.cells;
                    anchors = anchors | candidate.corners;
                }
            }
            if live == before {
                break;
            }
        }
        list.truncate(live);
        self.live = [first, legal, live].map(|at| at as u32);
        let hash = |list: &[CandidateId]| list.iter().fold(0, |all, &id| all ^ candidates[id].hash);
        let of_legal = hash(&list[first..legal]);
        self.hashes = [of_legal ^ hash(&list[legal..]), of_legal];
        let possible = list[first..].iter().map(|&id| &candidates[id]);
        self.gain = Gain::bound(possible, self.reach, self.remaining, self.turns);
    }

    /// Returns the parts of the key of the colour's future.
    ///
    /// Anchors count only by the candidates that they make legal: such a candidate stays legal while it is
    /// possible, and other candidates cover no current anchor.
    pub fn key_parts(&self) -> [u64; 3] {
        let [possible, legal] = self.hashes;
        [possible, legal, u64::from(self.remaining.bits())]
    }

    pub fn live(&self) -> Range<usize> {
        self.live[0] as usize..self.live[2] as usize
    }

    /// Returns the positions of the legal candidates in the list of the search.
    pub fn legal(&self) -> Range<usize> {
        self.live[0] as usize..self.live[1] as usize
    }

    /// Returns the points of legal placements that cover no `contested` cell and do not exclude each other, and the
    /// points of the largest legal placement.
    pub fn safe_points(&self, candidates: &Candidates, list: &CandidateList, contested: CellSet) -> (i32, i32) {
        let (mut blocked, mut pieces, mut safe, mut largest) = (contested, PieceSet::EMPTY, 0, 0);
        for &id in &list[self.legal()] {
            let candidate = &candidates[id];
            let size = candidate.piece.size() as i32;
            largest = largest.max(size);
            if pieces.len() < self.turns && !pieces.contains(candidate.piece) && !candidate.cells.intersects(blocked) {
                pieces.insert(candidate.piece);
                blocked = blocked | candidate.cells | candidate.sides;
                safe += size;
            }
        }
        (safe, largest)
    }
}
