"""Lines -> pieces, by which answers that have something in common are found; and who has which."""

from collections import Counter
from itertools import combinations

LENGTH = 5  # words of a piece
FEW = 4  # students: what more have is common


def pieces_of(lines):
    """All runs of five words within a statement or sentence; a shorter one is a piece as a whole."""
    return {
        line.words[start : start + LENGTH]
        for line in lines
        for start in range(max(1, len(line.words) - LENGTH + 1))
    }


def common(all_pieces):
    """The pieces that more than a few have. all_pieces: a set for each student."""
    counts = Counter(piece for pieces in all_pieces for piece in pieces)
    return {piece for piece, count in counts.items() if count > FEW}


def shared(all_pieces):
    """Counter of {(i, j): how many pieces both have}, i < j. all_pieces: sets without what is common.

    A piece leads to at most six pairs, so the time grows with the class, and not with its square.
    """
    holders = {}
    for number, pieces in enumerate(all_pieces):
        for piece in pieces:
            holders.setdefault(piece, []).append(number)
    return Counter(pair for numbers in holders.values() for pair in combinations(numbers, 2))
