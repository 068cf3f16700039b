"""Compares this package with the official one from Python: pip install socha==5.1.0 and run this file.

Both are measured in turn, in the same process, on the same positions: the legal moves of a position in the middle of a
random game, and whole games of random moves. Games of the official package end where all colours are out, or at its
limit of rounds. It has two lists of moves: all of them, and `possible_moves`, which leaves small pieces out in the first
rounds.

Fails unless this package is as many times as fast as it promises to be.
"""

import random
import re
import statistics
import sys
import time
from collections.abc import Callable

import socha
from socha import GameRuleLogic

import blokus

MIDDLE = 28
REPEATS = 7

# How many times as fast this package is at least.
PROMISED_MOVES = 30
PROMISED_GAMES = 20


def random_game(seed: int) -> None:
    choose = random.Random(seed).choice
    position = blokus.Position.start("PENTO_W")
    while not position.is_over:
        # The official package lists the pass only where nothing else is left; so does this.
        moves = position.legal_moves()
        if len(moves) > 1 and moves[-1].is_pass:
            moves.pop()
        position = position.play(choose(moves))


def play_official(state: socha.GameState, move: socha.Move) -> None:
    GameRuleLogic.perform_move(state, move)
    GameRuleLogic.remove_invalid_colors(state)


def draw_of_all(state: socha.GameState, choose: Callable) -> socha.Move:
    return socha.Move.set_move(choose(GameRuleLogic.get_all_possible_moves(state)))


def draw_of_possible(state: socha.GameState, choose: Callable) -> socha.Move:
    return choose(state.possible_moves())


def official_random_game(seed: int, draw: Callable) -> None:
    choose = random.Random(seed).choice
    state = socha.GameState(start_piece=socha.PieceShape.PentoW)
    while not state.is_over():
        play_official(state, draw(state, choose))


def own_move(piece: socha.Piece) -> blokus.Move:
    """By name and corner: version 5.1.0 cannot list the cells of a piece (`unhashable type`)."""
    kind = re.sub("(?<=[a-z])(?=[A-Z])", "_", str(piece.kind).rpartition(".")[2]).upper()
    rotation = next(name for name in ("NONE", "RIGHT", "MIRROR", "LEFT") if getattr(socha.Rotation, name) == piece.rotation)
    turned = "" if rotation == "NONE" else f"-{rotation}"
    flipped = "-FLIPPED" if piece.is_flipped else ""
    return blokus.Move(f"{kind}{turned}{flipped}@{piece.position.x},{piece.position.y}")


def middle(seed: int) -> tuple[blokus.Position, socha.GameState]:
    """The same position for both."""
    choose = random.Random(seed).choice
    position = blokus.Position.start("PENTO_W")
    state = socha.GameState(start_piece=socha.PieceShape.PentoW)
    while position.turn < MIDDLE:
        piece = choose(GameRuleLogic.get_all_possible_moves(state))
        play_official(state, socha.Move.set_move(piece))
        position = position.play(own_move(piece))
    official = {own_move(piece) for piece in GameRuleLogic.get_all_possible_moves(state)}
    assert official == {move for move in position.legal_moves() if not move.is_pass}
    return position, state


def seconds(work, times: int) -> float:
    begun = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begun) / times


def report(what: str, pairs: list[tuple[float, float]], promised: int) -> bool:
    """Says how fast both are; whether that is what is promised."""
    own, official = (statistics.median(column) for column in zip(*pairs))
    times = official / own
    print(f"{what}: {own * 1e6:.1f} us, official {official * 1e6:.1f} us, {times:.1f} times as fast (promised: {promised})")
    return times >= promised


def main() -> None:
    moves = []
    for seed in range(REPEATS):
        position, state = middle(seed)
        official = seconds(lambda: GameRuleLogic.get_all_possible_moves(state), 20)
        moves.append((seconds(position.legal_moves, 500), official))
    kept = [report("legal moves of the middle game", moves, PROMISED_MOVES)]
    for what, draw in [("all moves", draw_of_all), ("possible_moves", draw_of_possible)]:
        games = [
            (seconds(lambda: random_game(seed), 5), seconds(lambda: official_random_game(seed, draw), 1))
            for seed in range(REPEATS)
        ]
        kept.append(report(f"a whole random game, official by {what}", games, PROMISED_GAMES))
    if not all(kept):
        sys.exit("slower than promised")


if __name__ == "__main__":
    main()
