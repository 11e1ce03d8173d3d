"""What the KV cache saves: generation with and without it, a growing against a static cache, grouped heads.
Ratios in one run.

python -m benchmarks.cache"""

import statistics
import time
from functools import partial

import torch

from tools.mutants import everything

D, H, RUNS = 256, 8, 3


def seconds(action):
    """The median of several runs, after one warm-up run."""
    action()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def with_cache(attention, x):
    k = v = None
    for t in range(x.shape[1]):
        _, k, v = attention(x[:, t : t + 1], k, v)


def without_cache(attention, x):
    for t in range(x.shape[1]):
        attention(x[:, : t + 1])


def growing(pieces):
    k = v = pieces[0]
    for piece in pieces[1:]:
        k, v = torch.cat([k, piece], 2), torch.cat([v, piece], 2)


def static(cls, pieces):
    cache = cls(1, H, len(pieces), pieces[0].shape[-1])
    for piece in pieces:
        cache.update(piece, piece)


@torch.no_grad()
def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    lesson = everything()
    attention = lesson["MultiHeadAttentionWithCache"](D, H)
    print(f"one layer, d_model={D}, H={H}, float32, one thread")
    for T in (128, 256, 512):
        x = torch.randn(1, T, D)
        cached, full = (seconds(partial(way, attention, x)) for way in (with_cache, without_cache))
        print(f"generate T={T}: without cache {full:.2f} s, with {cached:.3f} s: {full / cached:.1f} times")
    for T in (512, 1024, 2048):
        pieces = list(torch.randn(T, 1, H, 1, 64).unbind(0))
        cat, fixed = (
            seconds(lambda pieces=pieces: growing(pieces)),
            seconds(lambda pieces=pieces: static(lesson["StaticKVCache"], pieces)),
        )
        print(f"append T={T}: cat {cat:.3f} s, static {fixed:.3f} s: {cat / fixed:.1f} times")
    x = torch.randn(1, 256, D)
    times = {
        n: seconds(lambda n=n: with_cache(lesson["GroupedQueryAttentionWithCache"](D, H, n), x))
        for n in (8, 2, 1)
    }
    for n, measured in times.items():
        print(
            f"{n} kv heads: {measured:.3f} s, {times[8] / measured:.2f} times as fast as 8, cache "
            f"{n / 8:.3f} of its size"
        )


if __name__ == "__main__":
    main()
