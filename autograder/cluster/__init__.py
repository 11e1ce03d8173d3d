"""Submissions -> the workers of a Dask cluster -> results, in the process that writes the gradebook."""

QUEUED_PER_WORKER = 2  # submissions handed over for each process: keeps memory flat


class WorkersDied(Exception):
    """Workers of a cluster died one after another while each worked on this item alone; args: how many."""
