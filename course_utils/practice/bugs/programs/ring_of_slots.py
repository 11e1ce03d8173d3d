"""The last few vectors

Vectors, the rows of `x`, come one after another. The class keeps the last `size` of them in memory that never
grows. recent() returns them in the order in which they came.
"""
import numpy as np

class Recent:
    def __init__(self, size, width):
        self.slots = np.zeros((size, width), dtype=np.float32)
        self.count = 0

    def push(self, vector):
        self.slots[self.count % len(self.slots)] = vector
        self.count += 1

    def recent(self):
        size = len(self.slots)
        if self.count <= size:
            return self.slots[: self.count]
        start = self.count % size
        return np.roll(self.slots, start, axis=0)  # right: return np.roll(self.slots, -start, axis=0)

# ---- inputs
INPUTS = {"size": size("S"), "x": floats("T", "D", library="numpy")}
SIZES = {"S": (1, 6), "T": (1, 10)}
SAME = {
    "nothing has been overwritten yet.": lambda T, S: T <= S,
    "the oldest vector is already in the first slot.": lambda T, S: T % S == 0,
    "half a rotation is the same in both directions.": lambda T, S: 2 * (T % S) == S,
}
MISTAKE = "RingKVCache.rolled_the_wrong_way"
WHY = "The oldest vector is at index start: rolling by -start brings it to the front."


def tried(Recent, size, x):
    """one = Recent(size, x.shape[1]); push each row of x; one.recent()"""
    one = Recent(size, x.shape[1])
    for row in x:
        one.push(row)
    return one.recent()
