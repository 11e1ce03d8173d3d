"""The same work on many things, on all cores."""

from concurrent.futures import ProcessPoolExecutor

import torch


def on_all_cores(function, things):
    """[what the function returns for each]; the first error ends the work."""
    if len(things) < 2:
        return [*map(function, things)]
    # the tensors are tiny: more threads only wait for each other
    with ProcessPoolExecutor(initializer=torch.set_num_threads, initargs=(1,)) as pool:
        return [*pool.map(function, things)]
