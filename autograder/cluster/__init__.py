"""Submissions -> the workers of a Dask cluster -> results, in the process that writes the gradebook."""
