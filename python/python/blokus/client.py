"""Plays on game servers with a function that chooses the moves."""

import logging
from collections.abc import Callable

from ._blokus import Move, Outcome, Player, Position, join

Choose = Callable[[Position, float], Move]
"""Takes a position and the seconds left for the answer, and returns a move for the colour to move."""

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

    The server determines the season. `reservation` is the code of a prepared place, `room` the id of a room; without
    either the client joins any game. `time` is the seconds per move; the servers allow two. `choose` must respect it:
    Python cannot stop a function.

    If `choose` raises an exception, exits, or returns an illegal move, the log `blokus` reports it, and the built-in
    player `heuristic` moves instead. The same log reports long silence of the server and late answers.

    ConnectionError if there is no server, RuntimeError if the game ends early.
    """
    return join(with_fallback(choose), host, port, reservation=reservation, room=room, time=time)


def with_fallback(choose: Choose) -> Choose:
    """Returns a function that makes the move of `heuristic` when `choose` fails."""

    def answer(position: Position, left: float) -> Move:
        try:
            move = choose(position, left)
            if isinstance(move, Move):
                reason = position.why_illegal(move)
                if reason is None:
                    return move
                _log.error("turn %d: %s is not legal: %s", position.turn, move, reason)
            else:
                _log.error("turn %d: %r is not a Move", position.turn, move)
        except (Exception, SystemExit):
            _log.exception("turn %d: the player failed in %s", position.turn, position)
        return Player("heuristic").choose(position, nodes=1).mv

    return answer
