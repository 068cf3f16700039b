//! Plans played by the program: as matches are, in parts, and again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use arena::plan::Plan;

use super::folder::{Folder, end};

/// Fast games that depend on the seed.
const PLAN: &str = "
    games = 14
    nodes = 8
    rules = 'classic'
    seed = 6
    [[contestant]]
    name = 'other'
    player = 'random:seed=5'
    [[contestant]]
    player = 'random'
";

fn folder(plan: &str) -> Folder {
    let folder = Folder::new();
    folder.write("plan.toml", plan);
    folder
}

/// Returns the plan with this many games.
fn plan(games: u32) -> String {
    PLAN.replace("games = 14", &format!("games = {games}"))
}

/// Returns a plan of three contestants, with this many games in a match.
fn three(games: u32) -> String {
    plan(games) + "[[contestant]]\nplayer = 'random:seed=2'\n"
}

/// Merges databases that lack parts of a plan, which the exit code tells.
fn merge_incomplete(folder: &Folder, arguments: &str) -> String {
    let (code, told, error) = end(&mut folder.arena(arguments));
    assert!(code == Some(1) && error.contains("missing or not finished"), "{arguments}: {error}");
    told
}

#[test]
fn plan_of_two_equals_match() {
    let folder = folder(PLAN);
    for (limit, expected) in [
        ("nodes = 8", "the duration is unknown: other has no time limit\n"),
        ("time = 2000", "about 0.58 hours with one game at a time, 0.29 with 2\n"),
    ] {
        folder.write("timed.toml", PLAN.replace("nodes = 8", limit));
        let told = folder.run("run timed.toml --dry-run --concurrency 2");
        let expected = format!("14 games, 14 per pairing: 2 contestants, round robin\n{expected}");
        assert!(told.starts_with(&expected), "{told}");
    }
    let sprt = "[sprt]\nelo0 = 0\nelo1 = 5\n";
    folder.write("timed.toml", format!("{}{sprt}", PLAN.replace("'other'", r#""\u001b[2J""#)));
    let told = folder.run("run timed.toml --dry-run");
    let lines = "fewer games if the sequential test ends the match earlier\nthe duration is unknown: \\u{1b}[2J has";
    assert!(told.contains(lines), "{told}");
    assert!(!folder.database().exists());
    let planned = folder.run("run plan.toml -q");
    let same = folder.run("match random:seed=5 random --games 14 --nodes 8 --season classic --seed 6 -q");
    assert_eq!(folder.games(1), folder.games(2));
    // Everything except the times, which vary.
    let results = |text: &str| text.lines().take(7).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(results(&planned), results(&same));
}

#[test]
fn keeps_stored_games() {
    let folder = folder(PLAN);
    folder.run("run plan.toml -q");
    let before = folder.games(1);
    let again = folder.run("run plan.toml -q");
    assert!(again.contains("of 14 games") && again.contains("match 1 of"), "{again}");
    assert_eq!(folder.games(1), before);

    // More games are the same ones and some others.
    folder.write("plan.toml", plan(20));
    let more = folder.run("run plan.toml -q");
    assert!(more.contains("of 20 games") && more.contains("match 1 of"), "{more}");
    assert_eq!((folder.games(1).len(), &folder.games(1)[..14]), (20, &before[..]));
    let told = folder.fail("match --resume 1 --games 22 -q");
    assert!(told.contains("match 1 belongs to a plan"), "{told}");

    // Other games are another match.
    folder.write("plan.toml", PLAN.replace("seed = 6", "seed = 7"));
    assert!(folder.run("run plan.toml -q").contains("match 2 of"));
    assert_ne!(folder.games(2), before);
    // Deleted games are played again.
    folder.run("delete 1");
    folder.write("plan.toml", PLAN);
    assert!(folder.run("run plan.toml -q").contains("of 14 games"));
}

#[test]
fn merged_parts_equal_whole_plan() {
    let folder = folder(PLAN);
    folder.run("run plan.toml -q --database whole.sqlite");
    for part in 1..=3 {
        let told = folder.run(&format!("run plan.toml -q --part {part}/3 --out part-{part}.sqlite"));
        let games = if part == 1 { 6 } else { 4 };
        assert!(told.contains(&format!("of {games} games")), "{told}");
    }
    // A part that was played already is not played again.
    folder.run("run plan.toml -q --part 1/3 --out part-1.sqlite");
    let told = merge_incomplete(&folder, "merge part-3.sqlite part-1.sqlite");
    assert_eq!(
        told,
        "match 1 of part-3.sqlite is match 1: 4 games added\nmatch 1 of part-1.sqlite is match 1: 6 games added\n\
         part 2/3 of match 1 is missing\n"
    );
    let told = merge_incomplete(&folder, "merge part-1.sqlite");
    assert!(told.contains("0 games added") && told.contains("part 2/3 of match 1 is missing"), "{told}");
    folder.run("merge part-2.sqlite");
    let merged = folder.games(1);
    assert_eq!(merged.len(), 14);
    let twice = folder.run("merge part-1.sqlite part-2.sqlite part-3.sqlite");
    assert!(twice.ends_with("all 3 parts of match 1 are complete\n"), "{twice}");
    assert_eq!(folder.games(1), merged);
    folder.run("merge whole.sqlite");
    assert_eq!(folder.games(1), merged);

    // It resumes like any run, and so does a merged part.
    assert!(folder.run("run plan.toml -q").contains("of 14 games"));
    assert_eq!(folder.games(1), merged);
    fs::rename(folder.database(), folder.path("merged.sqlite")).unwrap();
    merge_incomplete(&folder, "merge part-2.sqlite");
    assert!(folder.run("run plan.toml -q").contains("of 14 games"));
    assert_eq!(folder.games(1), merged);
}

#[test]
fn merges_parts_of_grown_plan() {
    let folder = folder(PLAN);
    let play = |part: u32| {
        folder.run(&format!("run plan.toml -q --part {part}/2 --out part-{part}.sqlite"));
    };
    play(1);
    play(2);
    let told = folder.run("merge part-1.sqlite part-2.sqlite");
    assert!(told.ends_with("all 2 parts of match 1 are complete\n"), "{told}");

    folder.write("plan.toml", plan(20));
    play(1);
    let told = merge_incomplete(&folder, "merge part-1.sqlite");
    assert!(told.ends_with("part 2/2 of match 1 lacks 2 of its 5 pairs\n"), "{told}");
    // Older data changes nothing.
    let told = merge_incomplete(&folder, "merge part-2.sqlite");
    assert!(told.ends_with("part 2/2 of match 1 lacks 2 of its 5 pairs\n"), "{told}");
    assert!(folder.run("match --resume 1 -q").contains("of 20 games"));
    // Nor does it if it comes first.
    let told = merge_incomplete(&folder, "merge part-2.sqlite part-1.sqlite --database other.sqlite");
    assert!(told.ends_with("part 2/2 of match 1 lacks 2 of its 5 pairs\n"), "{told}");
    play(2);
    let told = folder.run("merge part-2.sqlite");
    assert!(told.ends_with("all 2 parts of match 1 are complete\n"), "{told}");

    // As if the second part had been killed before its last game was kept.
    let database = rusqlite::Connection::open(folder.path("part-2.sqlite")).unwrap();
    let last = "(SELECT max(id) FROM game)";
    let delete = format!("DELETE FROM ply WHERE game = {last}; DELETE FROM game WHERE id = {last}");
    database.execute_batch(&delete).unwrap();
    drop(database);
    let told = merge_incomplete(&folder, "merge part-2.sqlite --database third.sqlite");
    assert!(told.contains("9 games added"), "{told}");
    assert!(told.ends_with("part 1/2 of match 1 is missing\npart 2/2 of match 1 lacks 1 of its 5 pairs\n"), "{told}");
}

#[test]
fn merged_match_keeps_planned_length() {
    let folder = folder(&three(2));
    // Each of the first three parts has another match.
    folder.run("run plan.toml -q --part 3/3 --out part-3.sqlite");
    folder.write("plan.toml", three(4));
    folder.run("run plan.toml -q --part 1/6 --out part-1.sqlite");
    merge_incomplete(&folder, "merge part-1.sqlite part-3.sqlite");
    for id in [1, 2] {
        assert!(folder.run(&format!("match --resume {id} -q")).contains("of 4 games"));
    }
    folder.run("run plan.toml -q");
    let told = folder.run("merge part-1.sqlite");
    assert!(told.ends_with("all 6 parts of matches 1, 2, 3 are complete\n"), "{told}");
    let listed = folder.run("list");
    for pair in ["random:seed=5 - random\n", "random:seed=5 - random:seed=2", "random - random:seed=2"] {
        assert!(listed.contains(pair), "{listed}");
    }
}

#[test]
fn swiss_tournament_resumes() {
    let more = [3, 4].map(|seed| format!("[[contestant]]\nplayer = 'random:seed={seed}'\n"));
    let folder = folder(&format!("swiss_rounds = 3\n{}{}", three(2), more.concat()));
    let told = folder.run("run plan.toml -q");
    // Five contestants: two matches and a bye in each of three rounds.
    assert!(told.contains("These are matches 1 to 6 of arena.sqlite.\n`arena report 1 --tournament`"), "{told}");
    assert_eq!(told.matches("bye 1").count(), 3, "{told}");
    assert!(told.contains("Elo (95 % interval)"), "{told}");
    let before: Vec<_> = (1..=6).map(|id| folder.games(id)).collect();
    // As if it had been killed in the last round.
    folder.run("delete 6");
    assert!(folder.run("run plan.toml -q").contains("These are matches 1 to 6 of"));
    let after: Vec<_> = (1..=6).map(|id| folder.games(id)).collect();
    assert_eq!(before, after);
    assert_eq!(folder.run("report 2 --tournament"), "tournament-2.html\n");
    let page = folder.read("tournament-2.html");
    // Every game of the twelve, and both of a pair in the crosstable, seen from either side.
    assert_eq!((page.matches("\"verdict\"").count(), page.contains("\"swiss_rounds\":3")), (12, true));
    assert!(folder.fail("report 99 --tournament").contains("99"));
    assert!(folder.fail("run plan.toml --part 1/2 --out part.sqlite").contains("Swiss"));
    let told = folder.run("run plan.toml --dry-run --concurrency 1");
    assert!(told.starts_with("12 games, 2 per pairing: 5 contestants, 3 Swiss rounds\n"), "{told}");
}

#[test]
fn rejects_matches_outside_the_plan() {
    let folder = folder(PLAN);
    folder.run("run plan.toml -q");
    let database = rusqlite::Connection::open(folder.database()).unwrap();
    database.execute("UPDATE run_match SET number = 7", ()).unwrap();
    assert!(folder.fail("run plan.toml -q").contains("there is no match of the plan with the number 7"));
}

#[test]
fn names_unreachable_queue_without_secrets() {
    let folder = folder(PLAN);
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap();
    // It waits for the server; this does not.
    let first_line = |arguments: &str| {
        let mut arena = folder.arena(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(arena.stderr.take().unwrap()).read_line(&mut line).unwrap();
        arena.kill().unwrap();
        arena.wait().unwrap();
        line
    };
    let told = first_line(&format!("run plan.toml -q --queue nats://me:hidden@{free}"));
    assert!(told.contains(&format!("the queue at {free}")) && told.contains("refused"), "{told}");
    assert!(told.contains("waiting for it"), "{told}");
    assert!(!told.contains("hidden"), "{told}");
    // A part belongs to one machine and uses no queue, and without a queue there is nothing to withdraw.
    let told = folder.fail(&format!("run plan.toml -q --part 1/2 --out part.sqlite --queue nats://{free}"));
    assert!(told.contains("--part") && told.contains("--queue"), "{told}");
    let begun = Instant::now();
    let told = folder.fail(&format!("run plan.toml --withdraw --queue nats://{free}"));
    assert!(told.contains("refused") && begun.elapsed() < Duration::from_secs(30), "{told}");
    assert!(folder.fail("run plan.toml --withdraw").contains("--queue"));
}

#[test]
fn rejects_half_a_login() {
    let folder = Folder::new();
    for (given, missing) in [("USER", "PASSWORD"), ("PASSWORD", "USER")] {
        let mut work = folder.arena("work --queue nats://there.is.no.such.host.invalid");
        work.env_remove(format!("ARENA_QUEUE_{missing}")).env(format!("ARENA_QUEUE_{given}"), "hidden");
        let (code, _, told) = end(&mut work);
        assert!(code == Some(1) && !told.contains("hidden"), "{told}");
        assert!(told.contains(&format!("ARENA_QUEUE_{missing}: expected beside ARENA_QUEUE_{given}")), "{told}");
    }
}

/// The plans of the repository, which people start from.
#[test]
fn example_plans_can_be_played() {
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/plans");
    let mut games = Vec::new();
    for path in fs::read_dir(plans).unwrap() {
        let plan = Plan::read(&path.unwrap().path()).unwrap();
        games.push(plan.games());
    }
    games.sort_unstable();
    assert_eq!(games, [24, 2000]);
}
