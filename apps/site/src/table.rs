//! A game with the page that shows it: what the room of the service is there.
//!
//! There is one page and one engine, which does one thing at a time: the move of a program, then a hint, then an
//! analysis. What it should be at follows from the state of the game alone, so it is asked anew whenever that is
//! something else.

use std::collections::VecDeque;
use std::time::Duration;

use board::save::{SaveError, text_of};
use board::session::{Action, ActionError, By, DocumentError, Doubt, Insight, Millis, Seat, Session, Summary, doubts};
use board::talk::{self, Progress, Request, done, refused};
use board::thinker::second_look;
use game::{Move, Position};
use player::Level;
use serde_json::Value;

use crate::job::{Answer, Job, Kept, Order, Outcome, Told, Work};

/// How long the highest level thinks about a move, and a hint is thought about, in milliseconds.
const TIME: u64 = 2000;

/// A game with the page that shows it.
pub struct Table {
    session: Session,
    /// The place that is shown; `None` for wherever the game stands.
    place: Option<usize>,
    /// The least time between two moves of programs.
    pace: Duration,
    /// What was asked about a position, in so many milliseconds.
    hint: Option<(Position, u64)>,
    analysis: Option<Analysis>,
    /// What the engine was asked last, with the number of the job.
    asked: Option<(u64, Task)>,
    /// The number of the last job.
    last: u64,
}

/// An analysis that is running.
struct Analysis {
    time: Duration,
    rest: VecDeque<Position>,
    /// The moves that look bad, when all positions are known.
    doubts: Option<VecDeque<Doubt>>,
    /// What was thought of the engine's move in the first of them.
    best: Option<Insight>,
    progress: Progress,
}

/// What the engine should be at.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Task {
    purpose: Purpose,
    position: Position,
    work: Work,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// To move, in a session that has changed so often.
    Turn(u64),
    Hint,
    Analysis,
}

impl Analysis {
    /// What it waits for; nothing if it is done.
    fn next(&self) -> Option<(Position, Duration)> {
        if let Some(&position) = self.rest.front() {
            return Some((position, self.time));
        }
        let [best, played] = second_look(self.doubts.as_ref()?.front()?, self.time);
        Some(if self.best.is_none() { best } else { played })
    }

    /// Takes what it has waited for.
    fn take(&mut self, insight: Insight, session: &mut Session) {
        if let Some(position) = self.rest.pop_front() {
            session.learn(&position, insight);
            self.progress.done += 1;
        } else if let Some(best) = self.best.take() {
            let doubt = self.doubts.as_mut().and_then(VecDeque::pop_front);
            if let Some(doubt) = doubt {
                session.settle(&doubt, &[best, insight]);
                self.progress.done += 1;
            }
        } else {
            self.best = Some(insight);
        }
        self.look_again(session);
    }

    /// When all positions are known, the moves that look bad are looked at again.
    fn look_again(&mut self, session: &Session) {
        if self.rest.is_empty() && self.doubts.is_none() {
            let doubts = doubts(session);
            self.progress.total += doubts.len();
            self.doubts = Some(doubts.into());
        }
    }
}

impl Table {
    /// A game that was kept as a document, with what engines think of its positions, by the keys of these.
    ///
    /// # Errors
    /// [`DocumentError`]
    pub fn open(document: &str, insights: Vec<(String, Insight)>) -> Result<Self, DocumentError> {
        let mut session = Session::from_document(document)?;
        for (key, insight) in insights {
            // What cannot be read can be thought again.
            session.learn_by_key(&key, insight);
        }
        Ok(Self { session, place: None, pace: Duration::ZERO, hint: None, analysis: None, asked: None, last: 0 })
    }

    /// Goes on with what has become of the game in another window.
    ///
    /// # Errors
    /// [`DocumentError`]
    pub fn replace(&mut self, document: &str, insights: Vec<(String, Insight)>) -> Result<(), DocumentError> {
        self.session.replace(Self::open(document, insights)?.session);
        // What came last may have been dropped with what it was about.
        self.asked = None;
        Ok(())
    }

    /// What a page is told when it begins to look.
    pub fn show(&mut self, now: Millis) -> Outcome {
        self.outcome(vec![self.view(now)], false, now)
    }

    /// The game as a file, of the kind of which files have such names.
    ///
    /// # Errors
    /// [`SaveError`]
    pub fn text_of(&self, kind: &str) -> Result<String, SaveError> {
        text_of(&self.session, kind)
    }

