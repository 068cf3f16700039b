"""Our player. `value` decides what it plays."""

from blokus import Move, Position

COLORS = ["BLUE", "YELLOW", "RED", "GREEN"]


def value(position: Position, move: Move) -> float:
    """Returns the value of a placement for the colour to move: its cells, new corners, and fewer corners for the opponents.
    The numbers are guesses. Change them, add to them, and measure.
    """
    after = position.play(move)
    turn = COLORS.index(position.color)
    opponents = [COLORS[(turn + 1) % 4], COLORS[(turn + 3) % 4]]
    own_corners = len(after.anchors(position.color))
    their_corners = sum(len(after.anchors(color)) for color in opponents)
    return 4 * len(move.cells) + own_corners - their_corners / 2


def choose(position: Position, time: float) -> Move:
    """Returns the move for the colour to move, within `time` seconds."""
    placements = [move for move in position.legal_moves() if not move.is_pass]
    return max(placements, key=lambda move: value(position, move), default=Move("PASS"))
