"""The grader's side of the sandbox.

In: a job. Out: an answer to each of its steps, plain data with plain tensors (wire.py refuses all else); or
the exception Lost, with a sentence that says why. `supervisor.sandbox()` is the worker that everybody uses,
and `unsandboxed.PlainWorker` the one for --no-sandbox; `observe_steps` drives either through a submission,
and `sanitize` turns what came out into observations and printable sentences. This is trusted code, which
never runs a submission; what a worker sends is hostile.

The sandbox sees, read-only: Python, its packages, the system's libraries (bubblewrap.py) and code_zip. The
system calls that it may make are in system_calls.py. SandboxUnavailable says, in a sentence, why there can be
no sandbox here, and what to do.
"""
