"""Rules, notation and pictures."""

import copy
import pickle
import random
import xml.etree.ElementTree as ElementTree

import pytest

from blokus import IllegalMove, Move, Position


def random_game(seed: int, rules: str = "2027", start: str | None = "PENTO_W") -> list[Position]:
    """All positions of a game of random placements."""
    choose = random.Random(seed).choice
    positions = [Position.start(start, rules)]
    while not positions[-1].is_over:
        moves = [move for move in positions[-1].legal_moves() if not move.is_pass]
        positions.append(positions[-1].play(choose(moves)))
    return positions


def test_first_moves_match_official_rules():
    assert [len(Position.start(f"PENTO_{letter}").legal_moves()) for letter in "LTVSZIPWURXY"] == [
        544, 272, 272, 544, 272, 136, 560, 272, 280, 544, 68, 544,
    ]  # fmt: skip


def test_perft_matches_single_moves():
    start = Position.start("PENTO_W", "2021")
    assert [start.perft(depth) for depth in range(5)] == [1, 8, 48, 192, 384]
    position = random_game(1)[40]
    children = [position.play(move) for move in position.legal_moves() if not move.is_pass]
    assert position.perft(1) == position.count_placements() == len(children)


@pytest.mark.parametrize(("rules", "start"), [("2027", "PENTO_X"), ("2021", "PENTO_L"), ("classic", None)])
def test_positions_and_moves_survive_text_copies_and_pickle(rules, start):
    for position in random_game(2, rules, start)[::7]:
        again = [Position(str(position)), copy.deepcopy(position), pickle.loads(pickle.dumps(position))]
        assert all(other == position and hash(other) == hash(position) for other in again)
        for move in position.legal_moves()[:50]:
            assert Move(str(move)) == pickle.loads(pickle.dumps(move)) == move
            assert move.is_pass or Move.of_cells(move.cells) == move


def test_equal_cells_are_equal_moves():
    assert len({Move("PENTO_X@3,3"), Move("PENTO_X-LEFT@3,3"), Move("PENTO_X-MIRROR-FLIPPED@3,3")}) == 1


def test_points_count_covered_cells():
    position = random_game(3)[30]
    for color in ["BLUE", "YELLOW", "RED", "GREEN"]:
        cells = position.cells(color)
        assert position.points(color) == len(cells)
        assert all(position.color_at(x, y) == color for x, y in cells)
    assert position.team_points("ONE") == position.points("BLUE") + position.points("RED")


def test_board_bytes_match_cells():
    position = random_game(4)[-1]
    numbers = {None: 0, "BLUE": 1, "YELLOW": 2, "RED": 3, "GREEN": 4}
    expected = [numbers[position.color_at(x, y)] for y in range(20) for x in range(20)]
    assert isinstance(position.board(), bytes) and list(position.board()) == expected


def test_illegal_moves_raise_the_reason():
    start = Position.start("PENTO_W")
    move = Move("PENTO_X@0,0")
    assert start.why_illegal(move) == "the first piece must be the start piece"
    with pytest.raises(IllegalMove, match="PENTO_X@0,0: the first piece must be the start piece"):
        start.play(move)
    assert start == Position.start("PENTO_W")
    assert issubclass(IllegalMove, ValueError)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Move("PENTO_Q@0,0"), "PENTO_Q"),
        (lambda: Move("MONO@20,0"), "outside the board"),
        (lambda: Move.of_cells([(0, 0), (5, 5)]), "not those of a piece"),
        (lambda: Move.of_cells([(-1, 0)]), r"\(-1, 0\)"),
        (lambda: Position("2027 PENTO_W"), "six fields"),
        (lambda: Position.start("MONO"), "MONO"),
        (lambda: Position.start("PENTO_W", "1999"), "1999"),
        (lambda: Position.start("PENTO_W").points("PINK"), "PINK"),
    ],
)
def test_errors_name_the_fault(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_cells_outside_board_raise_index_error():
    with pytest.raises(IndexError, match=r"\(20, 0\)"):
        Position.start("PENTO_W").color_at(20, 0)


def test_pictures_show_board_as_svg():
    position = random_game(5)[20]
    for text in [position._repr_svg_(), position.svg(Move("MONO@0,0"), letters=True)]:
        root = ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "turn 20" in root.findtext("{*}title")
