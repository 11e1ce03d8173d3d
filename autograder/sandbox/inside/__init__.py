"""What runs inside the sandbox.

In: the code as a zip, a control socket, and on it first the system-call filter (warm_parent.py) and then, for each job,
its limits with two descriptors: one for the job and its messages, one for the keeper's report. Out: messages (plain data
and tensors), and one report for each job. Three processes play a part: the *warm parent* has imported everything and
never sees a job; a *keeper*, forked from it, does for one job what the three verbs of ioi/isolate do (init, run,
cleanup) and runs no student code; the *student's process*, forked from the keeper, locks itself in (isolate.py) before
it reads the job. The sandbox sees this folder, ../shared and course_utils without its answers; nothing else of ours.
"""
