"""Keys of several layers

Each layer keeps the keys it is given, in the order in which they come. `keys` is (T, L, d): for each
token, a key for each layer. The result is the keys that the last layer keeps.
"""
import torch

class LayeredCache:
    def __init__(self, n_layers):
        self.store = [[]] * n_layers  # right: self.store = [[] for _ in range(n_layers)]

    def add(self, layer, key):
        self.store[layer].append(key)

    def keys_of(self, layer):
        return torch.stack(self.store[layer])

# ---- inputs
INPUTS = {"keys": floats("T", "L", "d")}
SAME = {"there is one layer.": lambda L: L == 1}
MISTAKE = "StaticKVCache.shared_memory"
WHY = "[[]] * n is one list, n times: every layer appends to the same one."


def tried(LayeredCache, keys):
    """one = LayeredCache(L); one.add(layer, key) for each token and layer; one.keys_of(L - 1)"""
    T, L, _ = keys.shape
    one = LayeredCache(L)
    for t in range(T):
        for layer in range(L):
            one.add(layer, keys[t, layer])
    return one.keys_of(L - 1)
