"""Compares this package with the official one from Python: pip install socha==5.1.0 and run this file.

Both are measured in turn, in the same process, on the same positions: the legal moves of a position in the middle of a
random game, and whole games of random moves. Games of the official package end where all colours are out, or at its
limit of rounds.
"""

import random
import re
import statistics
import time

import socha
from socha import GameRuleLogic

import blokus

MIDDLE = 28
REPEATS = 7


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


def official_random_game(seed: int) -> None:
    choose = random.Random(seed).choice
    state = socha.GameState(start_piece=socha.PieceShape.PentoW)
    while not state.is_over():
        # possible_moves leaves all but the pieces of five cells out in the first rounds.
        pieces = GameRuleLogic.get_all_possible_moves(state)
        play_official(state, socha.Move.set_move(choose(pieces)))


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


def report(what: str, pairs: list[tuple[float, float]]) -> None:
    own, official = (statistics.median(column) for column in zip(*pairs))
    print(f"{what}: {own * 1e6:.1f} us, official {official * 1e6:.1f} us, {official / own:.1f} times as fast")


def main() -> None:
    moves = []
    for seed in range(REPEATS):
        position, state = middle(seed)
        official = seconds(lambda: GameRuleLogic.get_all_possible_moves(state), 20)
        moves.append((seconds(position.legal_moves, 500), official))
    report("legal moves of the middle game", moves)
    report(
        "a whole random game",
        [
            (seconds(lambda: random_game(seed), 5), seconds(lambda: official_random_game(seed), 1))
            for seed in range(REPEATS)
        ],
    )


if __name__ == "__main__":
    main()
