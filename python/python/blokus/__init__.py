"""Blokus as the Software-Challenge Germany plays it: rules, players, analysis, pictures, files, client.

>>> from blokus import Player, Position
>>> position = Position.start("PENTO_W")
>>> len(position.legal_moves())
272
>>> position = position.play(Player("heuristic").choose(position, nodes=1).mv)
>>> position.color
'YELLOW'
"""

from ._blokus import (
    Analysis,
    Candidate,
    Game,
    IllegalMove,
    Move,
    MoveReview,
    Outcome,
    Player,
    Position,
    Report,
    Review,
    licences,
    read_games,
)
from .client import Choose, play
from .names import Color, Rules, Team

__all__ = [
    "Analysis",
    "Candidate",
    "Choose",
    "Color",
    "Game",
    "IllegalMove",
    "Move",
    "MoveReview",
    "Outcome",
    "Player",
    "Position",
    "Report",
    "Review",
    "Rules",
    "Team",
    "licences",
    "play",
    "read_games",
]
