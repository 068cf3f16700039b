"""Environments, by the tests of PettingZoo and Gymnasium and by the rules."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from blokus import Position, features
from blokus.env import COLORS, Against, env


@pytest.mark.parametrize("rules", ["2027", "2021", "classic"])
# What it advises but does not demand: spaces without a mask, and agents with numbers.
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_finds_nothing_wrong(rules):
    api_test(env(rules=rules), num_cycles=300)


@pytest.mark.parametrize("rules", ["2027", "2021", "classic"])
def test_every_start_piece_of_the_rules_is_drawn_and_no_other(rules):
    game, drawn = env(rules=rules), set()
    for seed in range(100):
        game.reset(seed=seed)
        drawn.add(game.position.start_piece)
    assert drawn == set(Position.start_pieces(rules) or [None])


def test_the_same_seed_is_the_same_game():
    seed_test(env, num_cycles=100)


# That spaces and observations are Gymnasium's own is what it advises; a mask needs more.
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_finds_nothing_wrong():
    check_env(Against("random", nodes=1, render_mode="ansi"), skip_close_check=True)


def choose(game, chance):
    observation, _, terminated, truncated, _ = game.last()
    if terminated or truncated:
        return None
    return int(chance.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("seed", range(5))
def test_the_rewards_are_those_of_the_winner(seed):
    game, chance = env(), np.random.default_rng(seed)
    game.reset(seed=seed)
    turns, rewards = 0, None
    for agent in game.agent_iter():
        if not game.terminations[agent]:
            turns += 1
            assert agent == game.position.team
            other = game.observe("TWO" if agent == "ONE" else "ONE")
            assert not other["action_mask"].any(), "only who is on turn may act"
            position = game.position
            following = [COLORS[(COLORS.index(position.color) + later) % 4] for later in (1, 3)]
            following = [color for color in following if color in position.in_play] or following
            assert (other["observation"] == features.planes(position, following[0])).all()
        game.step(choose(game, chance))
        if any(game.terminations.values()) and rewards is None:
            rewards = dict(game.rewards)
    assert turns > 40 and game.position.is_over
    points = {team: game.position.team_points(team) for team in ("ONE", "TWO")}
    signs = {team: np.sign(points[team] - min(points.values())) * 2 - 1 for team in points}
    assert rewards == (signs if points["ONE"] != points["TWO"] else {"ONE": 0.0, "TWO": 0.0})


def test_an_illegal_move_loses_at_once():
    game = env(start_piece="PENTO_W")
    game.reset()
    game.step(features.ACTIONS - 1)
    assert game.terminations == {"ONE": True, "TWO": True} and game.rewards == {"ONE": -1.0, "TWO": 1.0}
    lonely = Against("heuristic", start_piece="PENTO_W")
    lonely.reset(seed=1)
    for action in (features.ACTIONS - 1, features.ACTIONS, -1):
        lonely.reset(seed=1)
        _, reward, terminated, _, _ = lonely.step(action)
        assert (reward, terminated) == (-1.0, True)


def test_the_learner_has_both_teams_in_turn():
    game = Against("random", nodes=1)
    teams = []
    for number in range(4):
        game.reset(seed=5 if number == 0 else None)
        teams.append(game.team)
        assert game.position.team == game.team and game.position.turn == (0 if game.team == "ONE" else 1)
    assert teams == ["ONE", "TWO", "ONE", "TWO"]
