//! Games in a service over real sockets.

use arena::games::played::PlayedGame;
use game::{Position, Rules, Team};
use record::{Fault, FaultKind, Game, NodeId};
use serde_json::{Value, json};

use crate::running::{Program, Running, SMALL, people, play, token_of};

#[test]
fn confirmed_actions_survive_kill() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let token = {
        let program = Program::start(&database, &SMALL);
        let service = &program.service;
        let token = service.create(&people());
        let (host, watch) = (token("host"), token("watch"));
        let (mut player, mut watcher) = (service.connect(&host), service.connect(&watch));
        assert_eq!(player.view(|_| true)["may_move"], true);
        assert_eq!(watcher.view(|_| true)["may_move"], false);
        assert_eq!(player.act(&play("PENTO_W@0,0"), Some(0))["type"], "done");
        assert_eq!(watcher.view(|view| view["turn"] == 1)["last"]["move"], "PENTO_W@0,0");

        let refused = player.act(&play("MONO@5,5"), None);
        assert_eq!((&refused["type"], &refused["error"]), (&json!("refused"), &json!("not_on_start")));
        assert_eq!(player.act(&play("MONO@19,0"), Some(0))["error"], "stale", "somebody was faster");
        assert_eq!(watcher.act(&play("MONO@19,0"), None)["error"], "not_allowed");
        watcher.send(&json!({ "type": "hint" }));
        assert_eq!(watcher.until(|message| message["type"] == "refused")["error"], "not_allowed");

        player.send(&json!({ "type": "why", "id": 99, "shape": "DOMINO", "x": 19, "y": 0 }));
        assert_eq!(player.until(|message| message["id"] == 99)["why"]["rule"], "out_of_bounds");
        player.send(&json!({ "type": "territory" }));
        let territory = player.until(|message| message["type"] == "territory");
        assert_eq!(territory["territory"].as_array().unwrap().len(), 4);
        let said = player.act(&json!({ "do": "comment", "node": 1, "text": "<b>bold</b>" }), None);
        assert_eq!(said["type"], "done");
        // Dropping the program kills it, with nothing in between.
        host
    };
    let service = Running::start(&database, |_| {});
    // The first message is a complete view of the node.
    let first = service.connect_at(&format!("/api/play/{token}?node=0")).receive();
    assert_eq!((&first["type"], &first["view"]["node"], &first["progress"]), (&json!("view"), &json!(0), &Value::Null));
    let view = service.connect(&token).view(|_| true);
    assert_eq!((&view["turn"], &view["line"][1]["comment"]), (&json!(1), &json!("<b>bold</b>")));
    let (status, saved) = service.get(&format!("/api/save/{token}/blksgf"));
    assert!(status == 200 && saved.contains("GM[Blokus Two-Player]"), "{saved}");
}

#[test]
fn listed_games_are_renamed_and_deleted() {
    let service = Running::new();
    let token = service.create(&people());
    _ = service.create(&people());
    let send = |method: &str, token: &str, body: &str| {
        service.send(&format!("{method} /api/games/{token}"), body.as_bytes()).0
    };
    assert_eq!((send("PUT", &token("watch"), "\"final\""), send("DELETE", &token("watch"), "")), (400, 404));
    assert_eq!(send("PUT", &token("host"), "\"final\""), 200);
    let games = service.ask("/api/games");
    let named = games.as_array().unwrap().iter().find(|game| game["name"] == "final").unwrap();
    assert_eq!(service.get(&format!("/api/save/{}/jsonl", token("host"))).0, 200);
    let mut player = service.connect(&token("host"));
    player.view(|_| true);
    assert_eq!(send("DELETE", named["token"].as_str().unwrap(), ""), 200);
    assert_eq!(service.get(&format!("/api/save/{}/jsonl", token("host"))).0, 404);
    assert_eq!(service.ask("/api/games").as_array().unwrap().len(), 1);
    while player.socket.read().is_ok() {}
    assert_eq!(service.connect(&token("host")).receive()["error"], "no_link");
}

