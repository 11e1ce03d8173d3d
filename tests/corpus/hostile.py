"""Submissions that mean harm. Each is a cell of its own in a solved notebook, so that its other exercises must still count.

An attack that gets anything raises `Leak`: the text then shows up in the result. The numbers of ports, process ids and
paths of the canaries are filled in by the test (TCP, PID, ...; see canaries.py).
"""

START = """
import ctypes, os, pathlib, signal, socket, subprocess, sys, threading, time
import torch
class Leak(Exception): pass
libc = ctypes.CDLL(None, use_errno=True)
def quietly(action, *args):
    try:
        return action(*args)
    except Exception:
        return None
def leak(found):
    if found:
        raise Leak(f"LEAK {found!r}"[:150])
"""

# These harm nothing where they succeed, and do succeed outside the sandbox: a test proves that they can be caught.
READING = {
    "environment": "leak(os.environ.get('CANARY'))",
    "environment_of_others": "leak([p for p in range(1, 70000) if (t := quietly(lambda: open(f'/proc/{p}/environ').read())) and 'CANARY' in t])",
    "canary_file": "leak(quietly(lambda: open(SECRET).read()))",
    "canary_file_by_walking_up": "leak(quietly(lambda: open('../' * 30 + SECRET.lstrip('/')).read()))",
    "home_folders": "python = [sys.prefix, *sys.path]\ndef beside(p):\n    for q in (os.path.join(p, n) for n in quietly(os.listdir, p) or []):\n        if not any(s.startswith(q) for s in python): yield q\n        elif q not in python: yield from beside(q)\nleak([q for p in ('/home', '/root', '/srv', '/mnt') for q in beside(p)])",
    "the_course": "leak([p for p in (ROOT + '/autograder', ROOT + '/solutions', ROOT + '/course_utils/answers') if os.path.exists(p)])",
    "password_file": "leak(quietly(lambda: open('/etc/passwd').read()[:20]))",
    "other_processes": "leak(os.path.exists(f'/proc/{PID}'))",
    "tcp": "leak(quietly(lambda: socket.create_connection(('127.0.0.1', TCP), 1).send(b'LEAK')))",
    "unix_socket": "s = socket.socket(socket.AF_UNIX)\nleak(quietly(lambda: (s.connect(UNIX), s.send(b'LEAK'))))",
    "abstract_socket": "s = socket.socket(socket.AF_UNIX)\nleak(quietly(lambda: (s.connect('\\0' + ABSTRACT), s.send(b'LEAK'))))",
    "udp": "leak(quietly(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'LEAK', ('127.0.0.1', UDP))))",
    "writes_beside_the_grader": "quietly(lambda: open(FOLDER + '/written', 'w').write('LEAK'))",
    "a_program": "leak(quietly(lambda: subprocess.Popen(['/usr/bin/id'], stdout=subprocess.PIPE).communicate()[0]))",
    "its_own_name": "leak([n for n in [socket.gethostname()] if n not in ('sandbox', 'localhost')])",
    "signals_to_a_process": "leak(quietly(lambda: os.kill(PID, 0) is None))",
    "devices": "leak([d for d in os.listdir('/dev') if d not in ('null', 'zero', 'full', 'random', 'urandom', 'shm')])",
}

