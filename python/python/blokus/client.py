"""Playing on game servers with a function that chooses the moves."""

import logging
from collections.abc import Callable

from ._blokus import Move, Outcome, Player, Position, join

Choose = Callable[[Position, float], Move]
"""A position and the seconds left for the answer, and the move for the colour on turn."""

_log = logging.getLogger("blokus")


def play(
    choose: Choose,
    host: str = "localhost",
    port: int = 13050,
    *,
    reservation: str | None = None,
    room: str | None = None,
    time: float = 1.9,
) -> Outcome:
    """Joins a game on a server and plays it to the end with the moves of `choose`.

    The server decides which season it is. `reservation` is the code of a prepared place, `room` the room of a game;
    without either it is any game. `time` is the seconds for a move; the servers allow two. `choose` must keep to the time
    by itself, because nothing can stop a function of Python.

    If `choose` raises an exception, ends the program with `sys.exit()`, or its move is not legal, the log `blokus` says
    why, and the built-in player `heuristic` makes the move, so that the game is not lost. The same log says what else is
    unusual, such as a server that is silent for long or an answer that was sent late.

    ConnectionError if there is no server, RuntimeError if the game does not come to its end.
    """

    def answer(position: Position, left: float) -> Move:
        try:
            move = choose(position, left)
            if isinstance(move, Move):
                refusal = position.refusal(move)
                if refusal is None:
                    return move
                _log.error("turn %d: %s is not legal: %s", position.turn, move, refusal)
            else:
                _log.error("turn %d: %r is not a Move", position.turn, move)
        except (Exception, SystemExit):
            _log.exception("turn %d: the player failed in %s", position.turn, position)
        return Player("heuristic").choose(position, nodes=1).mv

    return join(answer, host, port, reservation=reservation, room=room, time=time)
