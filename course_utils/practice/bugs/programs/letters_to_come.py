"""Letters that follow

`after` has, for each letter, a score for each letter that may come next. The loop appends `n` new letters to
the `prompt`, each the one with the highest score, and returns all of them as a list.
"""
import numpy as np

def write_on(prompt, n, after):
    text = list(prompt)
    while len(text) < n:  # right: while len(text) < len(prompt) + n:
        row = after[text[-1]]
        text.append(int(np.argmax(row)))
    return [int(letter) for letter in text]

# ---- inputs
INPUTS = {
    "prompt": whole("P", low=0, high="L - 1", library="numpy"),
    "n": whole(low=0, high=12),
    "after": floats("L", "L", library="numpy"),
}
SAME = {"no new letter is asked for.": lambda n: n == 0}
MISTAKE = "generate.length_in_all"
WHY = "The loop compares n with the length of the whole text, but n is the number of new letters."
