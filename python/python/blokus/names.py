"""Types of the contest's names.

>>> from typing import get_args
>>> get_args(Color)
('BLUE', 'YELLOW', 'RED', 'GREEN')
"""

from typing import Literal, TypeAlias

Color: TypeAlias = Literal["BLUE", "YELLOW", "RED", "GREEN"]
"""A colour, in turn order."""

Team: TypeAlias = Literal["ONE", "TWO"]
"""A team: ONE is blue and red, TWO yellow and green."""

Rules: TypeAlias = Literal["2027", "2021", "classic"]
"""The rules of a season, or classic Blokus."""
