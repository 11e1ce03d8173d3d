"""Byte-pair encoding: a text to merges that are learned from it, and texts to tokens and back."""

import re
from collections import Counter, defaultdict

PIECES = re.compile(
    r" ?\w+| ?[^\w\s]+|\n\t*|\s"
)  # a word with the space before it; a new line with its indent


def merge(tokens, pair, new):
    """Put the token `new` in the place of each `pair`, from left to right."""
    merged, i = [], 0
    while i < len(tokens):
        matches = tuple(tokens[i : i + 2]) == pair
        merged.append(new if matches else tokens[i])
        i += 1 + matches
    return merged


def learn_merges(text, num_merges):
    """The merges in the order in which they are made: pairs of tokens; the first makes token 256."""
    counts = Counter(PIECES.findall(text))
    words = [(list(word.encode()), count) for word, count in counts.items()]
    pairs, words_with = Counter(), defaultdict(set)
    for number, (tokens, count) in enumerate(words):
        add_pairs(pairs, words_with, number, tokens, count)
    merges = []
    while len(merges) < num_merges and pairs.total():
        pair = max(pairs, key=lambda pair: (pairs[pair], pair))
        for number in list(words_with[pair]):
            tokens, count = words[number]
            add_pairs(pairs, words_with, number, tokens, -count)
            tokens[:] = merge(tokens, pair, 256 + len(merges))
            add_pairs(pairs, words_with, number, tokens, count)
        merges.append(pair)
    return merges


def add_pairs(pairs, words_with, number, tokens, count):
    """Count the neighbours in word `number` (with a negative count: take them away again)."""
    for pair in zip(tokens, tokens[1:], strict=False):
        pairs[pair] += count
        words_with[pair].add(number)


class Tokenizer:
    """Texts to tokens and back. Tokens 0 to 255 are the bytes; each merge makes one more."""

    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self.bytes = [bytes([byte]) for byte in range(256)]
        for left, right in self.merges:
            self.bytes.append(self.bytes[left] + self.bytes[right])
        self.tokens_of_pieces = {}

    def __len__(self):
        return len(self.bytes)

    def encode(self, text):
        """The tokens of a text, as a list."""
        return [token for piece in PIECES.findall(text) for token in self.encode_piece(piece)]

    def encode_piece(self, piece):
        if piece not in self.tokens_of_pieces:
            tokens = list(piece.encode())
            while pairs := [pair for pair in zip(tokens, tokens[1:], strict=False) if pair in self.ranks]:
                first = min(pairs, key=self.ranks.get)
                tokens = merge(tokens, first, 256 + self.ranks[first])
            self.tokens_of_pieces[piece] = tokens
        return self.tokens_of_pieces[piece]

    def decode(self, tokens):
        """The text of tokens; bytes that are no character become a �."""
        return b"".join(self.bytes[token] for token in tokens).decode(errors="replace")
