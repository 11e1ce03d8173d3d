"""The keeper of a job creates namespaces, forks the student's process, watches it and ends it.

It never runs student code, and it reports only when the last process of the job is dead. It measures how much
memory all processes hold in /proc, its working directory.
"""

import contextlib
import glob
import os
import select
import signal
import time
from pathlib import Path

from autograder.sandbox.shared.job import MEMORY, TOO_SLOW

from . import isolate

LOOK_EVERY_MS = 50
JOB = 3  # the only descriptor that the student's process keeps, besides /dev/null as 0, 1 and 2
SETUP = 4  # the student's process reports here that it is locked in, and closes it before reading any code
LOCKED_IN = "locked in"


def keep(job, program, job_socket, report_socket, run):
    """Run one job to its end; return why it ended (see `watch`), or raise OSError if it never began.
    `run(descriptor)` is called in the student's process once it is locked in."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir("/proc")  # process_kb reads it; it is hidden from the student's process
    job["image_bytes"], shared_kb = address_space(), process_kb(os.getpid())
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
    finally:  # the end of process 1 ends its whole pid namespace: after waitpid, no process of the job lives
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def watch(job, process, shared_kb, report_socket):
    """Wait for the end; return why: "exit", "stopped" (by the grader, or it is gone), TOO_SLOW or MEMORY."""
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
        if job_memory_mb(process, shared_kb) > job["memory_mb"]:
            return MEMORY


def be_student(job, program, job_socket, setup, run):
    """Become the student's process: lock this process in and only then call `run`. Never returns."""
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
    """Move these two to JOB and SETUP, put /dev/null at 0 to 2, close all others (the grader's sockets)."""
    null = os.open("/dev/null", os.O_RDWR)
    job_socket, setup, null = (os.dup2(fd, 100 + i) for i, fd in enumerate((job_socket, setup, null)))
    for target in (0, 1, 2):
        os.dup2(null, target)
    os.dup2(job_socket, JOB)
    os.dup2(setup, SETUP)
    os.closerange(SETUP + 1, os.sysconf("SC_OPEN_MAX"))


COUNTED = b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:"  # no files: all processes share the libraries
NOT_CHARGED = 6  # this many processes may share the warm parent's pages for free; each could overwrite them
SOCKET_KB = 208  # most that a connection that nobody accepts may hold, even after its sender is closed


def address_space():
    """Return the size of this process's address space, in bytes."""
    return int(Path("self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def job_memory_mb(top, shared_kb):
    """Return the MB held by the processes in the session of `top`, including their sockets.

    These are all processes of the job: `top` starts the session, and the filter allows no other one.
    shared_kb: memory that each process shares with the warm parent at first; Linux does not report how much
    of it is still shared later.
    """
    sizes = sorted(map(process_kb, processes_in(top)), reverse=True)
    own = [max(0, kb - shared_kb) for kb in sizes[:NOT_CHARGED]] + sizes[NOT_CHARGED:]
    return (sum(own) + SOCKET_KB * sockets()) >> 10


def processes_in(session):
    """Yield the processes of a session. The last bracket ends a process's name, which can hold brackets."""
    for stat in glob.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):  # it has just ended
            if int(Path(stat).read_bytes().rpartition(b")")[2].split()[3]) == session:
                yield stat.partition("/")[0]


def process_kb(process):
    """Return the KB of a process. Its threads share them, and an ended thread, even the first, reports 0."""
    return max(map(thread_kb, glob.glob(f"{process}/task/*/status")), default=0)


def thread_kb(status):
    with contextlib.suppress(OSError):  # it has just ended
        rows = [row.split() for row in Path(status).read_bytes().split(b"\n")]
        return sum(int(row[1]) for row in rows if row and row[0] in COUNTED)
    return 0


def sockets():
    """Return the number of sockets in the job's network namespace, open or waiting to be accepted."""
    return max(0, len(Path("self/net/unix").read_bytes().splitlines()) - 1)
