"""Blokus as environments for reinforcement learning: `env()` for two learners (PettingZoo), `Against` for one side against
a built-in player (Gymnasium). Need PettingZoo: `pip install "./python[env]"`.

The agents are the two teams, `ONE` (blue and red) and `TWO` (yellow and green), because as in the contest one player has
both colours of a team and only the team wins. A team may move several times in a row when the other can no longer
move.

An observation is a dictionary of NumPy arrays (see `blokus.features`), from the view of the team's next colour to move:

* `observation` (20, 20, 20): the feature planes,
* `remaining_pieces` (4, 21): the remaining pieces,
* `action_mask` (46593,): 1 for each legal action; all 0 while the other team is to move.

An action is the number of a move: `blokus.features.action(move)` and `blokus.features.move(action)` translate. Rewards come
at the end: 1 for winning, -1 for losing, 0 for a draw. As in the contest, a team loses at once by an illegal move.

Render modes: `ansi` is the text of the position, `rgb_array` a picture as an array (400, 400, 3), `svg` a picture as SVG.

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
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv

from . import features
from ._blokus import Player, Position
from .names import Color, Rules, Team

__all__ = ["Against", "Env", "Observation", "env"]

Observation = dict[str, NDArray[Any]]
"""The arrays `observation`, `remaining_pieces` and `action_mask`."""

TEAMS: list[Team] = ["ONE", "TWO"]
COLORS: list[Color] = ["BLUE", "YELLOW", "RED", "GREEN"]

RENDERING: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 4}

_RGB = np.array([[0xE9, 0xED, 0xF1], [0, 0x72, 0xB2], [0xF0, 0xE4, 0x42], [0xD5, 0x5E, 0], [0, 0x9E, 0x73]], np.uint8)
"""The empty board and the colours, as in the SVG pictures."""

_CELL = 20
"""Pixels along a cell."""


def _observation_space() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (20, 20, 20), np.uint8),
            "remaining_pieces": spaces.Box(0, 1, (4, 21), np.uint8),
            "action_mask": spaces.Box(0, 1, (features.ACTIONS,), np.int8),
        }
    )


def _observe(position: Position, team: Team) -> Observation:
    is_on_turn = position.team == team and not position.is_over
    color = position.color if position.team == team else _next_of_opponents(position)
    mask = features.legal_mask(position) if is_on_turn else np.zeros(features.ACTIONS, np.int8)
    planes, pieces = features.planes(position, color), features.remaining_pieces(position, color)
    return {"observation": planes, "remaining_pieces": pieces, "action_mask": mask}


def _next_of_opponents(position: Position) -> Color:
    """Returns the next colour of the waiting team; the first one if both are out of play."""
    on_turn = COLORS.index(position.color)
    first, second = (COLORS[(on_turn + later) % 4] for later in (1, 3))
    return second if first not in position.in_play and second in position.in_play else first


def _is_legal(mask: NDArray[np.int8], action: int | None) -> bool:
    return action is not None and 0 <= action < features.ACTIONS and bool(mask[action])


def _start(start_piece: str | None, rules: Rules, chance: random.Random) -> Position:
    """Returns a start position; draws the start piece if the rules need one and none is given."""
    drawn = Position.start_pieces(rules)
    if start_piece is None and drawn:
        start_piece = chance.choice(drawn)
    return Position.start(start_piece, rules)


def _reward(position: Position, team: Team) -> float:
    own, other = (position.team_points(name) for name in (team, "TWO" if team == "ONE" else "ONE"))
    return float((own > other) - (own < other))


def _checked(render_mode: str | None) -> str | None:
    if render_mode not in (None, *RENDERING["render_modes"]):
        raise ValueError(f"render_mode `{render_mode}` is not one of {', '.join(RENDERING['render_modes'])}")
    return render_mode


def _picture(position: Position) -> NDArray[np.uint8]:
    """Returns the board in pixels, with a white grid."""
    cells = np.frombuffer(position.board(), np.uint8).reshape(20, 20)
    pixels = _RGB[cells].repeat(_CELL, 0).repeat(_CELL, 1)
    pixels[::_CELL] = pixels[:, ::_CELL] = 255
    return pixels


def _render(position: Position, render_mode: str | None) -> str | NDArray[np.uint8] | None:
    match render_mode:
        case "ansi":
            return str(position)
        case "rgb_array":
            return _picture(position)
        case "svg":
            return position.svg()
    gymnasium.logger.warn("render() shows nothing without a render_mode")
    return None


class Env(AECEnv[Team, Any, Any]):
    """A game of both teams, as the module describes. `position` is the current position."""

    metadata: dict[str, Any] = {"name": "blokus_v0", "is_parallelizable": False, **RENDERING}

    def __init__(self, start_piece: str | None = None, rules: Rules = "2027", render_mode: str | None = None) -> None:
        """`start_piece` is the first piece of every colour; without it each game draws one."""
        super().__init__()
        self.render_mode = _checked(render_mode)
        self.possible_agents = list(TEAMS)
        self.observation_spaces = {team: _observation_space() for team in TEAMS}
        self.action_spaces = {team: spaces.Discrete(features.ACTIONS) for team in TEAMS}
        self._settings = (start_piece, rules)
        self._random = random.Random()
        self.position = _start(*self._settings, self._random)

    def observation_space(self, agent: Team) -> spaces.Space[Any]:
        """Returns the observation space of a team."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Team) -> spaces.Space[Any]:
        """Returns the space of all actions, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. The seed determines the start piece."""
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
        """Returns the observation of a team."""
        return _observe(self.position, agent)

    def step(self, action: int | None) -> None:
        """Plays a move for the team to move. After the game each team steps once with None, as PettingZoo demands. Other steps
        raise ResetNeeded or ValueError."""
        if not getattr(self, "agents", None):
            raise ResetNeeded("the game is over or has not begun: call reset() before step()")
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

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the position in the render mode, or None without one."""
        return _render(self.position, self.render_mode)

    def close(self) -> None:
        """Does nothing."""


def env(start_piece: str | None = None, rules: Rules = "2027", render_mode: str | None = None) -> Env:
    """A game of both teams as a PettingZoo environment."""
    return Env(start_piece, rules, render_mode)


class Against(gymnasium.Env[Any, Any]):
    """One team against a built-in player as a Gymnasium environment. The learner plays ONE and TWO in alternate
    games. Observations, actions and rewards are as the module describes; `info["action_mask"]` repeats the mask of
    the observation. The same seed and actions give the same game.

    After importing this module, `gymnasium.make("blokus/Against-v0", opponent="heuristic")` works, too.

    A copy (`copy.deepcopy`, `pickle`) continues exactly like the original: its opponent repeats its searches of this game.

    >>> from blokus.env import Against
    >>> game = Against("heuristic")
    >>> observation, info = game.reset(seed=1)
    >>> done = False
    >>> while not done:
    ...     action = game.action_space.sample(info["action_mask"])
    ...     observation, reward, done, truncated, info = game.step(action)
    >>> reward
    -1.0
    """

    metadata: dict[str, Any] = {**RENDERING}

    def __init__(
        self,
        opponent: str = "heuristic",
        nodes: int = 100,
        start_piece: str | None = None,
        rules: Rules = "2027",
        render_mode: str | None = None,
    ) -> None:
        """`opponent` is the name of a `Player`, `nodes` its node limit per move."""
        self.render_mode = _checked(render_mode)
        self.observation_space = _observation_space()
        self.action_space = spaces.Discrete(features.ACTIONS)
        self._opponent = (opponent, nodes)
        self._player = Player(opponent)
        self._answered: list[Position] = []
        """Positions of the opponent's moves in this game."""
        self._settings = (start_piece, rules)
        self._random = random.Random()
        self._is_running = False
        self.team: Team = "TWO"
        self.position = _start(*self._settings, self._random)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # A copied player starts without its searches.
        for position in self._answered:
            self._player.choose(position, nodes=self._opponent[1])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game with the other team; with a seed, as ONE. The seed determines the start piece and the opponent's random
        choices."""
        super().reset(seed=seed)
        if seed is not None:
            self._random = random.Random(seed)
            self.team = "TWO"
        self.team = "TWO" if self.team == "ONE" else "ONE"
        self.position = _start(*self._settings, self._random)
        self._player = Player(self._opponent[0], seed=self._random.getrandbits(64))
        self._answered = []
        self._is_running = True
        self._answer()
        return self._current_observation()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a move and the opponent's answers. ResetNeeded if the game is over."""
        if not self._is_running:
            raise ResetNeeded("the game is over or has not begun: call reset() before step()")
        reward = -1.0
        if is_legal := _is_legal(features.legal_mask(self.position), action):
            self.position = self.position.play(features.move(action))
            self._answer()
            reward = _reward(self.position, self.team) if self.position.is_over else 0.0
        self._is_running = is_legal and not self.position.is_over
        observation, info = self._current_observation()
        return observation, reward, not self._is_running, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """(46593,): True for each legal action, for sb3-contrib."""
        return self._current_observation()[0]["action_mask"].astype(bool)

    def _current_observation(self) -> tuple[Observation, dict[str, Any]]:
        observation = _observe(self.position, self.team)
        return observation, {"action_mask": observation["action_mask"]}

    def _answer(self) -> None:
        """Plays the opponent's moves until the learner is to move."""
        while not self.position.is_over and self.position.team != self.team:
            self._answered.append(self.position)
            self.position = self.position.play(self._player.choose(self.position, nodes=self._opponent[1]).mv)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the position in the render mode, or None without one."""
        return _render(self.position, self.render_mode)


gymnasium.register("blokus/Against-v0", "blokus.env:Against")
