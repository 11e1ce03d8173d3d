"""Keys in pages

`pool` is a set of memory pages, (P, size, d). `pages` says which page holds a text's tokens 0 to size - 1,
which one holds the next ones, and so on. The result is the first `n` keys of the text.
"""
def collect(pool, pages, n):
    size = pool.shape[1]
    keys = []
    for token in range(n):
        page = pages[token // size]
        slot = token % len(pages)  # right: slot = token % size
        keys.append(pool[page][slot].tolist())
    return keys

# ---- inputs
INPUTS = {"pool": floats("P", "size", "d"), "pages": whole("K", low=0, high="P - 1"), "n": whole(low=1, high="K * size")}
SIZES = {"size": (1, 4), "K": (1, 4)}
SAME = {
    "a text has as many pages as a page has places.": lambda K, size: K == size,
    "both remainders are the same for every place that is read.": lambda n, K, size: n <= min(K, size),
}
MISTAKE = "gather_paged.place_not_in_block"
WHY = "The index within a page is the token's number modulo the page size, not modulo the number of pages."
