"""The lesson's attention and torch's own compared: time and memory for T = 128 to 2048, as ratios in one run.

python -m benchmarks.attention [T ...]   (two runs of a few minutes on two cores at the default sizes)
"""

import re
import statistics
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from tools.mutants import everything

ROOT = Path(__file__).resolve().parents[1]
SIZES = (128, 256, 512, 1024, 2048)
B, D, H, RUNS = 1, 256, 8, 5


class Fused(nn.Module):
    """torch's fused operator between four Linear layers, like those of the lesson's class."""

    def __init__(self):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(D, D, bias=False) for _ in range(4))

    def forward(self, x):
        Q, K, V = (W(x).unflatten(-1, (H, -1)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        return self.W_o(F.scaled_dot_product_attention(Q, K, V, is_causal=True).transpose(1, 2).flatten(2))


def candidates():
    """{name of an implementation: function of x}"""
    layer = everything()["MultiHeadSelfAttention"](D, H)
    module = nn.MultiheadAttention(D, H, bias=False, batch_first=True)
    return {
        "lesson": lambda x: layer(x, is_causal=True),
        "nn.MultiheadAttention": lambda x: module(x, x, x, attn_mask=mask(x.shape[1]), need_weights=False)[0],
        "SDPA": Fused(),
    }


@cache
def mask(T):
    return torch.ones(T, T, dtype=torch.bool).triu(1)


def milliseconds(function, x):
    """The median of several calls, after one warm-up call."""
    function(x)
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        function(x)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def peak_megabytes(name, T):
    """How far one call raises the peak memory of a fresh process."""
    code = f"from benchmarks.attention import peak_rise; print(peak_rise({name!r}, {T}))"
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)


def peak_rise(name, T):
    torch.set_num_threads(1)
    function, x = candidates()[name], torch.randn(B, T, D)
    with torch.no_grad():
        function(x[:, :8])
        mask(T)  # its memory is not the operator's
        Path("/proc/self/clear_refs").write_text("5")  # Linux: resets the peak
        before = peak_kilobytes()
        function(x)
    return (peak_kilobytes() - before) / 1024


def peak_kilobytes():
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    functions = candidates()
    print(f"B={B}, d_model={D}, H={H}, float32, one thread, no gradient; ratios are to SDPA")
    print(f"{'T':>5} " + " ".join(f"{name + ' ms':>24} {'ratio':>6} {'peak MB':>8}" for name in functions))
    for T in map(int, sys.argv[1:] or SIZES):
        x = torch.randn(B, T, D)
        with torch.no_grad():
            times = {name: milliseconds(function, x) for name, function in functions.items()}
        print(
            f"{T:>5} "
            + " ".join(
                f"{ms:>24.1f} {ms / times['SDPA']:>6.1f} {peak_megabytes(name, T):>8.0f}"
                for name, ms in times.items()
            )
        )


if __name__ == "__main__":
    main()