    /// A game as it is kept.
    pub fn kept(session: &Session) -> Kept {
        Kept {
            changes: session.version(),
            document: session.document(),
            insights: session.insights().map(|(key, insight)| (key, insight.clone())).collect(),
            summary: serde_json::to_value(Summary::of(session)).unwrap_or_default(),
        }
    }

    /// Answers what the page says, see [`talk`].
    pub fn hear(&mut self, text: &str, now: Millis) -> Outcome {
        let request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => return self.outcome(vec![refused(None, "message", error)], false, now),
        };
        let position = talk::position(&self.session, self.place);
        let say = match request {
            Request::Act { id, action, on } => return self.act(id, &action, on, now),
            Request::Look { node } => {
                self.place = node;
                vec![self.view(now)]
            }
            Request::Why { id, shape, x, y } => vec![talk::why(&position, id, &shape, x, y)],
            Request::Territory => vec![talk::reach(&position)],
            Request::Review => vec![talk::review(&self.session)],
            Request::Opinion { id, mv } => vec![talk::opinion(&self.session, self.place, id, &mv)],
            Request::Hint { time, after } => {
                let position = talk::after(&position, after.as_deref());
                self.hint = Some((position, time.map_or(TIME, |time| talk::hint_time(time).as_millis() as u64)));
                Vec::new()
            }
            Request::Analyse { time } => self.analyse(talk::analysis_time(time), now),
            Request::Stop => {
                (self.hint, self.analysis) = (None, None);
                vec![self.view(now)]
            }
            Request::MoveNow => return self.move_now(now),
            Request::Pace { time } => {
                self.pace = talk::pace(time);
                Vec::new()
            }
        };
        self.outcome(say, false, now)
    }

    fn act(&mut self, id: u64, action: &Action, on: Option<u64>, now: Millis) -> Outcome {
        let refusal = match action {
            _ if on.is_some_and(|on| on != self.session.version()) => {
                Some(refused(Some(id), "stale", "the game has changed meanwhile"))
            }
            Action::Sit { seat: Seat::Guest | Seat::Program { .. }, .. } => {
                Some(refused(Some(id), "alone", "without a service only people here and the levels play"))
            }
            _ => self.session.act(action, By::Host, now).err().map(|error| refused(Some(id), error.name(), error)),
        };
        match refusal {
            Some(refusal) => self.outcome(vec![refusal], false, now),
            None => self.outcome(vec![self.view(now), done(id)], true, now),
        }
    }

    /// Ends the game if the time of the team on turn is up.
    pub fn check_time(&mut self, now: Millis) -> Outcome {
        match self.session.act(&Action::TimeUp, By::Clock, now) {
            Ok(()) => self.outcome(vec![self.view(now)], true, now),
            // There is time left, or nobody on turn.
            Err(_) => self.outcome(Vec::new(), false, now),
        }
    }

    fn analyse(&mut self, time: Duration, now: Millis) -> Vec<Value> {
        if self.analysis.is_some() {
            return vec![refused(None, "busy", "an analysis is running already")];
        }
        let is_known = |insight: &Insight| u128::from(insight.time) >= time.as_millis();
        let path = self.session.path().into_iter().filter_map(|node| self.session.position_at(node).ok());
        let is_unknown =
            |position: &Position| !position.is_over() && !self.session.insight(position).is_some_and(is_known);
        let rest: VecDeque<Position> = path.filter(is_unknown).collect();
        let progress = Progress { done: 0, total: rest.len() };
        let mut analysis = Analysis { time, rest, doubts: None, best: None, progress };
        analysis.look_again(&self.session);
        self.analysis = analysis.next().is_some().then_some(analysis);
        vec![self.view(now)]
    }

    fn move_now(&mut self, now: Millis) -> Outcome {
        let is_turn = matches!(self.asked, Some((_, Task { purpose: Purpose::Turn(_), .. })));
        let mut outcome = self.outcome(Vec::new(), false, now);
        match is_turn {
            true => outcome.engine = Some(Order::Finish),
            false => outcome.say.push(refused(None, "no_engine", "no program plays here that could be asked to move")),
        }
        outcome
    }

    /// Takes what the engine tells.
    pub fn learn(&mut self, told: Told, now: Millis) -> Outcome {
        let Some((_, task)) = self.asked.filter(|(number, _)| *number == told.number) else {
            return self.outcome(Vec::new(), false, now);
        };
        match (task.purpose, told.answer) {
            (Purpose::Turn(_), Answer::Move(mv)) => return self.play(mv, now),
            (Purpose::Turn(_), Answer::Insight(insight)) if told.is_done => {
                let mv = insight.line.first().copied().unwrap_or(Move::Pass);
                self.session.learn(&task.position, insight);
                return self.play(mv, now);
            }
            (Purpose::Hint, Answer::Insight(insight)) => {
                self.session.learn(&task.position, insight);
                self.hint = self.hint.filter(|_| !told.is_done);
            }
            (Purpose::Analysis, Answer::Insight(insight)) if told.is_done => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.take(insight, &mut self.session);
                    if analysis.next().is_none() {
                        self.analysis = None;
                    }
                }
            }
            // It is not told before it is done, or was not asked for.
            _ => return self.outcome(Vec::new(), false, now),
        }
        if told.is_done {
            self.asked = None;
        }
        self.outcome(vec![self.view(now)], told.is_done, now)
    }

    fn play(&mut self, mv: Move, now: Millis) -> Outcome {
        self.asked = None;
        let played = match self.session.engine_on_turn() {
            Some((color, _)) => self.session.act(&Action::Play { mv }, By::Engine(color), now),
            None => Err(ActionError::NotAllowed),
        };
        match played {
            Ok(()) => self.outcome(vec![self.view(now)], true, now),
            Err(error) => self.outcome(vec![refused(None, error.name(), error)], false, now),
        }
    }

    fn view(&self, now: Millis) -> Value {
        let progress = self.analysis.as_ref().map(|analysis| analysis.progress);
        talk::view(&self.session, self.place, By::Host, now, progress, None)
    }

    /// What the engine should be at.
    fn task(&self) -> Option<Task> {
        if let Some((_, seat)) = self.session.engine_on_turn()
            && let Some(work) = work_of(seat)
        {
            let (purpose, position) = (Purpose::Turn(self.session.version()), *self.session.position());
            return Some(Task { purpose, position, work });
        }
        if let Some((position, time)) = self.hint {
            return Some(Task { purpose: Purpose::Hint, position, work: Work::Hint { time } });
        }
        let (position, time) = self.analysis.as_ref()?.next()?;
        let work = Work::Think { time: time.as_millis() as u64 };
        Some(Task { purpose: Purpose::Analysis, position, work })
    }

    /// What has to be done after something has happened.
    fn outcome(&mut self, say: Vec<Value>, is_changed: bool, now: Millis) -> Outcome {
        let task = self.task();
        if matches!(task, Some(Task { purpose: Purpose::Turn(_), .. })) {
            // A hint must not keep the program waiting, nor be about a position that is gone.
            self.hint = None;
        }
        let engine = match (task, self.asked) {
            (None, None) => None,
            (None, Some(_)) => Some(Order::Stop),
            (Some(task), Some((_, asked))) if task == asked => None,
            (Some(task), _) => {
                self.last += 1;
                let delay = if matches!(task.purpose, Purpose::Turn(_)) { self.pace.as_millis() as u64 } else { 0 };
                let job = Job { number: self.last, delay, position: task.position, work: task.work };
                Some(Order::Begin(Box::new(job)))
            }
        };
        match engine {
            Some(Order::Stop) => self.asked = None,
            Some(Order::Begin(_)) => self.asked = task.map(|task| (self.last, task)),
            _ => {}
        }
        let team = self.session.position().color().team();
        let time = self.session.time_left(team, now).filter(|_| self.session.clock_runs());
        Outcome { keep: is_changed.then(|| Self::kept(&self.session)), say, engine, time }
    }
}

