"""python -m blokus FILE [options]: plays on a game server with the function `choose` of a file."""

import argparse
import runpy
import sys

from .client import play


def main() -> int:
    # -h is the host, as the contest demands.
    parser = argparse.ArgumentParser(prog="python -m blokus", description=__doc__, add_help=False)
    parser.add_argument("file", metavar="FILE", help="a file of Python with the function choose(position, time) -> Move")
    parser.add_argument("-h", "--host", default="localhost", help="the host of the server (default: localhost)")
    parser.add_argument("-p", "--port", type=int, default=13050, help="its port (default: 13050)")
    entry = parser.add_mutually_exclusive_group()
    entry.add_argument("-r", "--reservation", metavar="CODE", help="the code of a place in a prepared game")
    entry.add_argument("--room", metavar="ID", help="the room of the game to join")
    parser.add_argument("--time", type=int, default=1900, metavar="MS", help="milliseconds per move (default: 1900)")
    parser.add_argument("--help", action="help", help="show this help")
    arguments = parser.parse_args()

    choose = runpy.run_path(arguments.file).get("choose")
    if not callable(choose):
        parser.error(f"{arguments.file} has no function choose(position, time)")
    try:
        outcome = play(
            choose,
            arguments.host,
            arguments.port,
            reservation=arguments.reservation,
            room=arguments.room,
            time=arguments.time / 1000,
        )
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(outcome, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
