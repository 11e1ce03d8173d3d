"""One keeper for each job: init (namespaces, the student's process), run (watch it), cleanup (end it).

It never runs student code. It reports only when the last process of the job is dead.
"""

import os
import select
import signal
import time

from autograder.sandbox.shared.losses import MEMORY, TOO_SLOW

from . import isolate, memory

LOOK_EVERY_MS = 50
JOB = 3  # the only descriptor that the student's process keeps, besides /dev/null as 0, 1 and 2
SETUP = 4  # where that process writes whether it is locked in; closed before any student code is read
LOCKED_IN = "locked in"


def keep(job, program, job_socket, report_socket, run):
    """-> why the job ended: see `watch`. OSError: the job never began. run(descriptor) is what the student's
    process does, once it is locked in."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir("/proc")  # for memory.py; the student's process hides it
    job["image_bytes"], shared_kb = memory.address_space(), memory.counted_kb(os.getpid())
    isolate.enter_namespaces(job)
    setup, setup_for_student = os.pipe()
    process = os.fork()
    if process == 0:
        be_student(job, program, job_socket, setup_for_student, run)
    try:
        os.close(job_socket)
        os.close(setup_for_student)
        answer = os.read(setup, 1000).decode()
        if answer != LOCKED_IN:
            raise OSError(answer or "the process died")
        return watch(job, process, shared_kb, report_socket)
    finally:  # process 1, and with it its namespace: all of that is dead when it has been waited for
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def watch(job, process, shared_kb, report_socket):
    """Why the job ended: "exit", "stopped" (by the grader, or the grader is gone), TOO_SLOW or MEMORY."""
    end = time.monotonic() + job["all_seconds"] + 1
    process_end = os.pidfd_open(process)
    poll = select.poll()
    poll.register(process_end, select.POLLIN)
    poll.register(report_socket, select.POLLIN)
    while True:
        events = [fd for fd, _ in poll.poll(LOOK_EVERY_MS)]
        if process_end in events:
            return "exit"
        if report_socket in events:
            return "stopped"
        if time.monotonic() > end:
            return TOO_SLOW
        if memory.held_mb(process, shared_kb) > job["memory_mb"]:
            return MEMORY


def be_student(job, program, job_socket, setup, run):
    """Lock this process in; then, and only then, run. Never returns."""
    try:
        keep_descriptors(job_socket, setup)
        try:
            isolate.lock_in(job, program)
        except BaseException as error:
            os.write(SETUP, f"{type(error).__name__}: {error}"[:500].encode())
            os._exit(1)
        os.write(SETUP, LOCKED_IN.encode())
        os.close(SETUP)
        run(JOB)
    finally:
        os._exit(0)


def keep_descriptors(job_socket, setup):
    """These two as JOB and SETUP, /dev/null as 0 to 2; all others (the grader's sockets) are closed."""
    null = os.open("/dev/null", os.O_RDWR)
    job_socket, setup, null = (os.dup2(fd, 100 + i) for i, fd in enumerate((job_socket, setup, null)))
    for target in (0, 1, 2):
        os.dup2(null, target)
    os.dup2(job_socket, JOB)
    os.dup2(setup, SETUP)
    os.closerange(SETUP + 1, os.sysconf("SC_OPEN_MAX"))
