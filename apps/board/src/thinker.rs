//! An engine's thoughts about a position, told while it thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::{Move, Position};
use player::mcts::Params;
use player::{Evaluation, Level, LevelPlayer, MctsPlayer, Options, Player, Report, SearchLimits};
use web_time::Instant;

use crate::session::{Candidate, Doubt, Insight};

/// An engine: the strongest player for thoughts, and players of the levels for moves.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
///
/// use board::thinker::Thinker;
/// use game::{Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let stop = AtomicBool::new(false);
/// let insight = Thinker::new(16 << 20).think(&position, Duration::from_millis(50), &stop, |_| {});
/// assert!(position.check(insight.line[0]).is_ok());
/// # Ok::<(), game::SetupError>(())
/// ```
pub struct Thinker {
    memory: usize,
    /// Made when it is needed first.
    searcher: Option<MctsPlayer>,
}

/// What a [`Thinker`] is thinking about, between two parts of its work.
#[derive(Clone, Debug)]
pub struct Thought {
    search: Search,
    /// How long each candidate is looked at afterwards whose chance to win is not known; `None` if they are not.
    weigh: Option<Duration>,
    /// The candidate that is looked at.
    weighed: Option<Weighed>,
    is_done: bool,
}

impl Thought {
    /// Whether there is nothing more to think about, or no time.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}

#[derive(Clone, Debug)]
struct Weighed {
    /// What is known so far of the position before it.
    insight: Insight,
    /// Its number.
    candidate: usize,
    /// That of the position after it.
    search: Search,
}

/// The search of one position.
#[derive(Clone, Debug)]
struct Search {
    position: Position,
    /// The only moves of this position and of those after it, behind which there is a choice.
    forced: Vec<Move>,
    deadline: Instant,
    /// How long the next part may last.
    part: Duration,
    nodes: u64,
    is_done: bool,
}

impl Search {
    /// What an opinion of the position behind the forced moves says of the position before them.
    fn before_forced(&self, after: Insight) -> Insight {
        let Some(&mv) = self.forced.first() else { return after };
        let candidates =
            vec![Candidate { mv, share: 1.0, win: Some(after.win_of(self.position.color().team())), margin: None }];
        let line = self.forced.iter().copied().chain(after.line).collect();
        Insight { line, candidates, ..after }
    }
}

/// How long the first part of a search lasts, after which something can be told; the later ones are longer.
const FIRST_PART: Duration = Duration::from_millis(120);

/// How long the parts of a search last at most, after each of which it can be stopped.
const LONGEST_PART: Duration = Duration::from_millis(400);

/// How long a part may be whose move cannot change before the search is given up as decided.
const LONGEST_EARLY: Duration = Duration::from_secs(2);

/// As long as nobody waits, but not so long that no clock could show its end.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Looking at a candidate takes this part of the time of a hint.
const WEIGHED_SHARE: u32 = 6;

/// How many times as long as at first each move of a doubt is looked at.
const SECOND_LOOK: u32 = 2;

/// How many candidates are reported.
const CANDIDATES: usize = 3;

impl Thinker {
    /// An engine that takes so much memory for its search, in bytes.
    pub fn new(memory: usize) -> Self {
        Self { memory, searcher: None }
    }

    /// The move of a level below the highest, which does not depend on the time.
    pub fn move_of_level(&mut self, level: Level, position: &Position) -> Move {
        // Small, for these levels search little; and a new one for each game, so that none depends on another.
        let options = Options { seed: rand::random(), memory: self.memory.min(32 << 20), ..Options::default() };
        LevelPlayer::of(level, &options).choose(position, &SearchLimits::UNLIMITED).mv
    }

    /// Thinks about a position for a time, or until it is told to stop, and tells what it thinks meanwhile.
    pub fn think(
        &mut self,
        position: &Position,
        time: Duration,
        stop: &AtomicBool,
        tell: impl FnMut(&Insight),
    ) -> Insight {
        let thought = self.begin(position, time);
        self.finish(thought, stop, tell)
    }

    /// The same, and looks at the candidates whose chance to win is not known then.
    pub fn hint(
        &mut self,
        position: &Position,
        time: Duration,
        stop: &AtomicBool,
        tell: impl FnMut(&Insight),
    ) -> Insight {
        let thought = self.begin_hint(position, time);
        self.finish(thought, stop, tell)
    }

