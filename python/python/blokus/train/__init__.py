"""Trains the policy network on self-play games. Needs PyTorch, see `python -m blokus.train --help`."""
