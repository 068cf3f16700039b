//! The pages about a match and a tournament in a real browser.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use arena::matches::MatchPlan;
use arena::opening::Opening;
use arena::plan::{Part, Plan, Scale};
use arena::played::PlayedGame;
use arena::records::Records;
use arena::report;
use arena::statistics::Tally;
use arena::store::{Store, StoredGame, StoredMatch};
use game::Rules;
use player::Budget;
use serde_json::{Value, json};
use server::Clock;
use tests::browser::Browser;

/// The page about four games.
fn page(change: impl Fn(&mut PlayedGame)) -> String {
    let plan = MatchPlan {
        sides: ["mcts:memory=1", "heuristic"].map(|text| text.parse().unwrap()),
        budgets: [Budget::nodes(5); 2],
        clock: Clock::default(),
        rules: Rules::Season2027,
        start_piece: None,
        opening: Opening::default(),
        pairs: 2,
        seed: 5,
        sprt: None,
    };
    let (mut tally, mut games) = (Tally::default(), Vec::new());
    let never = AtomicBool::new(false);
    plan.play(&HashSet::new(), &mut tally, 1, &never, |game, _| games.push(game.clone())).unwrap();
    games.iter_mut().for_each(change);
    let games: Vec<StoredGame> = (1..).zip(games).map(|(id, record)| StoredGame { id, match_id: 1, record }).collect();
    let stored = StoredMatch {
        id: 1,
        created: "2027-01-01T00:00:00Z".to_owned(),
        names: ["a contestant with a name of great length:exploration=0.5,threads=2", "heuristic"].map(str::to_owned),
        rules: Rules::Season2027,
        games: 4,
        unfinished: 0,
        points: 2.0,
    };
    report::html(&stored, &games).unwrap()
}

/// The page about a tournament of four games between every two of these.
fn tournament(names: [&str; 3]) -> String {
    let contestant = |(name, player)| format!("[[contestant]]\nname = '{name}'\nplayer = '{player}'\n");
    let players = names.into_iter().zip(["random", "heuristic", "random:seed=2"]);
    let plan: Plan = format!("games = 4\n{}", players.map(contestant).collect::<String>()).parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.sqlite");
    let mut records = Records::of_plan(plan.clone(), Part::WHOLE, Store::open(&path).unwrap()).unwrap();
    records.play(Scale::NONE, 1, &AtomicBool::new(false), |_| {}).unwrap();
    drop(records);
    let store = Store::open_to_read(&path).unwrap();
    let matches = store.runs().unwrap().remove(0).matches.into_iter();
    let matches: Vec<_> =
        matches.map(|(number, id)| (number, store.find_match(id).unwrap(), store.games(id).unwrap())).collect();
    report::tournament(&plan, &matches).unwrap()
}

/// Whatever cannot be seen as a whole although it should be.
const CUT: &str = "() => {
    const all = [...document.querySelectorAll('svg, button, input, .card, figure, .list, h1, h3')];
    const isCut = (box) => box.width < 10 || box.left < 0 || box.right > innerWidth + 0.5;
    const cut = all.filter((element) => isCut(element.getBoundingClientRect())).map((element) => element.outerHTML.slice(0, 60));
    return { width: innerWidth, scroll: document.documentElement.scrollWidth, cut };
}";

#[test]
fn nothing_is_cut_on_a_desk_or_on_a_telephone() {
    let Some(browser) = Browser::find() else { return };
    let tournament = tournament(["one", "a contestant with a name of great length:exploration=0.5,threads=2", "three"]);
    for page in [page(|_| {}), tournament] {
        for width in [1400, 390] {
            assert_eq!(browser.ask(&page, width, CUT), json!({ "width": width, "scroll": width, "cut": [] }));
        }
    }
}