    /// What it thinks of the positions after both moves of a doubt, that of the engine first, when it looks at both
    /// alike: longer than for a first look of `time`.
    pub fn compare(&mut self, doubt: &Doubt, time: Duration, stop: &AtomicBool) -> [Insight; 2] {
        second_look(doubt, time).map(|(position, time)| self.think(&position, time, stop, |_| {}))
    }

    fn finish(&mut self, mut thought: Thought, stop: &AtomicBool, mut tell: impl FnMut(&Insight)) -> Insight {
        loop {
            let insight = self.go_on(&mut thought);
            tell(&insight);
            if thought.is_done() || stop.load(Ordering::Relaxed) {
                return insight;
            }
        }
    }

    /// Begins to [`think`](Self::think), for a time from now on: where no other thread could say that it is enough,
    /// [`go_on`](Self::go_on) is called as long as it is not.
    pub fn begin(&mut self, position: &Position, time: Duration) -> Thought {
        Thought { search: self.begin_search(position, time), weigh: None, weighed: None, is_done: false }
    }

    /// Begins a [`hint`](Self::hint), as [`begin`](Self::begin) does a thought.
    pub fn begin_hint(&mut self, position: &Position, time: Duration) -> Thought {
        Thought { weigh: Some(time / WEIGHED_SHARE), ..self.begin(position, time) }
    }

    /// Thinks for less than half a second about what was begun last; what it thinks then.
    pub fn go_on(&mut self, thought: &mut Thought) -> Insight {
        let (insight, next) = match &mut thought.weighed {
            None => {
                let insight = self.search(&mut thought.search);
                if !thought.search.is_done {
                    return insight;
                }
                (insight, 0)
            }
            Some(Weighed { insight, candidate, search }) => {
                let after = self.search(search);
                if !search.is_done {
                    return insight.clone();
                }
                insight.candidates[*candidate].win = Some(after.win_of(thought.search.position.color().team()));
                (insight.clone(), *candidate + 1)
            }
        };
        thought.weighed = self.weigh_next(thought, &insight, next);
        thought.is_done = thought.weighed.is_none();
        insight
    }

    /// Begins to look at the next candidate from a number on whose chance to win is not known.
    fn weigh_next(&mut self, thought: &Thought, insight: &Insight, from: usize) -> Option<Weighed> {
        let unknown = |&n: &usize| insight.candidates[n].win.is_none();
        let (time, candidate) = (thought.weigh?, (from..insight.candidates.len()).find(unknown)?);
        let after = thought.search.position.after(insight.candidates[candidate].mv);
        Some(Weighed { insight: insight.clone(), candidate, search: self.begin_search(&after, time) })
    }

    fn begin_search(&mut self, position: &Position, time: Duration) -> Search {
        self.searcher().new_game();
        let deadline = Instant::now() + time.min(FOREVER);
        Search { position: *position, forced: Vec::new(), deadline, part: FIRST_PART, nodes: 0, is_done: false }
    }

    /// One part of a search, and what it says of its position.
    fn search(&mut self, search: &mut Search) -> Insight {
        loop {
            let position = search.forced.iter().fold(search.position, |position, &mv| position.after(mv));
            if let Some(end) = Insight::of_end(&position) {
                search.is_done = true;
                return search.before_forced(end);
            }
            let end = search.deadline.min(Instant::now() + search.part);
            let report = self.searcher().choose(&position, &SearchLimits::deadline(end));
            search.nodes += report.nodes;
            let Some(evaluation) = report.evaluation else {
                // There is no choice, or the best move is proven and not yet what comes of it: the position is worth
                // what the next one is.
                search.forced.push(report.mv);
                continue;
            };
            let mut insight = Insight::of(&position, evaluation, search.nodes, report.line.clone());
            insight.candidates = self.candidates(&report, insight.win_of(position.color().team()));
            let (now, is_solved) = (Instant::now(), evaluation == Evaluation::of_result(evaluation.margin as i32));
            // It ends early if nothing in this part can change the move; a longer one may.
            let is_early = now < end;
            let is_decided = is_early && (end == search.deadline || search.part >= LONGEST_EARLY);
            search.is_done = is_solved || is_decided || now >= search.deadline;
            search.part = if is_early { 2 * search.part } else { LONGEST_PART.min(2 * search.part) };
            return search.before_forced(insight);
        }
    }

