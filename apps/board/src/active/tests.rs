use game::{ByColor, Rules, Team};
use player::Level;
use record::Game;

use super::*;
use crate::session::TimeControl;

/// Returns a game; `P` stands for a person, `E` for an engine.
fn game(kind: &str, control: TimeControl) -> ActiveGame {
    let seats = ByColor::from_fn(|color| match kind.as_bytes()[color as usize] {
        b'P' => Seat::Person,
        _ => Seat::Level { level: Level::new(9).unwrap() },
    });
    let game = Game::new(Position::new(Rules::Classic, None).unwrap());
    ActiveGame::new(Session::with(game, seats, control), GameSettings::default().into())
}

fn act(action: Action) -> Event {
    Event::Act { action, by: By::Host, on: None }
}

fn play(mv: &str) -> Event {
    act(Action::Play { mv: mv.parse().unwrap() })
}

fn started(effects: &Effects) -> Vec<(u64, Priority)> {
    let start = |command: &EngineCommand| match command {
        EngineCommand::Start(job) => Some((job.number, job.priority)),
        _ => None,
    };
    effects.commands.iter().filter_map(start).collect()
}

fn insight(mv: &str) -> Insight {
    Insight { win: 0.5, margin: 0.0, nodes: 9, time: 50, line: vec![mv.parse().unwrap()], candidates: vec![] }
}

fn report(number: u64, result: JobResult) -> Event {
    Event::Report(JobReport { number, is_done: true, result })
}

#[test]
fn engine_answers_and_a_late_report_is_ignored() {
    let mut game = game("PEPE", TimeControl::None);
    assert!(game.handle(Event::Tick, 0).unwrap().commands.is_empty());
    let effects = game.handle(play("MONO@0,0"), 0).unwrap();
    assert_eq!(started(&effects), [(1, Priority::Answer)]);
    let answer = report(1, JobResult::Insight(insight("MONO@19,0")));
    let effects = game.handle(answer.clone(), 0).unwrap();
    assert!(effects.saves_session && effects.insight.is_some() && !game.is_busy());
    assert_eq!(game.session().position().turn(), 2);
    let effects = game.handle(answer, 0).unwrap();
    assert!(!effects.saves_session && game.session().position().turn() == 2);
}

#[test]
fn comment_does_not_restart_the_search() {
    let mut game = game("EEEE", TimeControl::None);
    assert_eq!(started(&game.handle(Event::Tick, 0).unwrap()), [(1, Priority::Watched)]);
    let effects = game.handle(act(Action::Comment { node: 0, text: "so".to_owned() }), 0).unwrap();
    assert!(effects.saves_session && effects.commands.is_empty());
    let effects = game.handle(act(Action::Pause), 0).unwrap();
    assert_eq!(effects.commands, [EngineCommand::Cancel(1)]);
}

#[test]
fn failed_engine_pauses_until_resumed() {
    let mut game = game("EEEE", TimeControl::None);
    game.handle(Event::Tick, 0).unwrap();
    let effects = game.handle(report(1, JobResult::Failed("crash".to_owned())), 0).unwrap();
    assert!(effects.saves_session && game.session().is_paused() && !game.is_busy());
    assert_eq!(game.engine_error(), Some(&EngineError { color: Color::Blue, text: "crash".to_owned() }));
    let effects = game.handle(act(Action::Resume), 0).unwrap();
    assert_eq!((started(&effects), game.engine_error()), (vec![(2, Priority::Watched)], None));
    // An illegal move is such an error, too.
    game.handle(report(2, JobResult::Move("MONO@5,5".parse().unwrap())), 0).unwrap();
    assert!(game.engine_error().unwrap().text.contains("start cell"), "{:?}", game.engine_error());
}

#[test]
fn unsaved_move_is_not_searched_again() {
    let mut game = game("EEEE", TimeControl::None);
    game.handle(Event::Tick, 0).unwrap();
    let effects = game.handle(Event::NotSaved("disk full".to_owned()), 0).unwrap();
    assert_eq!(
        (effects.commands, game.engine_error().unwrap().text.as_str()),
        (vec![EngineCommand::Cancel(1)], "disk full")
    );
    game.handle(act(Action::Pause), 0).unwrap();
    assert_eq!(started(&game.handle(act(Action::Resume), 0).unwrap()).len(), 1);
}

