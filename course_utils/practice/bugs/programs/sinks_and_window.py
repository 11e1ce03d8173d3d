"""A window, and the first tokens

Query i is at position `past` + i. It sees the first `sinks` tokens of the text, and the last `window` tokens up
to and including itself, but no later token. The result says what `n` new queries see, with a column for each
of the past + n tokens.
"""
import torch

def seen(n, past, window, sinks):
    place = past + torch.arange(n).view(n, 1)
    token = torch.arange(past + n).view(1, past + n)
    near = (token <= place) & (token > place - window)
    first = token < sinks  # right: first = (token < sinks) & (token <= place)
    return (near | first).int().tolist()

# ---- inputs
INPUTS = {"n": size("n"), "past": whole(low=0, high=5), "window": size("w"), "sinks": whole(low=0, high=5)}
SAME = {
    "the first tokens all came before the first new query, or are the query itself.": lambda sinks, past: sinks <= past + 1,
    "the only query is the newest token: there is no future.": lambda n: n == 1,
}
MISTAKE = "sliding_window_mask.sinks_from_the_future"
WHY = "Sinks are open to every query, even to one that comes before them: for it, they are in the future."
