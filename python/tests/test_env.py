"""Environments, by the tests of PettingZoo and Gymnasium and by the rules."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from blokus import Position, features
from blokus.env import COLORS, Against, env


@pytest.mark.parametrize("rules", ["2027", "2021", "classic"])
# What it advises but does not demand: spaces without a mask, and agents with numbers.
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_passes_pettingzoo_checks(rules):
    api_test(env(rules=rules), num_cycles=300)


@pytest.mark.parametrize("rules", ["2027", "2021", "classic"])
def test_draws_exactly_the_start_pieces(rules):
    game, drawn = env(rules=rules), set()
    for seed in range(100):
        game.reset(seed=seed)
        drawn.add(game.position.start_piece)
    assert drawn == set(Position.start_pieces(rules) or [None])


def test_same_seed_gives_same_game():
    seed_test(env, num_cycles=100)


# It samples actions without their mask, and then steps on after the game was lost by an illegal one.
@pytest.mark.filterwarnings("error:.*render.*")
def test_passes_gymnasium_checks():
    game = gymnasium.make("blokus/Against-v0", opponent="random", nodes=1, render_mode="rgb_array")
    assert isinstance(game.unwrapped, Against)
    check_env(game.unwrapped)
    # As sb3-contrib looks for them.
    _, info = game.reset(seed=1)
    assert (game.get_wrapper_attr("action_masks")() == info["action_mask"]).all()


@pytest.mark.parametrize("make", [env, Against])
def test_renders_every_declared_mode(make):
    for mode in make().metadata["render_modes"]:
        game = make(render_mode=mode)
        game.reset(seed=1)
        assert isinstance(game.render(), np.ndarray if mode == "rgb_array" else str)
    for mode in ["human", "nonsense", ""]:
        with pytest.raises(ValueError, match=f"`{mode}`.*ansi, rgb_array, svg"):
            make(render_mode=mode)


def test_rgb_array_shows_every_cell():
    game = env(render_mode="rgb_array")
    game.reset(seed=1)
    for _ in range(8):
        game.step(int(game.observe(game.agent_selection)["action_mask"].argmax()))
    pixels = game.render()
    assert pixels.shape == (400, 400, 3) and pixels.dtype == np.uint8
    board = np.frombuffer(game.position.board(), np.uint8).reshape(20, 20)
    middles = pixels[10::20, 10::20]
    for number in range(5):
        assert len(np.unique(middles[board == number], axis=0)) == 1
    assert len(np.unique(middles.reshape(-1, 3), axis=0)) == 5


@pytest.mark.parametrize("make", [env, Against])
def test_rejects_steps_outside_a_game(make):
    game = make(start_piece="PENTO_W")
    with pytest.raises(ResetNeeded, match="reset"):
        game.step(0)
    game.reset(seed=1)
    game.step(features.ACTIONS - 1)
    with pytest.raises((ResetNeeded, ValueError)):
        game.step(0)
    if make is env:
        for _ in game.agent_iter():
            game.step(None)
        with pytest.raises(ResetNeeded, match="reset"):
            game.step(None)


def play_on(game, seed, steps=100):
    """Plays at most `steps` random legal actions and returns the positions after them."""
    chance, states = np.random.default_rng(seed), []
    while not game.position.is_over and len(states) < steps:
        _, _, _, _, info = game.step(int(chance.choice(np.flatnonzero(game.action_masks()))))
        assert (info["action_mask"] == game.action_masks()).all() and game.action_masks().dtype == bool
        states.append(str(game.position))
    return states


@pytest.mark.parametrize("opponent", ["random", "heuristic", "level1", "mcts"])
def test_copies_and_seeds_repeat_the_game(opponent):
    game = Against(opponent, nodes=2)
    ends = []
    for _ in range(2):
        game.reset(seed=1)
        # The learner is TWO now.
        game.reset()
        play_on(game, 2, steps=3)
        copies = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
        ends += [play_on(again, 3, steps=6) for again in [game, *copies]]
    assert len(ends[0]) == 6 and ends == ends[:1] * 6


def choose(game, chance):
    observation, _, terminated, truncated, _ = game.last()
    if terminated or truncated:
        return None
    return int(chance.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("seed", range(5))
def test_rewards_match_result(seed):
    game, chance = env(), np.random.default_rng(seed)
    game.reset(seed=seed)
    turns, rewards = 0, None
    for agent in game.agent_iter():
        if not game.terminations[agent]:
            turns += 1
            assert agent == game.position.team
            other = game.observe("TWO" if agent == "ONE" else "ONE")
            assert not other["action_mask"].any(), "only who is to move may act"
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


def test_illegal_move_loses():
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


def test_learner_alternates_teams():
    game = Against("random", nodes=1)
    teams = []
    for number in range(4):
        game.reset(seed=5 if number == 0 else None)
        teams.append(game.team)
        assert game.position.team == game.team and game.position.turn == (0 if game.team == "ONE" else 1)
    assert teams == ["ONE", "TWO", "ONE", "TWO"]
