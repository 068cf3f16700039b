"""python -m blokus: plays with the function `choose` of a file, or packs the file for the contest."""

import argparse
import random
import runpy
import sys
from functools import partial
from pathlib import Path
from typing import cast

from . import package
from ._blokus import Player, Position, logged
from .client import Choose, play, with_fallback

_FILE = "Python file with the function choose(position, time) -> Move"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m blokus", description=__doc__.partition(": ")[2])
    commands = parser.add_subparsers(dest="command", required=True, metavar="demo | play | package")

    command = commands.add_parser("demo", help="play a game against a built-in player")
    command.add_argument("file", metavar="FILE", type=Path, help=_FILE)
    opponent = "opponent (default: heuristic)"
    command.add_argument("opponent", nargs="?", default="heuristic", metavar="PLAYER", help=opponent)
    command.set_defaults(run=_demo, parser=command)

    # The contest demands -h for the host.
    command = commands.add_parser("play", help="join a game on a server", add_help=False)
    command.add_argument("file", metavar="FILE", type=Path, help=_FILE)
    command.add_argument("-h", "--host", default="localhost", help="host of the server (default: localhost)")
    command.add_argument("-p", "--port", type=_port, default=13050, help="port of the server (default: 13050)")
    entry = command.add_mutually_exclusive_group()
    entry.add_argument("-r", "--reservation", metavar="CODE", help="code of a reserved place")
    entry.add_argument("--room", metavar="ID", help="room of the game to join")
    command.add_argument("--time", type=_milliseconds, default=1900, metavar="MS", help="milliseconds per move (default: 1900)")
    more = "log more: the moves (-v), unexpected messages (-vv), all traffic (-vvv)"
    command.add_argument("-v", "--verbose", action="count", default=0, help=more)
    command.add_argument("--help", action="help", help="show this help")
    command.set_defaults(run=_play, parser=command)

    command = commands.add_parser("package", help="make the contest file")
    command.add_argument("file", metavar="FILE", type=Path, help=_FILE)
    command.add_argument("-o", "--output", metavar="ZIP", type=Path, help="file to write (default: FILE with .zip)")
    more = "another file or folder that the player needs (repeatable)"
    command.add_argument("--include", metavar="PATH", type=Path, action="append", default=[], help=more)
    wheel = "wheel of this package for Linux on x86-64; required on other platforms"
    command.add_argument("--wheel", metavar="WHL", type=Path, help=wheel)
    command.set_defaults(run=_package)
    return parser


def _port(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"`{text}` is not a port (1 to 65535)")
    return int(text)


def _milliseconds(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) <= 1_000_000):
        raise argparse.ArgumentTypeError(f"`{text}` is not a time (1 to 1000000 milliseconds)")
    return int(text)


def _choose(arguments: argparse.Namespace) -> Choose:
    """Returns the function `choose` of the file."""
    parser: argparse.ArgumentParser = arguments.parser
    # As Python does for a script.
    sys.path.insert(0, str(arguments.file.resolve().parent))
    try:
        arguments.file.read_bytes()
    except OSError as error:
        parser.error(f"{arguments.file} cannot be read: {error.strerror}")
    # Errors in the player show their traceback.
    choose = runpy.run_path(str(arguments.file)).get("choose")
    if not callable(choose):
        parser.error(f"{arguments.file} has no function choose(position, time)")
    return cast(Choose, choose)


def _demo(arguments: argparse.Namespace) -> int:
    choose = with_fallback(_choose(arguments))
    try:
        opponent = Player(arguments.opponent)
    except ValueError as error:
        arguments.parser.error(str(error))
    position = Position.start(random.choice(Position.start_pieces()))
    while not position.is_over:
        move = choose(position, 1.9) if position.team == "ONE" else opponent.choose(position, time=0.1).mv
        print(f"{position.color:6} {move}")
        position = position.play(move)
    print(f"{arguments.file.stem} {position.team_points('ONE')} : {position.team_points('TWO')} {opponent.name}")
    return 0


def _play(arguments: argparse.Namespace) -> int:
    game = partial(
        play,
        _choose(arguments),
        arguments.host,
        arguments.port,
        reservation=arguments.reservation,
        room=arguments.room,
        time=arguments.time / 1000,
    )
    try:
        outcome = logged(game, arguments.verbose)
    except ConnectionError as error:
        print(f"{error}. Is the server running? --host and --port give its address", file=sys.stderr)
        return 1
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(outcome, file=sys.stderr)
    return 0


def _package(arguments: argparse.Namespace) -> int:
    if not arguments.file.name:
        print(f"{arguments.file} is not a file with a player", file=sys.stderr)
        return 1
    output = arguments.output or arguments.file.with_suffix(".zip")
    try:
        size = package.package(arguments.file, output, arguments.include, arguments.wheel)
    except package.PackageError as error:
        print(error, file=sys.stderr)
        return 1
    needs = f"Python 3.10 or newer and glibc {package.glibc(output)} or newer"
    print(f"{output}: {size} bytes; it needs Linux with {needs}")
    return 0


def main() -> int:
    arguments = _parser().parse_args()
    code: int = arguments.run(arguments)
    return code


if __name__ == "__main__":
    sys.exit(main())
