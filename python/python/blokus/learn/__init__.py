"""Learns the convolutional network from games of self-play; needs PyTorch, see `python -m blokus.learn --help`."""
