"""What runs inside the sandbox.

In: a control socket, which brings first the system-call filter and then, for each job, its limits and two
descriptors: one for the job and its messages, one for the keeper's report. Out: messages (plain data and
tensors), and one report for each job.

Three kinds of processes. The *warm parent* has imported everything and never sees a job. A *keeper*, forked
from it, does for one job what ioi/isolate's three verbs do (init, run, cleanup) and runs no student code. The
*student's process*, forked from the keeper, locks itself in (isolate.py), and only then reads the job and
runs it (runner.py). The sandbox sees this folder, ../shared and course_utils without its answers; nothing
else of the course.
"""
