"""The system-call filter: well-formed, and wide enough for honest work."""

from collections import Counter

import pytest

from autograder.sandbox.host import seccomp
from autograder.sandbox.host.system_calls import ALLOWED, MISSING, PRETENDED, RULES

from .cells import errors

NAMES = [
    name for table in (ALLOWED, PRETENDED, MISSING) for names in table.values() for name in names.split()
]
ALLOWED_NAMES = [name for names in ALLOWED.values() for name in names.split()]
RULED = {name for rule in RULES for name in rule.names.split()}
NEVER = """
    ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd execve execveat mount umount2 pivot_root chroot
    unshare setns bpf perf_event_open userfaultfd io_uring_setup personality memfd_create shmget msgget mq_open setxattr
    splice sendfile mbind set_mempolicy fadvise64 readahead mincore preadv2 keyctl add_key io_setup inotify_init1
    epoll_create1 sync syncfs syslog reboot sethostname init_module settimeofday seccomp setuid setgid setresuid chown
    mknod mknodat memfd_secret landlock_create_ruleset cachestat clone3 sendmmsg process_madvise"""


def test_each_call_stands_in_one_list_and_none_that_must_not():
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert RULED & set(NAMES) == set()
    assert {*ALLOWED_NAMES, *RULED} & set(NEVER.split()) == set()


def test_each_name_is_one_that_libseccomp_knows():
    lib = seccomp.library()
    unknown = [name for name in (*NAMES, *RULED) if lib.seccomp_syscall_resolve_name(name.encode()) == -1]
    assert unknown == []


def test_the_filter_is_one_that_the_kernel_takes():
    assert len(seccomp.program()) % 8 == 0
    assert 100 < len(seccomp.program()) // 8 < 4096


HONEST = {
    "coroutines": "import asyncio\nawait asyncio.sleep(0.01)\nassert await asyncio.to_thread(lambda: 3) == 3",
    "threads": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(3) as e:\n"
    "    assert list(e.map(abs, [-1])) == [1]",
    "processes": "import multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as pool:\n"
    "    assert pool.map(abs, [-1, 2]) == [1, 2]",
    "a queue": "import multiprocessing\nc = multiprocessing.get_context('fork')\nq = c.Queue()\n"
    "p = c.Process(target=lambda: q.put(5))\np.start()\nassert q.get(timeout=5) == 5\np.join()",
    "a manager": "import multiprocessing\nm = multiprocessing.get_context('fork').Manager()\nd = m.dict(x=1)\n"
    "assert d['x'] == 1\nm.shutdown()",
    "workers that load data": "import torch\nfrom torch.utils.data import DataLoader\n"
    "assert sum(b.sum().item() for b in DataLoader(torch.arange(9.0), batch_size=4, num_workers=2)) == 36",
    "a shared tensor": "import torch\nt = torch.zeros(4).share_memory_()\nc = torch.multiprocessing.get_context('fork')\n"
    "p = c.Process(target=lambda: t.add_(1))\np.start()\np.join()\nassert t.sum() == 4",
    "files": "import os, shutil, tempfile\nfrom pathlib import Path\nwith tempfile.TemporaryDirectory() as d:\n"
    "    p = Path(d, 'x')\n    p.write_text('x')\n    p.touch()\n    shutil.copy2(p, d + '/y')\n    p.chmod(0o600)\n"
    "    shutil.copytree(d, d + '2')\n    (Path(d) / 'l').symlink_to('y')\n    p.rename(d + '/z')\n"
    "shutil.copy2(os.__file__, 'os2.py')",
    "a database": "import sqlite3\nc = sqlite3.connect('x.db')\nc.execute('pragma journal_mode = wal')\n"
    "c.execute('create table t (a)')\nc.commit()\nc.close()",
    "mapped files": "import numpy as np, torch\nnp.save('a.npy', np.ones(5))\nm = np.load('a.npy', mmap_mode='r+')\n"
    "m[0] = 2\nm.flush()\ntorch.save(torch.ones(3), 't.pt')\ntorch.load('t.pt', mmap=True)",
    "figures": "import matplotlib.pyplot as plt\nf, a = plt.subplots()\na.imshow([[1, 2]])\n"
    "f.savefig('x.png')\nf.savefig('x.svg')\nf.savefig('x.pdf')\nplt.show()",
    "training": "import torch\nm = torch.nn.TransformerEncoderLayer(16, 2)\no = torch.optim.AdamW(m.parameters())\n"
    "m(torch.rand(4, 2, 16)).sum().backward()\no.step()",
    "programs that do nothing here": "import subprocess\nsubprocess.run(['ls'])\n!ls\n%pip install x",
    "a program that is refused": "import subprocess\ntry:\n    subprocess.Popen(['ls'])\nexcept PermissionError:\n    pass",
    "signals": "import signal, time\nsignal.signal(signal.SIGALRM, lambda *a: None)\n"
    "signal.setitimer(signal.ITIMER_REAL, 0.01)\ntime.sleep(0.05)",
    "locks": "import fcntl\nf = open('k', 'w')\nfcntl.flock(f, 2)\nfcntl.lockf(f, 2)\nfcntl.lockf(f, 8)",
    "priorities and waiting for the disk, which are pretended": """
import os
known = lambda: (os.sched_getaffinity(0), os.sched_getscheduler(0), os.getpriority(0, 0))
before = known()
os.sched_setaffinity(0, [0])
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
os.nice(7)
assert before == known()
with open('x', 'w') as file:
    os.fsync(file)""",
}


@pytest.mark.system
def test_honest_work_is_not_refused(worker, bwrap):
    failed = {name: ends for name, cell in HONEST.items() if (ends := errors(worker, cell)) != [None]}
    assert failed == {}
