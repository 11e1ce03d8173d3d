"""Run a function for many items on all cores."""

from concurrent.futures import ProcessPoolExecutor

import torch


def on_all_cores(function, things):
    """[function(thing) for each thing], in worker processes; the first error is raised."""
    if len(things) < 2:
        return [*map(function, things)]
    # one thread per process: the tensors are tiny, and more threads would only wait for each other
    with ProcessPoolExecutor(initializer=torch.set_num_threads, initargs=(1,)) as pool:
        return [*pool.map(function, things)]
