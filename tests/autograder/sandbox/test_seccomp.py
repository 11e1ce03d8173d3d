"""The system-call filter: well-formed, and wide enough for honest work."""

import ctypes
from collections import Counter

import pytest

from autograder.sandbox.host import seccomp
from autograder.sandbox.host.system_calls import ALLOWED, MISSING, ONE_OF, PRETENDED, WHERE

from .cells import errors

NAMES = [
    name for table in (ALLOWED, PRETENDED, MISSING) for names in table.values() for name in names.split()
]
ALLOWED_NAMES = [name for names in ALLOWED.values() for name in names.split()]
RULED = {name for names, _ in WHERE for name in names.split()} | {name for name, _ in ONE_OF}
NEVER = """
    ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd execve execveat mount umount2
    pivot_root chroot unshare setns bpf perf_event_open userfaultfd io_uring_setup personality
    memfd_create shmget msgget mq_open setxattr splice sendfile mbind set_mempolicy fadvise64 readahead
    mincore preadv2 keyctl add_key io_setup inotify_init1 epoll_create1 sync syncfs syslog reboot
    sethostname init_module settimeofday seccomp setuid setgid setresuid chown mknod mknodat memfd_secret
    landlock_create_ruleset cachestat clone3 sendmmsg process_madvise"""


def test_each_call_stands_in_one_list_and_none_that_must_not():
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert RULED & set(NAMES) == set()
    assert {*ALLOWED_NAMES, *RULED} & set(NEVER.split()) == set()


def test_each_name_is_one_that_libseccomp_knows():
    resolve = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name
    assert [name for name in (*NAMES, *RULED) if resolve(name.encode()) == -1] == []


def test_the_filter_is_one_that_the_kernel_takes():
    assert len(seccomp.program()) % 8 == 0
    assert 100 < len(seccomp.program()) // 8 < 4096


HONEST = {
    "coroutines": """
import asyncio
await asyncio.sleep(0.01)
assert await asyncio.to_thread(abs, -3) == 3""",
    "threads": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(3) as pool:
    assert list(pool.map(abs, [-1])) == [1]""",
    "processes, a queue and a manager": """
import multiprocessing
fork = multiprocessing.get_context('fork')
with fork.Pool(2) as pool:
    assert pool.map(abs, [-1, 2]) == [1, 2]
queue = fork.Queue()
process = fork.Process(target=lambda: queue.put(5))
process.start()
assert queue.get(timeout=5) == 5
process.join()
manager = fork.Manager()
assert manager.dict(x=1)['x'] == 1
manager.shutdown()""",
    "workers that load data, and a shared tensor": """
import torch
from torch.utils.data import DataLoader
assert sum(b.sum().item() for b in DataLoader(torch.arange(9.0), batch_size=4, num_workers=2)) == 36
shared = torch.zeros(4).share_memory_()
process = torch.multiprocessing.get_context('fork').Process(target=lambda: shared.add_(1))
process.start()
process.join()
assert shared.sum() == 4""",
    "files": """
import os, shutil, tempfile
from pathlib import Path
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, 'x')
    path.write_text('x')
    path.touch()
    path.chmod(0o600)
    shutil.copy2(path, folder + '/y')
    shutil.copytree(folder, folder + '2')
    Path(folder, 'l').symlink_to('y')
    path.rename(folder + '/z')
shutil.copy2(os.__file__, 'os2.py')""",
    "a database": """
import sqlite3
base = sqlite3.connect('x.db')
base.execute('pragma journal_mode = wal')
base.execute('create table t (a)')
base.commit()
base.close()""",
    "mapped files": """
import numpy as np, torch
np.save('a.npy', np.ones(5))
mapped = np.load('a.npy', mmap_mode='r+')
mapped[0] = 2
mapped.flush()
torch.save(torch.ones(3), 't.pt')
torch.load('t.pt', mmap=True)""",
    "figures": """
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.imshow([[1, 2]])
for kind in ('png', 'svg', 'pdf'):
    figure.savefig('x.' + kind)
plt.show()""",
    "training": """
import torch
layer = torch.nn.TransformerEncoderLayer(16, 2)
optimizer = torch.optim.AdamW(layer.parameters())
layer(torch.rand(4, 2, 16)).sum().backward()
optimizer.step()""",
    "programs: they do nothing, or are refused": """
import subprocess
subprocess.run(['ls'])
!ls
%pip install x
try:
    subprocess.Popen(['ls'])
except PermissionError:
    pass""",
    "signals": """
import signal, time
signal.signal(signal.SIGALRM, lambda *a: None)
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(0.05)""",
    "locks, priorities and waiting for the disk: they are pretended": """
import fcntl, os
file = open('k', 'w')
fcntl.flock(file, 2)
fcntl.lockf(file, 2)
fcntl.lockf(file, 8)
os.fsync(file)
known = lambda: (os.sched_getaffinity(0), os.sched_getscheduler(0), os.getpriority(0, 0))
before = known()
os.sched_setaffinity(0, [0])
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
os.nice(7)
assert before == known()""",
}


@pytest.mark.system
def test_honest_work_is_not_refused(worker, bwrap):
    failed = {name: ends for name, cell in HONEST.items() if (ends := errors(worker, cell)) != [None]}
    assert failed == {}