#[test]
fn a_tournament_shows_its_table_and_the_games_of_any_two() {
    let Some(browser) = Browser::find() else { return };
    let told = browser.ask(
        &tournament(["one", "best", "three"]),
        1400,
        "() => {
            const texts = (selector) => [...document.querySelectorAll(selector)].map((cell) => cell.textContent);
            const games = () => texts('#games td.versus');
            const all = games().length;
            const cross = texts('#cross tr:nth-child(2) td');
            document.querySelector('#cross tr:nth-child(2) td:nth-child(4) button').click();
            const pair = games();
            const title = byId('game-title').textContent;
            document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }));
            const next = byId('game-title').textContent;
            document.querySelector('#cross tr:nth-child(2) td:nth-child(4) button').click();
            const covered = document.querySelector('svg.blokus .cells').innerHTML.split('h1v1').length - 1;
            return { all, cross, pair, title, next, again: games().length, covered: covered > 100,
                names: texts('#table td.name'), won: texts('#table tr:nth-child(2) td:nth-child(3)'),
                chart: byId('elo').querySelectorAll('circle').length };
        }",
    );
    assert_eq!((&told["all"], &told["again"], &told["covered"]), (&json!(12), &json!(12), &json!(true)), "{told}");
    // Whoever looks one placement ahead is first, and has played four games against each of the others.
    assert_eq!((&told["names"][0], &told["cross"][1], &told["cross"][2]), (&json!("best"), &json!("best"), &json!("")));
    let games = |cell: &Value| cell.as_str().unwrap().split('-').map(|n| n.parse::<u32>().unwrap()).sum::<u32>();
    assert_eq!((games(&told["cross"][3]), games(&told["cross"][4])), (4, 4));
    let pair = told["pair"].as_array().unwrap();
    let second = told["names"][1].as_str().unwrap();
    assert!(pair.len() == 4 && pair.iter().all(|names| names.as_str().unwrap().contains("best")), "{told}");
    for title in ["title", "next"].map(|key| told[key].as_str().unwrap()) {
        assert!(title.contains("best") && title.contains(second), "{told}");
    }
    assert_ne!(told["title"], told["next"]);
    assert_eq!(told["chart"], json!(3));
}

#[test]
fn games_are_stepped_through() {
    let Some(browser) = Browser::find() else { return };
    let covered =
        "const covered = () => document.querySelector('svg.blokus .cells').innerHTML.split('h1v1').length - 1;
        const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key }));";
    let told = browser.ask(
        &page(|_| {}),
        1400,
        &format!(
            "() => {{ {covered}
                const end = covered();
                byId('first').click();
                const steps = [covered()];
                for (let i = 0; i < 4; i++) {{ byId('next').click(); steps.push(covered()); }}
                press('ArrowLeft'); press('ArrowLeft'); steps.push(covered());
                press('End'); press('ArrowDown');
                return {{ steps, end: end > 200, same: covered() === end, title: byId('game-title').textContent.slice(0, 6) }};
            }}"
        ),
    );
    // Whoever has the first move places the start piece of five cells.
    assert_eq!(told["steps"], json!([0, 5, 10, 15, 20, 10]));
    assert_eq!((&told["end"], &told["same"], &told["title"]), (&json!(true), &json!(false), &json!("Game 2")));
}

#[test]
fn imported_games_have_no_empty_charts() {
    let Some(browser) = Browser::find() else { return };
    let mut pair = 0..;
    let pairs = std::cell::RefCell::new(&mut pair);
    // Each game is a pair of its own, no times are known, and the last one did not end.
    let page = page(|game| {
        game.pair = pairs.borrow_mut().next().unwrap();
        game.plies.iter_mut().for_each(|ply| ply.choice = None);
        if game.pair == 3 {
            game.plies.truncate(10);
        }
    });
    let told = browser.ask(
        &page,
        390,
        "() => ({
            charts: [...document.querySelectorAll('figure svg')].map((svg) => [svg.id, svg.children.length > 5]),
            moves: [...document.querySelectorAll('#result td:nth-child(3)')].map((cell) => Number(cell.textContent)),
            times: [...document.querySelectorAll('#result td:nth-child(4)')].map((cell) => cell.textContent),
            last: document.querySelector('#games tr:last-child').lastChild.textContent,
            caption: byId('course-caption').textContent,
        })",
    );
    assert_eq!(told["charts"], json!([["margins", true], ["course", true]]));
    let moves: Vec<i64> = told["moves"].as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    assert!(moves.len() == 2 && moves.iter().all(|&moves| moves > 60), "{told}");
    assert_eq!((&told["times"], &told["last"]), (&json!(["–", "–"]), &json!("unfinished")));
    assert_eq!(told["caption"], "Points of A (solid) and of B (dashed)");
}