    fn searcher(&mut self) -> &mut MctsPlayer {
        let options = Options { memory: self.memory, ..Options::default() };
        // Somebody waits for what it finds, and wants to know of more than one move.
        let params = Params { book: false, early_stop: true, ..Params::default() };
        self.searcher.get_or_insert_with(|| MctsPlayer::with_params(&options, params))
    }

    /// The moves that the search looked at most.
    fn candidates(&mut self, report: &Report, win: f32) -> Vec<Candidate> {
        let mut all: Vec<(Move, u32)> = self.searcher().candidates().map(|(mv, visits)| (mv.into(), visits)).collect();
        // Of moves with as many visits, that of the report comes first.
        all.sort_by_key(|&(mv, visits)| (std::cmp::Reverse(visits), mv != report.mv));
        let total: f32 = all.iter().map(|&(_, visits)| visits as f32).sum();
        // A position that was solved has not been searched.
        if total == 0.0 {
            return vec![Candidate { mv: report.mv, share: 1.0, win: Some(win), margin: None }];
        }
        all.truncate(CANDIDATES);
        all.retain(|&(_, visits)| visits > 0);
        let candidate = |(mv, visits): (Move, u32)| {
            let win = (mv == report.mv).then_some(win);
            Candidate { mv, share: visits as f32 / total, win, margin: None }
        };
        all.into_iter().map(candidate).collect()
    }
}

/// The positions after both moves of a doubt, that of the engine first, and how long each is looked at after a first
/// look of `time`.
pub fn second_look(doubt: &Doubt, time: Duration) -> [(Position, Duration); 2] {
    [doubt.best, doubt.played].map(|mv| (doubt.position.after(mv), time.saturating_mul(SECOND_LOOK)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rules;
    use player::{FromOptions, RandomPlayer};

    #[test]
    fn thoughts_are_legal_and_grow_and_can_be_stopped() {
        let mut thinker = Thinker::new(16 << 20);
        let position = Position::new(Rules::Classic, None).unwrap();
        let stop = AtomicBool::new(false);
        let mut told = Vec::new();
        let insight = thinker.think(&position, Duration::from_secs(3600), &stop, |insight| {
            told.push(insight.nodes);
            stop.store(told.len() == 3, Ordering::Relaxed);
        });
        assert!(told.len() == 3 && told.is_sorted(), "{told:?}");
        let mut after = position;
        insight.line.iter().for_each(|&mv| after.try_play(mv).unwrap());
        assert_eq!(insight.candidates[0].mv, insight.line[0]);
        assert!(insight.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.share)));
        let hint = thinker.hint(&position, Duration::from_millis(50), &AtomicBool::new(false), |_| {});
        assert!(hint.candidates.len() > 1 && hint.candidates.iter().all(|candidate| candidate.win.is_some()));
    }

    #[test]
    fn no_time_is_too_long_to_be_given() {
        let (position, stop) = (Position::new(Rules::Classic, None).unwrap(), AtomicBool::new(true));
        let mut thinker = Thinker::new(16 << 20);
        assert!(thinker.think(&position, Duration::MAX, &stop, |_| {}).nodes > 0);
        let doubt = Doubt { position, best: "MONO@0,0".parse().unwrap(), played: "DOMINO@0,0".parse().unwrap() };
        assert!(thinker.compare(&doubt, Duration::MAX, &stop).iter().all(|insight| insight.nodes > 0));
    }

    #[test]
    fn a_position_without_a_choice_is_worth_what_comes_of_it() {
        let mut random = RandomPlayer::new(&Options::default());
        let mut position = Position::new(Rules::Classic, None).unwrap();
        let places = |position: &Position| position.legal_moves().iter().filter(|mv| mv.placement().is_some()).count();
        while places(&position) != 1 {
            position.play(random.choose(&position, &SearchLimits::UNLIMITED).mv);
            assert!(!position.is_over(), "there was a choice to the end");
        }
        let insight =
            Thinker::new(16 << 20).think(&position, Duration::from_millis(20), &AtomicBool::new(false), |_| {});
        let after = insight.line.iter().fold(position, |position, &mv| position.after(mv));
        assert!(insight.line.len() > 1 || after.is_over(), "{insight:?}");
        assert_eq!(insight.candidates.len(), 1);
        assert_eq!(insight.candidates[0].mv, insight.line[0]);
    }
}