/// What is asked of an engine on a seat; nothing where somebody else sits.
fn work_of(seat: &Seat) -> Option<Work> {
    match seat {
        Seat::Level { level } if level.is_timed() => Some(Work::Think { time: TIME }),
        Seat::Level { level } => Some(Work::Choose { level: Level::number(*level) }),
        Seat::Person | Seat::Guest | Seat::Program { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use board::begin::NewGame;
    use serde_json::json;

    /// A game of blue and red at this screen against a level, which the engine plays.
    struct Played {
        table: Table,
        engine: Engine,
        said: Vec<Value>,
        kept: Option<Kept>,
    }

    impl Played {
        fn against(level: u8) -> Self {
            let (person, level) = (json!({ "kind": "person" }), json!({ "kind": "level", "level": level }));
            let new = json!({ "rules": "classic", "seats": [person, level, person, level] });
            let new: NewGame = serde_json::from_value(new).unwrap();
            let table = Table::open(&Table::kept(&new.session().unwrap()).document, Vec::new()).unwrap();
            Self { table, engine: Engine::default(), said: Vec::new(), kept: None }
        }

        fn follow(&mut self, outcome: Outcome) {
            self.said.extend(outcome.say);
            self.kept = outcome.keep.or(self.kept.take());
            if let Some(order) = outcome.engine {
                self.engine.take(order);
            }
        }

        fn say(&mut self, message: &Value) {
            let outcome = self.table.hear(&message.to_string(), 0);
            self.follow(outcome);
        }

        /// Lets the engine do what it was asked for.
        fn think(&mut self) {
            while let Some(told) = self.engine.go_on() {
                let outcome = self.table.learn(told, 0);
                self.follow(outcome);
            }
        }

        fn last(&self, kind: &str) -> &Value {
            self.said.iter().rev().find(|message| message["type"] == kind).unwrap()
        }

        fn play(&mut self, mv: &str) {
            self.say(&json!({ "type": "act", "id": 1, "action": { "do": "play", "move": mv }, "on": null }));
        }
    }

    #[test]
    fn a_move_is_answered_and_the_game_comes_back_as_it_was_kept() {
        let mut played = Played::against(1);
        played.play("MONO@0,0");
        assert_eq!(played.last("done")["id"], 1);
        played.think();
        let view = played.last("view")["view"].clone();
        assert_eq!((&view["turn"], &view["may_move"]), (&json!(2), &json!(true)));
        let kept = played.kept.unwrap();
        assert_eq!(kept.summary["moves"], 2);
        let mut again = Table::open(&kept.document, kept.insights).unwrap();
        assert_eq!(again.show(0).say[0]["view"]["board"], view["board"]);
    }

    #[test]
    fn a_program_whose_order_was_dropped_is_asked_again_when_another_window_has_gone_on() {
        let mut played = Played::against(1);
        let act = json!({ "type": "act", "id": 1, "action": { "do": "play", "move": "MONO@0,0" }, "on": null });
        let dropped = played.table.hear(&act.to_string(), 0);
        assert!(dropped.engine.is_some());
        played.table.replace(&dropped.keep.unwrap().document, Vec::new()).unwrap();
        let outcome = played.table.show(0);
        assert!(outcome.keep.is_none() && outcome.engine.is_some());
        played.follow(outcome);
        played.think();
        assert_eq!(played.last("view")["view"]["turn"], 2);
    }

    #[test]
    fn what_is_not_possible_is_refused_by_its_name() {
        let mut played = Played::against(1);
        played.play("MONO@5,5");
        assert_eq!(played.last("refused")["error"], "not_on_start");
        let sit = json!({ "do": "sit", "color": "RED", "seat": { "kind": "guest" } });
        played.say(&json!({ "type": "act", "id": 2, "action": sit, "on": null }));
        assert_eq!(played.last("refused")["error"], "alone");
        played.say(&json!({ "type": "act", "id": 3, "action": { "do": "undo" }, "on": 9 }));
        assert_eq!(played.last("refused")["error"], "stale");
        played.say(&json!({ "type": "move_now" }));
        assert_eq!(played.last("refused")["error"], "no_engine");
        assert!(played.kept.is_none());
    }

    #[test]
    fn a_hint_an_analysis_and_the_move_of_a_program_come_in_their_order() {
        let mut played = Played::against(9);
        played.say(&json!({ "type": "analyse", "time": 10 }));
        played.say(&json!({ "type": "hint", "time": 10 }));
        played.think();
        assert!(played.last("view")["view"]["insight"]["candidates"].as_array().unwrap().len() > 1);
        assert_eq!(played.last("view")["progress"], Value::Null, "the analysis came to its end");
        // The highest level thinks until it is told to move.
        played.play("PENTO_W@0,0");
        let told = played.engine.go_on().unwrap();
        assert!(!told.is_done);
        played.say(&json!({ "type": "move_now" }));
        played.think();
        assert_eq!(played.last("view")["view"]["turn"], 2);
    }
}