#[test]
fn hint_and_analysis_run_in_parallel_until_stopped() {
    let mut game = game("PPPP", TimeControl::None);
    game.handle(play("MONO@0,0"), 0).unwrap();
    let effects = game.handle(Event::Analyse { time: 50 }, 0).unwrap();
    assert_eq!((started(&effects), game.progress().unwrap().total), (vec![(1, Priority::Analysis)], 2));
    assert_eq!(game.handle(Event::Analyse { time: 50 }, 0).unwrap_err().name, "busy");
    let position = Box::new(*game.session().position());
    let effects = game.handle(Event::Hint { position: position.clone(), time: None }, 0).unwrap();
    assert_eq!(started(&effects), [(2, Priority::Hint)]);
    game.handle(report(2, JobResult::Insight(insight("MONO@19,0"))), 0).unwrap();
    let effects = game.handle(report(1, JobResult::Insight(insight("MONO@0,0"))), 0).unwrap();
    assert_eq!((started(&effects), game.progress().unwrap().done), (vec![(3, Priority::Analysis)], 1));
    let effects = game.handle(report(3, JobResult::Failed("crash".to_owned())), 0).unwrap();
    assert!(effects.is_visible && game.progress().is_none());
    game.handle(Event::Analyse { time: 60 }, 0).unwrap();
    game.handle(Event::Hint { position, time: Some(10) }, 0).unwrap();
    let effects = game.handle(Event::Stop, 0).unwrap();
    assert_eq!(effects.commands, [EngineCommand::Cancel(5), EngineCommand::Cancel(4)]);
    assert_eq!(game.handle(Event::MoveNow, 0).unwrap_err().name, "no_engine");
}

#[test]
fn engine_that_is_too_late_loses_by_time() {
    let mut game = game("EEEE", TimeControl::Move { limit: 100 });
    game.handle(Event::Tick, 0).unwrap();
    game.handle(report(1, JobResult::Insight(insight("MONO@0,0"))), 5_000).unwrap();
    assert_eq!(game.time_left(5_000), Some(100), "the clock starts with the first move");
    let effects = game.handle(report(2, JobResult::Insight(insight("MONO@19,0"))), 5_101).unwrap();
    assert!(effects.saves_session && game.session().is_over() && game.session().position().turn() == 1);
    assert_eq!(game.session().verdict(), record::Verdict::Won(Team::One));
}

#[test]
fn stale_actions_and_unknown_players_are_refused() {
    let mut game = game("PPPP", TimeControl::None);
    let comment = Action::Comment { node: 0, text: String::new() };
    let late = Event::Act { action: comment, by: By::Host, on: Some(3) };
    assert_eq!(game.handle(late, 0).unwrap_err().name, "stale");
    let sit = |seat| act(Action::Sit { color: Color::Red, seat });
    assert_eq!(game.handle(sit(Seat::Guest), 0).unwrap_err().name, "alone");
    let programs = Some(["known".to_owned()].into());
    game.settings = GameSettings { programs, ..GameSettings::default() }.into();
    assert!(game.handle(sit(Seat::Program { name: "known".to_owned() }), 0).is_ok());
    let unknown = Seat::Program { name: "rm".to_owned() };
    assert_eq!(game.handle(sit(unknown), 0).unwrap_err().name, "unknown_program");
}

#[test]
fn pace_delays_moves_of_programs() {
    let mut game = game("EEEE", TimeControl::None);
    let effects = game.handle(Event::Tick, 0).unwrap();
    let [EngineCommand::Start(job)] = effects.commands.as_slice() else { panic!("{effects:?}") };
    assert_eq!(job.delay, 1_500);
    let effects = game.handle(Event::SetPace { time: 1_000 }, 0).unwrap();
    let [EngineCommand::Cancel(old), EngineCommand::Start(job)] = effects.commands.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!((*old, job.delay), (1, 1_000));
    assert_eq!(game.handle(Event::SetPace { time: 1_000 }, 0).unwrap().commands, []);
}
