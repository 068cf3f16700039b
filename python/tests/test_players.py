"""The built-in players."""

import copy
import pickle
import threading
import time
from functools import reduce

import pytest

from blokus import Player, Position

START = Position.start("PENTO_W")
# Here nothing is in the opening book any more.
SECOND_ROUND = reduce(lambda position, _: position.play(position.legal_moves()[0]), range(4), START)


@pytest.mark.parametrize("name", ["mcts", "neural", "minimax", "heuristic", "random", "level3"])
def test_players_return_legal_moves_and_reports(name):
    report = Player(name, seed=1).choose(START, nodes=50)
    assert START.why_illegal(report.mv) is None
    assert str(report.mv) in repr(report)
    if report.line:
        assert report.line[0] == report.mv
    assert report.win is None or 0 <= report.win <= 1


def test_same_seed_repeats_move():
    first, second = (Player("mcts", seed=7).choose(SECOND_ROUND, nodes=200) for _ in range(2))
    assert (first.mv, first.line, first.win) == (second.mv, second.line, second.win)


@pytest.mark.parametrize("name", ["mcts", "random", "level1"])
def test_copied_player_starts_like_a_new_one(name):
    def moves(player):
        return [player.choose(SECOND_ROUND, nodes=20).mv for _ in range(3)]

    player = Player(name, seed=5, memory=8)
    expected = moves(player)
    for again in (copy.copy(player), copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert again.name == player.name and moves(again) == expected


def test_copied_player_shares_experience_file(tmp_path):
    path = tmp_path / "experience"
    arguments = copy.copy(Player("mcts", seed=2, threads=2, memory=8, experience=path)).__getnewargs_ex__()
    assert arguments == (("mcts",), {"seed": 2, "threads": 2, "memory": 8, "experience": path})


def test_game_extends_experience_file(tmp_path):
    path = tmp_path / "experience"
    player, position = Player("mcts", experience=path), Position.start("PENTO_W")
    opponent = Player("random")
    while not position.is_over:
        mover = player if position.team == "ONE" else opponent
        position = position.play(mover.choose(position, nodes=20).mv)
    assert not path.exists()
    player.new_game()
    assert path.read_text().startswith("Blokus experience 1")
    path.write_text("something else")
    with pytest.raises(ValueError, match="something else"):
        Player("mcts", experience=path)
    with pytest.raises(OSError):
        Player("mcts", experience=tmp_path)


def test_search_releases_lock():
    player, reports = Player("mcts"), []
    player.choose(SECOND_ROUND, nodes=1)
    thinker = threading.Thread(target=lambda: reports.append(player.choose(SECOND_ROUND, time=1.0)))
    thinker.start()
    steps = 0
    while thinker.is_alive():
        steps += 1
        time.sleep(0.01)
    assert steps >= 20, "the interpreter was not free"
    assert reports[0].nodes > 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Player("nobody"), "nobody.*mcts"),
        (lambda: Player(threads=0), "thread"),
        (lambda: Player("random").choose(START), "limit"),
        (lambda: Player("random").choose(START, time=-1), "-1"),
        (lambda: Player("random").choose(START, time=float("nan")), "NaN"),
        (lambda: Player("random").choose(Position("classic - 90 - - " + "/".join(["20"] * 20)), nodes=1), "over"),
    ],
)
def test_errors_name_the_fault(call, words):
    with pytest.raises(ValueError, match=words):
        call()