RIGHTS = {
    "becomes_root": "leak([f for f in (os.setuid, os.seteuid, os.setgid) if quietly(lambda: f(0) is None)])",
    "new_user_namespace": "leak(libc.unshare(0x10000000) == 0 or libc.unshare(0x20000) == 0)",
    "new_namespace_by_clone": "pid = libc.syscall(56, ctypes.c_ulong(0x10000000 | 17), 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nleak(pid > 0)",
    "mounts": "leak([t for t in (b'tmpfs', b'proc', b'sysfs', b'devpts') if libc.mount(b'x', b'/sandbox/home', t, ctypes.c_ulong(0), None) == 0])",
    "unmounts": "leak([p for p in (b'/proc', b'/sandbox/home', b'/dev/shm', b'/dev/null') if libc.umount2(p, 2) == 0])",
    "remounts_writable": "leak(libc.mount(None, b'/', None, ctypes.c_ulong(32), None) == 0)",
    "chroot": "leak(quietly(lambda: os.chroot('/sandbox') is None))",
    "device_nodes": "leak([d for d in ((8, 0), (1, 1), (252, 0), (254, 0)) if quietly(lambda: os.mknod('d', 0o60666, os.makedev(*d)) is None)])",
    "raw_sockets": "leak([f for f in (2, 10, 16, 17, 38, 40, 44) for k in (1, 2, 3) if quietly(lambda: socket.socket(f, k, 0))])",
    "vsock": "leak(libc.socket(40, 1, 0) >= 0)",
    "traces": "leak([p for p in (0, 1, 2, PID, os.getppid()) if libc.ptrace(16, p, 0, 0) == 0])",
    "reads_memory": "leak([p for p in (2, 3, PID) if libc.process_vm_readv(p, None, 0, None, 0, 0) >= 0])",
    "kernel_keys": "leak([libc.syscall(n, 0, 0, 0, 0, 0) for n in (248, 249, 250, 321, 298, 323, 425) if libc.syscall(n, 0, 0, 0, 0, 0) >= 0])",
    "kernel_log": "leak(quietly(lambda: open('/dev/kmsg').read(10)) or libc.klogctl(3, ctypes.create_string_buffer(99), 99) > 0)",
    "sysctl": "leak(quietly(lambda: open('/proc/sys/kernel/core_pattern', 'w').write('|/tmp/x')))",
    "cgroups": "leak(os.path.exists('/sys/fs/cgroup') and os.listdir('/sys/fs/cgroup'))",
    "hostname": "leak(libc.sethostname(b'LEAK', 4) == 0)",
    "clock": "leak(quietly(lambda: time.clock_settime(0, 0) is None))",
    "priority": "before = os.getpriority(0, 0), os.sched_getscheduler(0), os.sched_getaffinity(0)\nos.setpriority(0, 0, -20)\nos.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))\nos.sched_setaffinity(0, [0])\nleak(before != (os.getpriority(0, 0), os.sched_getscheduler(0), os.sched_getaffinity(0)))",
    "higher_limits": "import resource\nleak([n for n in range(16) if quietly(lambda: resource.setrlimit(n, (-1, -1)) is None) and n in (0, 1, 4, 6, 7, 8, 9)])",
    "core_files": "import resource\nleak(resource.getrlimit(resource.RLIMIT_CORE)[1])",
    "setuid_programs": "leak([p for p in ('/bin/su', '/usr/bin/sudo', '/usr/bin/mount', '/usr/bin/passwd', '/usr/bin/bwrap') if os.path.exists(p)])",
    "writable_places": "leak([p for p in ('/', '/usr', '/usr/lib', '/sandbox', '/etc', '/dev', '/sys', '/proc', '/lib', sys.prefix, os.path.dirname(torch.__file__)) if os.access(p, os.W_OK) or quietly(lambda: open(p + '/x', 'w'))])",
    "code_for_the_next": "leak([p for p in sys.path if p and quietly(lambda: open(os.path.join(p, 'sitecustomize.py'), 'w'))])",
    "opened_descriptors": "leak([n for n in range(4, 256) if quietly(lambda: os.fstat(n))])",
    "descriptor_three_is_a_file": "import stat\nleak(not stat.S_ISSOCK(os.fstat(3).st_mode))",
    "peer_credentials": "import struct\ns = socket.socket(fileno=os.dup(3))\nleak([p for p in struct.unpack('3i', s.getsockopt(1, 17, 12))[:1] if p not in (0,) and quietly(lambda: os.kill(p, 0) is None) and p != os.getpid()])",
    "passes_descriptors": "import array\ns = socket.socket(fileno=os.dup(3))\nquietly(lambda: s.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0, 1, 2]))]))",
    "symlink_out": "os.symlink('/', 'out')\nleak(quietly(lambda: open('out' + SECRET).read()))",
    "hard_link_out": "leak(quietly(lambda: os.link(torch.__file__, 'linked') is None))",
}

