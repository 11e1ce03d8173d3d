"""A call as bytes and its result as bytes: between them, scheduler and workers need nothing but Dask.

Dask unpickles the functions that it is sent in its own processes, and a worker that lacks one of their
modules dies of it. A parcel is opened by the task itself: then a missing module is the task's error.
"""

import pickle


def parcel(action, *arguments):
    """(function, bytes): the function, called with the bytes, gives the result as bytes."""
    return opener(), pickle.dumps((action, arguments))


def opener():
    """A function without a module: cloudpickle, which Dask uses, sends its code and no name to import."""

    def open_and_call(packed):
        import pickle

        action, arguments = pickle.loads(packed)
        return pickle.dumps(action(*arguments))

    return open_and_call
