"""The code that runs inside the sandbox.

In: a control socket, which delivers the system-call filter and then, for each job, its limits and two
descriptors: one for the job and its messages, one for the keeper's report. Out: messages (plain data and
tensors), and one report for each job.

There are three kinds of processes. The *warm parent* has imported everything and never sees a job. A *keeper*
is forked from it for each job: it sets up, watches and cleans up (as ioi/isolate's init, run and cleanup do)
and runs no student code. The *student's process*, forked from the keeper, isolates itself (isolate.py), and
only then reads and runs the job (runner.py). Of the course, the sandbox sees only this folder, ../shared and
course_utils without its answers.
"""
