"""One keeper for each job: isolates itself, starts the student's process, watches time, memory and the grader, reports.

It never runs a student's code. Its report reaches the grader only when the last process of the job is dead.
"""

import json
import os
import select
import signal
import time

from . import isolate, usage

LOOK_EVERY_MS = 50
STUDENT = 3  # the only descriptor that the student's process keeps, besides /dev/null as 0, 1 and 2
TOLD = 4  # how that process says that it is locked in; closed before any student code is read
LOCKED_IN = "locked in"


def keep(job, data, status, run):
    """run(descriptor) is what the student's process does, once it is locked in."""
    begun = time.monotonic()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    job["image_bytes"], shared_kb = usage.image()
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    isolate.leave(job)
    came_out, told_in = os.pipe()
    process = os.fork()
    if process == 0:
        be_student(job, data, told_in, run)
    os.close(data)
    os.close(told_in)
    said = os.read(came_out, 1000).decode()
    why = (
        watch(job, process, status, usage.Tree(process, shared_kb, proc))
        if said == LOCKED_IN
        else f"setup: {said or 'the process died'}"
    )
    os.kill(process, signal.SIGKILL)
    _, exit_status, used = os.wait4(process, 0)  # comes back when the whole namespace is dead
    report = {
        "why": why,
        "exit": exit_status,
        "cpu": used.ru_utime + used.ru_stime,
        "peak_mb": used.ru_maxrss >> 10,
        "seconds": time.monotonic() - begun,
    }
    os.write(status, json.dumps(report).encode())


def watch(job, process, status, tree):
    """Why the job came to its end: 'exit', 'stopped' (the grader says so, or is gone), 'time' or 'memory'."""
    end = time.monotonic() + job["all_seconds"] + 1
    ended = os.pidfd_open(process)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(status, select.POLLIN)
    while True:
        events = [fd for fd, _ in poll.poll(LOOK_EVERY_MS)]
        if ended in events:
            return "exit"
        if status in events:
            return "stopped"
        if time.monotonic() > end:
            return "time"
        if tree.mb() > job["memory_mb"]:
            return "memory"


def be_student(job, data, told, run):
    """Lock this process in; then, and only then, run. Never returns."""
    try:
        only_descriptors(data, told)
        try:
            isolate.lock_in(job)
        except BaseException as error:
            os.write(TOLD, f"{type(error).__name__}: {error}"[:500].encode())
            os._exit(1)
        os.write(TOLD, LOCKED_IN.encode())
        os.close(TOLD)
        run(STUDENT)
    finally:
        os._exit(0)


def only_descriptors(data, told):
    """data becomes STUDENT, told TOLD; 0 to 2 lead nowhere; all else is closed: the grader's sockets above all."""
    nowhere = os.open("/dev/null", os.O_RDWR)
    data, told, nowhere = (os.dup2(fd, 100 + i) for i, fd in enumerate((data, told, nowhere)))
    for target in (0, 1, 2):
        os.dup2(nowhere, target)
    os.dup2(data, STUDENT)
    os.dup2(told, TOLD)
    os.closerange(TOLD + 1, os.sysconf("SC_OPEN_MAX"))
