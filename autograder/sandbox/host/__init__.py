"""The grader's side of the sandbox: trusted code that never runs a submission.

In: a job. Out: an answer to each of its steps, as plain data with plain tensors (wire.py refuses anything
else); or the exception Lost with a sentence that says why. Whatever a worker sends is treated as hostile.
`supervisor.sandbox()` is the worker to use, and `unsandboxed.PlainWorker` is the one for --no-sandbox;
`observe_steps` runs a submission's steps in either of them, and turns the answers into observations and
printable sentences.

The sandbox sees Python, its packages, the system's libraries and the course's code (bubblewrap.py), all
read-only. system_calls.py lists the system calls that it may make. If this machine cannot run a sandbox,
SandboxUnavailable says in a sentence why, and what to do.
"""