#[test]
fn guest_plays_only_its_seat() {
    let service = Running::new();
    let [person, guest] = ["person", "guest"].map(|kind| json!({ "kind": kind }));
    let token = service.create(&json!({ "rules": "classic", "seats": [person, guest, person, guest] }));
    let (mut host, mut yellow) = (service.connect(&token("host")), service.connect(&token("Y")));
    assert_eq!(yellow.act(&play("MONO@0,0"), None)["error"], "not_yours");
    assert_eq!(host.act(&play("MONO@0,0"), None)["type"], "done");
    assert_eq!(host.act(&play("MONO@19,0"), None)["error"], "not_yours");
    assert!(yellow.view(|view| view["turn"] == 1)["legal"]["MONO"].is_array());
    assert_eq!(yellow.act(&play("MONO@19,0"), None)["type"], "done");
    assert_eq!(yellow.act(&json!({ "do": "undo" }), None)["error"], "not_allowed");
    assert_eq!(yellow.act(&json!({ "do": "resign", "team": "ONE" }), None)["error"], "not_allowed");
    assert_eq!(yellow.act(&json!({ "do": "resign", "team": "TWO" }), None)["type"], "done");
    assert_eq!(host.view(|view| view["has_ended"] == true)["result"], "ONE");
}

#[test]
fn analysis_is_streamed_and_stored() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let token = {
        let service = Running::start(&database, |_| {});
        let token = service.create(&people())("host");
        let mut player = service.connect(&token);
        player.send(&json!({ "type": "hint", "time": 300 }));
        let first = player.view(|view| view["insight"].is_object());
        assert!(first["insight"]["candidates"][0]["share"].as_f64().unwrap() > 0.0);
        let known = |view: &Value| {
            let candidates = view["insight"]["candidates"].as_array().cloned().unwrap_or_default();
            !candidates.is_empty() && candidates.iter().all(|candidate| candidate["win"].is_number())
        };
        player.view(known);
        for mv in ["PENTO_W@0,0", "MONO@19,0", "PENTO_W@17,17"] {
            assert_eq!(player.act(&play(mv), None)["type"], "done");
        }
        player.send(&json!({ "type": "analyse", "id": 7, "time": 30 }));
        player.until(|message| message["progress"].is_object());
        player.until(|message| message["type"] == "view" && message["progress"].is_null());
        // Who takes more time wants better answers; the hint at the start had taken longer still.
        player.send(&json!({ "type": "analyse", "id": 8, "time": 60 }));
        player.until(|message| message["progress"]["total"] == 3);
        player.until(|message| message["type"] == "view" && message["progress"].is_null());
        token
    };
    let service = Running::start(&database, |_| {});
    let mut player = service.connect(&token);
    player.send(&json!({ "type": "review" }));
    let review = player.until(|message| message["type"] == "review")["review"].clone();
    assert_eq!(review["moves"].as_array().unwrap().len(), 3);
    assert!(review["accuracy"][0].is_number() && review["graph"][3].is_array());
}

#[test]
fn opens_games_of_a_running_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.sqlite");
    let mut matches = arena::database::Store::open(&path).unwrap();
    let id = matches.add_match_without_plan(Rules::Classic, ["mcts", "minimax"]).unwrap();
    let service = Running::with(|config| config.arena = Some(path));
    assert_eq!(Running::new().ask("/api/archive"), Value::Null);
    assert_eq!(service.ask("/api/archive")[0]["games"], 0);

    let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
    game.play(NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
    game.fault = Some((Team::Two, Fault::new(FaultKind::Resigned, "")));
    let first = PlayedGame::of_game(&game, 0);
    let number = matches.add_game(id, &first).unwrap();
    matches.add_game(id, &PlayedGame { team_of_a: Team::Two, ..first }).unwrap();
    let games = service.ask(&format!("/api/archive/matches/{id}"));
    for (game, names, result) in [(&games[0], ["minimax", "mcts"], "TWO"), (&games[1], ["mcts", "minimax"], "ONE")] {
        assert_eq!((&game["names"], &game["result"]), (&json!(names), &json!(result)));
    }
    assert_eq!(service.get("/api/archive").0, 403, "it needs the key");
    let (status, links) = service.send(&format!("POST /api/archive/games/{number}"), b"");
    assert_eq!(status, 200, "{links}");
    let token = token_of(links)("host");
    let view = service.connect(&token).view(|_| true);
    assert_eq!((&view["turn"], &view["teams"][0]["player"]), (&json!(1), &json!("mcts")));
    let (status, error) = service.send("POST /api/archive/games/99", b"");
    assert!(status == 404 && error["text"] == "there is no game 99", "{error}");
    let (status, error) = service.send("GET /api/archive/matches/99", b"");
    assert!(status == 404 && error["text"] == "there is no match 99", "{error}");
}
