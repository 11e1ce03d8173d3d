"""A window, with loops

Each of the `n_tokens` tokens sees itself and the tokens just before it, `window` tokens in all, or fewer at
the beginning. The result is a list of rows, 1 where a token is seen and 0 elsewhere.
"""
def band(n_tokens, window):
    rows = []
    for me in range(n_tokens):
        row = [0] * n_tokens
        lowest = me - window  # right: lowest = me - window + 1
        if lowest < 0:
            lowest = 0
        for other in range(lowest, me + 1):
            row[other] = 1
        rows.append(row)
    return rows

# ---- inputs
INPUTS = {"n_tokens": size("T"), "window": size("w")}
SIZES = {"T": (1, 8), "w": (1, 9)}
SAME = {"the window is as long as the text.": lambda T, w: T <= w}
MISTAKE = "sliding_window_mask.window_too_long"
WHY = "The token itself belongs to the window: with window - 1 others before it, the first is me - window + 1."
