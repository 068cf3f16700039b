"""Blokus as the Software-Challenge Germany plays it: rules, players, pictures, client.

>>> from blokus import Player, Position
>>> position = Position.start("PENTO_W")
>>> len(position.legal_moves())
272
>>> position = position.play(Player("heuristic").choose(position, nodes=1).mv)
>>> position.color
'YELLOW'
"""

from ._blokus import IllegalMove, Move, Outcome, Player, Position, Report
from .client import Choose, play

__all__ = ["Choose", "IllegalMove", "Move", "Outcome", "Player", "Position", "Report", "play"]
