"""Blokus as environments for reinforcement learning: `env()` for two learners (PettingZoo), `Against` for one side against
a built-in player (Gymnasium). Need PettingZoo: `pip install "./python[env]"`.

The agents are the two teams, `ONE` (blue and red) and `TWO` (yellow and green), because as in the contest one player has
both colours of a team and only the team wins. A team may be on turn several times in a row when the other can no longer
move.

An observation is a dictionary of NumPy arrays (see `blokus.features`), from the view of the colour that is on turn or that
the team has next:

* `observation` (20, 20, 20): the feature planes,
* `hands` (4, 21): the pieces in hand,
* `action_mask` (46593,): 1 for each legal action; all 0 while the other team is on turn.

An action is the number of a move: `blokus.features.action(move)` and `blokus.features.move(action)` translate. Rewards come
at the end: 1 for winning, -1 for losing, 0 for a draw. As in the contest, a team loses at once by an illegal move.

>>> from blokus.env import env
>>> game = env(start_piece="PENTO_W")
>>> game.reset(seed=1)
>>> for agent in game.agent_iter():
...     observation, reward, terminated, truncated, info = game.last()
...     done = terminated or truncated
...     game.step(None if done else game.action_space(agent).sample(observation["action_mask"]))
>>> game.position.is_over
True
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from . import features
from ._blokus import Player, Position
from .names import Color, Rules, Team

__all__ = ["Against", "Env", "Observation", "env"]

Observation = dict[str, NDArray[Any]]
"""The arrays `observation`, `hands` and `action_mask`."""

TEAMS: list[Team] = ["ONE", "TWO"]
COLORS: list[Color] = ["BLUE", "YELLOW", "RED", "GREEN"]


def _observation_space() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (20, 20, 20), np.uint8),
            "hands": spaces.Box(0, 1, (4, 21), np.uint8),
            "action_mask": spaces.Box(0, 1, (features.ACTIONS,), np.int8),
        }
    )


def _observe(position: Position, team: Team) -> Observation:
    is_on_turn = position.team == team and not position.is_over
    color = position.color if position.team == team else _next_of_opponents(position)
    mask = features.legal_mask(position) if is_on_turn else np.zeros(features.ACTIONS, np.int8)
    planes, hands = features.planes(position, color), features.hands(position, color)
    return {"observation": planes, "hands": hands, "action_mask": mask}


def _next_of_opponents(position: Position) -> Color:
    """The colour that the team which is not on turn has next; the first of them if both are out of play."""
    on_turn = COLORS.index(position.color)
    first, second = (COLORS[(on_turn + later) % 4] for later in (1, 3))
    return second if first not in position.in_play and second in position.in_play else first


def _is_legal(mask: NDArray[np.int8], action: int | None) -> bool:
    return action is not None and 0 <= action < features.ACTIONS and bool(mask[action])


def _start(start_piece: str | None, rules: Rules, chance: random.Random) -> Position:
    """The start of a game; where the rules draw a piece, one is drawn unless it is given."""
    drawn = Position.start_pieces(rules)
    if start_piece is None and drawn:
        start_piece = chance.choice(drawn)
    return Position.start(start_piece, rules)


def _reward(position: Position, team: Team) -> float:
    own, other = (position.team_points(name) for name in (team, "TWO" if team == "ONE" else "ONE"))
    return float((own > other) - (own < other))


class Env(AECEnv[Team, Any, Any]):
    """A game of both teams, see the description of the module. `position` is the present position."""

    metadata: dict[str, Any] = {"name": "blokus_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, start_piece: str | None = None, rules: Rules = "2027", render_mode: str | None = None) -> None:
        """`start_piece` is the piece that every colour places first; each game draws one unless it is given."""
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(TEAMS)
        self.observation_spaces = {team: _observation_space() for team in TEAMS}
        self.action_spaces = {team: spaces.Discrete(features.ACTIONS) for team in TEAMS}
        self._settings = (start_piece, rules)
        self._random = random.Random()
        self.position = _start(*self._settings, self._random)

    def observation_space(self, agent: Team) -> spaces.Space[Any]:
        """The space of the observations of a team."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Team) -> spaces.Space[Any]:
        """The space of its actions, without regard to which are legal."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; the seed decides which piece is drawn."""
        if seed is not None:
            self._random = random.Random(seed)
        self.position = _start(*self._settings, self._random)
        self.agents = list(TEAMS)
        self.rewards = dict.fromkeys(TEAMS, 0.0)
        self._cumulative_rewards = dict.fromkeys(TEAMS, 0.0)
        self.terminations = dict.fromkeys(TEAMS, False)
        self.truncations = dict.fromkeys(TEAMS, False)
        self.infos: dict[Team, dict[str, Any]] = {team: {} for team in TEAMS}
        self.agent_selection = self.position.team

    def observe(self, agent: Team) -> Observation:
        """What a team sees."""
        return _observe(self.position, agent)

    def step(self, action: int | None) -> None:
        """Plays the move with this number for the team on turn."""
        team = self.agent_selection
        if self.terminations[team]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[team] = 0.0
        if action is None or not _is_legal(self.observe(team)["action_mask"], action):
            self._end({name: -1.0 if name == team else 1.0 for name in TEAMS})
        else:
            self.position = self.position.play(features.move(action))
            if self.position.is_over:
                self._end({name: _reward(self.position, name) for name in TEAMS})
            else:
                self.agent_selection = self.position.team
        self._accumulate_rewards()

    def _end(self, rewards: dict[Team, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(TEAMS, True)

    def render(self) -> str | None:
        """The position: in the mode `ansi` its text, in `svg` its picture."""
        if self.render_mode is None:
            gymnasium.logger.warn("no render_mode was given")
            return None
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def close(self) -> None:
        """There is nothing to close."""


def env(start_piece: str | None = None, rules: Rules = "2027", render_mode: str | None = None) -> Env:
    """A game of both teams as a PettingZoo environment."""
    return Env(start_piece, rules, render_mode)


class Against(gymnasium.Env[Any, Any]):
    """One team against a built-in player as a Gymnasium environment. The learner has the team ONE and TWO in turn, from
    game to game. Observations, actions and rewards are those of the module.

    >>> from blokus.env import Against
    >>> game = Against("heuristic")
    >>> observation, info = game.reset(seed=1)
    >>> done = False
    >>> while not done:
    ...     action = game.action_space.sample(observation["action_mask"])
    ...     observation, reward, done, truncated, info = game.step(action)
    >>> reward
    -1.0
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        opponent: str = "heuristic",
        nodes: int = 100,
        start_piece: str | None = None,
        rules: Rules = "2027",
        render_mode: str | None = None,
    ) -> None:
        """`opponent` is the name of a `Player`, which has so many nodes for each move."""
        self.render_mode = render_mode
        self.observation_space = _observation_space()
        self.action_space = spaces.Discrete(features.ACTIONS)
        self._opponent = (Player(opponent), nodes)
        self._settings = (start_piece, rules)
        self._random = random.Random()
        self.team: Team = "TWO"
        self.position = _start(*self._settings, self._random)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game with the other team; with a seed as ONE, and the seed decides which piece is drawn."""
        super().reset(seed=seed)
        if seed is not None:
            self._random = random.Random(seed)
            self.team = "TWO"
        self.team = "TWO" if self.team == "ONE" else "ONE"
        self._opponent[0].new_game()
        self.position = _start(*self._settings, self._random)
        self._answer()
        return _observe(self.position, self.team), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays the move with this number and lets the opponent answer."""
        if not _is_legal(_observe(self.position, self.team)["action_mask"], action):
            return _observe(self.position, self.team), -1.0, True, False, {}
        self.position = self.position.play(features.move(action))
        self._answer()
        is_over = self.position.is_over
        reward = _reward(self.position, self.team) if is_over else 0.0
        return _observe(self.position, self.team), reward, is_over, False, {}

    def _answer(self) -> None:
        """Lets the opponent play until the learner is on turn."""
        player, nodes = self._opponent
        while not self.position.is_over and self.position.team != self.team:
            self.position = self.position.play(player.choose(self.position, nodes=nodes).mv)

    def render(self) -> str | None:
        """The position: in the mode `ansi` its text, in `svg` its picture."""
        if self.render_mode is None:
            return None
        return self.position.svg() if self.render_mode == "svg" else str(self.position)
