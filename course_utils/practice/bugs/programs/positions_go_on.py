"""Rotated by position, step by step

Each step gets one more token, rotates it by its position, and keeps it. The very first token has position
0. The result of a step is the token's dot product with each kept token, itself included. `x` has a row for
each token; features 0 and 1 are a pair, as are 2 and 3, and so on.
"""
import numpy as np

class Turner:
    def __init__(self, width, base=10000.0):
        self.speed = base ** (-np.arange(0, width, 2) / width)
        self.memory = []

    def turn(self, v, position):
        c, s = np.cos(position * self.speed), np.sin(position * self.speed)
        out = np.empty(v.shape)
        out[0::2] = v[0::2] * c - v[1::2] * s
        out[1::2] = v[0::2] * s + v[1::2] * c
        return out

    def step(self, v):
        turned = self.turn(v, 0)  # right: turned = self.turn(v, len(self.memory))
        self.memory.append(turned)
        return [float(old @ turned) for old in self.memory]

# ---- inputs
INPUTS = {"x": floats("T", "D", library="numpy")}
HOLDS = {"D has to be even: features are rotated in pairs.": lambda D: D % 2 == 0}
SIZES = {"D": (2, 8)}
SAME = {"the first token has position 0 anyway.": lambda T: T == 1}
MISTAKE = "apply_rope.positions_from_zero"
WHY = "Every token is rotated as if it were at position 0: its position is the number of tokens before it."


def tried(Turner, x):
    """one = Turner(x.shape[1]); [one.step(row) for row in x]"""
    one = Turner(x.shape[1])
    return [one.step(row) for row in x]
