"""Grades submissions on the workers of a Dask cluster, for the process that writes the gradebook."""

QUEUED_PER_WORKER = 2  # submissions handed over for each process, to limit memory


class WorkersDied(Exception):
    """Several workers died, one after another, while each worked on this item alone; args: how many."""
