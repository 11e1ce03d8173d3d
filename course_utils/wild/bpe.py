"""Byte-pair encoding: learn merges from a text, then convert texts to tokens and back."""

import re
from collections import Counter, defaultdict

# a word with the space before it; a newline with the indent after it
PIECES = re.compile(r" ?\w+| ?[^\w\s]+|\n\t*|\s")
VISIBLE = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})


def merge(tokens, pair, new):
    """Replace each `pair` of neighbouring tokens with the token `new`, from left to right."""
    merged, i = [], 0
    while i < len(tokens):
        matches = tuple(tokens[i : i + 2]) == pair
        merged.append(new if matches else tokens[i])
        i += 1 + matches
    return merged


def learn_merges(text, num_merges):
    """Learn at most `num_merges` merges: pairs of tokens, in order; the first one makes token 256."""
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
    """Add the neighbouring pairs of word `number` to the counts; a negative count removes them."""
    for pair in zip(tokens, tokens[1:], strict=False):
        pairs[pair] += count
        words_with[pair].add(number)


class Tokenizer:
    """Converts texts to tokens and back. Tokens 0 to 255 are the bytes; each merge adds one more."""

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
        """Convert a text to a list of tokens."""
        return [token for piece in PIECES.findall(text) for token in self.encode_piece(piece)]

    def encode_piece(self, piece):
        if piece not in self.tokens_of_pieces:
            tokens = list(piece.encode())
            while pairs := [pair for pair in zip(tokens, tokens[1:], strict=False) if pair in self.ranks]:
                first = min(pairs, key=lambda pair: self.ranks[pair])
                tokens = merge(tokens, first, 256 + self.ranks[first])
            self.tokens_of_pieces[piece] = tokens
        return self.tokens_of_pieces[piece]

    def decode(self, tokens):
        """Convert tokens to a text; bytes that are no valid UTF-8 become �."""
        return b"".join(self.bytes[token] for token in tokens).decode(errors="replace")

    def visible(self, token):
        """Return a token's text with its spaces, line ends and tabs made visible."""
        return self.decode([token]).translate(VISIBLE)