PROCESSES = {
    "kills_everything": "os.kill(-1, signal.SIGKILL)",
    "kills_its_parent": "quietly(os.kill, os.getppid(), signal.SIGKILL)\nquietly(os.kill, 0, signal.SIGSTOP)",
    "kills_all_numbers": "for p in range(2, 40000): quietly(os.kill, p, signal.SIGKILL)",
    "kills_itself": "os.kill(os.getpid(), signal.SIGKILL)\nos.abort()",
    "stops_itself": "os.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(60)",
    "forks_without_end": "while True:\n    try: os.fork()\n    except OSError: pass",
    "forks_and_hides": "for n in range(40):\n    try:\n        if os.fork() == 0:\n            os.setsid()\n            signal.signal(signal.SIGTERM, signal.SIG_IGN)\n            time.sleep(600)\n    except OSError: break",
    "daemon": "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)",
    "daemon_that_outlives": "libc.prctl(1, 0)\nif os.fork() == 0:\n    libc.prctl(1, 0); os.setsid(); os.dup2(os.open('/dev/null', 2), 3)\n    while True: time.sleep(1)",
    "threads_without_end": "def wait(): time.sleep(600)\nwhile True:\n    try: threading.Thread(target=wait, daemon=True).start()\n    except RuntimeError: break",
    "stays_busy": "while True: pass",
    "sleeps": "time.sleep(600)",
    "sleeps_deaf": "for s in range(1, 65): quietly(signal.signal, s, signal.SIG_IGN)\nwhile True: time.sleep(600)",
    "busy_in_c": "sum(range(10**12))",
    "segfault": "ctypes.string_at(0)",
    "deep_recursion": "sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()",
    "alarm_in_the_next_cell": "signal.setitimer(signal.ITIMER_REAL, 0.05)",
    "dies_later": "threading.Timer(0.3, os._exit, [0]).start()",
    "endless_repr": "class E(Exception):\n    def __str__(self): time.sleep(600)\nraise E",
    "exception_that_raises": "class E(Exception):\n    def __str__(self): raise E\n    __repr__ = __str__\nraise E",
    "endless_on_deletion": "class D:\n    def __del__(self): time.sleep(600)\nd = D()\ndel d",
    "interrupts": "raise KeyboardInterrupt",
    "generator_exit": "raise GeneratorExit",
}

FLOODS = {
    "memory": "held = []\nwhile True: held.append(torch.ones(16 << 20))",
    "memory_of_many": "for n in range(20):\n    if os.fork() == 0:\n        held = bytearray(120 << 20)\n        for i in range(0, len(held), 4096): held[i] = 1\n        time.sleep(60)\ntime.sleep(60)",
    "address_space": "import mmap\nmmap.mmap(-1, 1 << 45)",
    "file": "with open('f', 'wb') as f:\n    while True: f.write(bytes(1 << 20))",
    "many_files": "for n in range(10**6): open(f'f{n}', 'w').close()",
    "shared_memory": "for n in range(100):\n    with open(f'/dev/shm/{n}', 'wb') as f: f.write(bytes(8 << 20))",
    "descriptors": "held = []\nwhile True: held.append(os.open('/dev/null', 0))",
    "pipes": "held = []\nwhile True:\n    held.append(os.pipe())\n    os.set_blocking(held[-1][1], False)\n    quietly(os.write, held[-1][1], bytes(1 << 20))",
    "prints": "for n in range(3 * 10**5): print('x' * 1000)",
    "errors": "os.write(2, b'x' * 10**7)\nos.write(1, b'x' * 10**7)",
    "warnings": "import warnings\nfor n in range(3000): warnings.warn(f'{n}' * 100)",
    "messages": "while True: os.write(3, b'\\0' * (1 << 16))",
    "valid_messages": "import struct, json, safetensors.torch\nblob = safetensors.torch.save({'0': torch.zeros(1)})\ntext = json.dumps({'at': 1}).encode()\nwhile True: os.write(3, struct.pack('<II', len(text), len(blob)) + text + blob)",
    "slow_message": "import struct\nos.write(3, struct.pack('<II', 1000, 8))\nwhile True:\n    os.write(3, b' '); time.sleep(0.1)",
    "long_error": "raise ValueError('x' * 10**7)",
    "terminal_codes": "raise ValueError('\\x1b[2J\\x1b]0;owned\\x07 [red]markup[/nothing] <script>alert(1)</script> \\u202e')",
    "names_of_files": "os.makedirs('a/../b'); open('-rf', 'w'); open('\\n', 'w'); open('..;rm', 'w')",
    "shell_commands": "get_ipython().system('rm -rf /')\n!rm -rf ~ /nowhere\n%pip install evil",
}

