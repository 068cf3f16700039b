"""Plays whole games: `python -m pytest`."""

from blokus import Player, Position
from own_player import choose


def game_against_random(seed: int) -> int:
    """Returns the lead of our player over the built-in `random` in points."""
    random = Player("random", seed=seed)
    position = Position.start("PENTO_W")
    while not position.is_over:
        own = position.team == "ONE"
        move = choose(position, 1.9) if own else random.choose(position, nodes=1).mv
        # Raises an error if the move breaks a rule.
        position = position.play(move)
    return position.team_points("ONE") - position.team_points("TWO")


def test_it_follows_the_rules_and_beats_random_moves():
    ahead = [game_against_random(seed) for seed in range(5)]
    assert sum(points > 0 for points in ahead) >= 4, f"points ahead in five games: {ahead}"