# Found by hand, after the rest was in place.
FRESH = {
    "runs_a_program": "leak(quietly(lambda: os.posix_spawn(sys.executable, ['x', '-c', '1'], {})) or libc.syscall(322, 3, b'', 0, 0, 0x1000) == 0)",
    "memory_shared_without_a_file": "import mmap\nleak(quietly(lambda: mmap.mmap(-1, 1 << 20)) or quietly(lambda: mmap.mmap(os.open('/dev/zero', 2), 1 << 20)))",
    "takes_all_io_contexts": "leak(libc.syscall(206, 65536, ctypes.byref(ctypes.c_ulong())) == 0)",
    "takes_all_watches": "leak(libc.inotify_init() >= 0)",
    "takes_all_epoll_watches": "import select\nleak(quietly(select.epoll) or libc.syscall(213, 1) >= 0)",
    "takes_all_room_in_pipes": "import fcntl\nleak(quietly(fcntl.fcntl, os.pipe()[1], 1031, 1 << 20))",
    "long_lists_of_rights": "import struct\nrights = struct.pack('<IHHIHHIHHI', 2, 1, 6, 2**32 - 1, 4, 6, 2**32 - 1, 32, 0, 2**32 - 1)\nleak(quietly(lambda: os.setxattr('.', 'system.posix_acl_access', rights) is None))",
    "table_of_futexes": "leak(libc.prctl(78, ctypes.c_ulong(1), ctypes.c_ulong(1 << 10), ctypes.c_ulong(0), ctypes.c_ulong(0)) == 0)",
    "huge_pages": "leak(libc.prctl(41, 0, 0, 0, 0) == 0 or libc.syscall(28, 0, 0, 25) == 0)",
    "pages_in_sockets": "a, b = socket.socketpair()\nr, w = os.pipe()\nos.write(w, b'x')\nleak(quietly(os.splice, r, a.fileno(), 1) or quietly(os.sendfile, a.fileno(), os.open(os.__file__, 0), 0, 1))",
    "memory_policies": "leak(libc.syscall(238, 0, 0, 0) == 0 or libc.syscall(237, 0, 0, 0, 0, 0, 0) == 0)",
    "a_word_by_the_page_cache": "f = os.open(os.__file__, 0)\nleak(libc.syscall(221, f, 0, 0, 4) == 0 or quietly(os.preadv, f, [bytearray(9)], 0, os.RWF_NOWAIT))",
    "a_word_by_a_hint": "import fcntl\nf = os.open('l', os.O_CREAT)\nleak([n for n in (1036, 1038) if quietly(fcntl.fcntl, f, n, bytes([3, *[0] * 7]))])",
    "handle_on_the_grader": "s = socket.socket(fileno=os.dup(3))\nleak(quietly(lambda: s.getsockopt(1, 77, 4)))",
    "child_of_the_keeper": "r = libc.syscall(56, ctypes.c_ulong(0x8000 | 17), 0, 0, 0, 0)\nif r == 0: os._exit(0)\nleak(r > 0)",
    "core_for_the_crash_reporter": "leak(libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(3, 0, 0, 0, 0))\nos.abort()",
    "outlives_the_keeper": "leak(libc.prctl(1, 0, 0, 0, 0) == 0)",
    "out_of_band": "a, b = socket.socketpair()\nleak([f for f in (lambda: a.send(b'x', 1), lambda: b.recv(1, 1), lambda: a.sendmsg([b'x'], [], 1)) if quietly(f)])",
    "large_receive_buffers": "s = socket.socket(socket.AF_UNIX)\nleak([o for o in range(100) if o != 2 and quietly(lambda: s.setsockopt(1, o, 1) is None)])",
    "filters_of_its_own": "import struct\nrule = ctypes.create_string_buffer(struct.pack('HBBI', 6, 0, 0, 0x7FFF0000))\nrules = struct.pack('HxxxxxxQ', 1, ctypes.addressof(rule))\nkept = ctypes.create_string_buffer(rules)\nleak(quietly(lambda: socket.socket(socket.AF_UNIX).setsockopt(1, 26, rules) is None))\nleak(libc.prctl(22, 2, ctypes.c_ulong(ctypes.addressof(kept)), 0, 0) == 0 or libc.syscall(317, 1, 0, kept) == 0)",
    "a_session_of_its_own": "child = os.fork()\nif child == 0:\n    os.setsid()\n    os._exit(os.getsid(0) == os.getpid())\nleak(os.waitpid(child, 0)[1])",
    "large_send_buffers": "a, b = socket.socketpair()\nleak(quietly(lambda: a.setsockopt(1, 7, 1 << 23) is None))",
    "calls_of_32_bits": "import mmap\nm = mmap.mmap(-1, 4096, flags=0x22, prot=7)\nm.write(bytes.fromhex('b814000000cd80c3'))\nleak(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))())",
    "calls_of_the_x32_kind": "leak([n for n in (39, 57, 59, 101) if libc.syscall(0x40000000 + n, 0, 0, 0, 0) >= 0])",
    "calls_from_the_future": "leak([n for n in range(451, 480) if libc.syscall(n, 0, 0, 0, 0, 0) >= 0])",
    "memory_under_an_odd_name": "libc.prctl(15, b') S 1 1 (\\xff\\n')\nheld = b'x' * (600 << 20)\ntime.sleep(60)",
    "memory_of_many_small_ones": "for n in range(14):\n    if os.fork() == 0:\n        held = b'x' * (60 << 20)\n        time.sleep(60)\ntime.sleep(60)",
    "connections_nobody_accepts": "doors, sent, letter = [], 0, bytes(1 << 16)\nwhile sent < 600 << 20:\n    doors.append(socket.socket(socket.AF_UNIX))\n    doors[-1].bind(f'\\0{len(doors)}')\n    doors[-1].listen(4096)\n    for n in range(1000):\n        s = socket.socket(socket.AF_UNIX)\n        s.setblocking(False)\n        quietly(s.connect, f'\\0{len(doors)}')\n        while part := quietly(s.send, letter): sent += part\n        s.close()\nleak(sent)",
    "letters_nobody_reads": "leak([kind for make in (socket.socket, socket.socketpair) for kind in (2, 3) if quietly(make, socket.AF_UNIX, kind)])",
    "lease_on_a_file": "import fcntl\nopen('l', 'w').close()\nf = os.open('l', os.O_RDONLY)\nleak([k for k in (0, 1) if quietly(lambda: fcntl.fcntl(f, 1024, k) == 0)])\nleak(quietly(lambda: fcntl.fcntl(os.open('.', os.O_RDONLY), 1026, 2) == 0))",
    "locks_that_others_see": "import fcntl, struct\nf, g = open(os.__file__), open(os.__file__)\nfcntl.flock(f, 2)\nleak(quietly(lambda: fcntl.flock(g, 6) is None) is not True)\nfcntl.fcntl(f, 37, struct.pack('hhqqi4x', 0, 0, 0, 0, 0))\nleak(fcntl.fcntl(g, 36, struct.pack('hhqqi4x', 1, 0, 0, 0, 0))[0] != 2)",
    "rules_without_number": "leak(libc.syscall(444, ctypes.byref(ctypes.c_uint64(1)), 8, 0) >= 0)",
    "flushes_all_disks": "os.sync()\nleak(libc.syscall(306, 3) == 0)",
    "file_locks": "import fcntl\nf = open('l', 'wb')\nn = 0\nwhile True: fcntl.lockf(f, fcntl.LOCK_EX, 1, 2 * n); n += 1",
    "fork_and_both_go_on": "os.fork()",
    "fork_and_exec_of_the_runner": "pid = os.fork()\nif pid: os.waitpid(pid, 0)",
    "closes_the_door": "os.close(3)",
    "signals_by_the_door": "import fcntl\nfcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC)",
    "shuts_one_way": "socket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_RD)",
    "no_exit": "os._exit = sys.exit = lambda *a: None",
    "patches_everything": "import builtins\nfor name in dir(builtins):\n    if name[0].islower() and name not in ('print', 'setattr'): quietly(setattr, builtins, name, lambda *a, **k: None)",
    "patches_torch": "for name in dir(torch.Tensor):\n    if not name.startswith('__'): quietly(setattr, torch.Tensor, name, None)",
    "default_device_and_dtype": "torch.set_default_device('meta')\ntorch.set_default_dtype(torch.float16)",
    "no_gradients_any_more": "torch._C._set_grad_enabled(False)",
    "hangs_where_others_are_looked_at": "runner = sys.modules['autograder.sandbox.inside.runner']\nreal = runner.observe\ndef observe(obj, case, contract):\n    while contract.name in ('softmax', 'create_padding_mask'): pass\n    return real(obj, case, contract)\nrunner.observe = observe",
    "removes_modules": "for name in list(sys.modules): sys.modules.pop(name)",
    "two_thousand_errors_in_one": "raise ExceptionGroup('x', [ValueError(str(n)) for n in range(2000)])",
}

CELLS = {**READING, **RIGHTS, **PROCESSES, **FLOODS, **FRESH}
