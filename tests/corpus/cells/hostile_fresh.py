# %% runs_a_program
leak(quietly(lambda: os.posix_spawn(sys.executable, ['x', '-c', '1'], {})) or libc.syscall(322, 3, b'', 0, 0, 0x1000) == 0)
# %% memory_shared_without_a_file
import mmap
leak(quietly(lambda: mmap.mmap(-1, 1 << 20)) or quietly(lambda: mmap.mmap(os.open('/dev/zero', 2), 1 << 20)))
# %% takes_all_io_contexts
leak(libc.syscall(206, 65536, ctypes.byref(ctypes.c_ulong())) == 0)
# %% takes_all_watches
leak(libc.inotify_init() >= 0)
# %% takes_all_epoll_watches
import select
leak(quietly(select.epoll) or libc.syscall(213, 1) >= 0)
# %% takes_all_room_in_pipes
import fcntl
leak(quietly(fcntl.fcntl, os.pipe()[1], 1031, 1 << 20))
# %% long_lists_of_rights
import struct
rights = struct.pack('<IHHIHHIHHI', 2, 1, 6, 2**32 - 1, 4, 6, 2**32 - 1, 32, 0, 2**32 - 1)
leak(quietly(lambda: os.setxattr('.', 'system.posix_acl_access', rights) is None))
# %% table_of_futexes
leak(libc.prctl(78, ctypes.c_ulong(1), ctypes.c_ulong(1 << 10), ctypes.c_ulong(0), ctypes.c_ulong(0)) == 0)
# %% huge_pages
leak(libc.prctl(41, 0, 0, 0, 0) == 0 or libc.syscall(28, 0, 0, 25) == 0)
# %% pages_in_sockets
a, b = socket.socketpair()
r, w = os.pipe()
os.write(w, b'x')
leak(quietly(os.splice, r, a.fileno(), 1) or quietly(os.sendfile, a.fileno(), os.open(os.__file__, 0), 0, 1))
# %% memory_policies
leak(libc.syscall(238, 0, 0, 0) == 0 or libc.syscall(237, 0, 0, 0, 0, 0, 0) == 0)
# %% a_word_by_the_page_cache
f = os.open(os.__file__, 0)
leak(libc.syscall(221, f, 0, 0, 4) == 0 or quietly(os.preadv, f, [bytearray(9)], 0, os.RWF_NOWAIT))
# %% a_word_by_a_hint
import fcntl
f = os.open('l', os.O_CREAT)
leak([n for n in (1036, 1038) if quietly(fcntl.fcntl, f, n, bytes([3, *[0] * 7]))])
# %% handle_on_the_grader
s = socket.socket(fileno=os.dup(3))
leak(quietly(lambda: s.getsockopt(1, 77, 4)))
# %% child_of_the_keeper
r = libc.syscall(56, ctypes.c_ulong(0x8000 | 17), 0, 0, 0, 0)
if r == 0: os._exit(0)
leak(r > 0)
# %% core_for_the_crash_reporter
leak(libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(3, 0, 0, 0, 0))
os.abort()
# %% outlives_the_keeper
leak(libc.prctl(1, 0, 0, 0, 0) == 0)
# %% out_of_band
a, b = socket.socketpair()
leak([f for f in (lambda: a.send(b'x', 1), lambda: b.recv(1, 1), lambda: a.sendmsg([b'x'], [], 1)) if quietly(f)])
# %% large_receive_buffers
s = socket.socket(socket.AF_UNIX)
leak([o for o in range(100) if o != 2 and quietly(lambda: s.setsockopt(1, o, 1) is None)])
# %% filters_of_its_own
import struct
rule = ctypes.create_string_buffer(struct.pack('HBBI', 6, 0, 0, 0x7FFF0000))
rules = struct.pack('HxxxxxxQ', 1, ctypes.addressof(rule))
kept = ctypes.create_string_buffer(rules)
leak(quietly(lambda: socket.socket(socket.AF_UNIX).setsockopt(1, 26, rules) is None))
leak(libc.prctl(22, 2, ctypes.c_ulong(ctypes.addressof(kept)), 0, 0) == 0 or libc.syscall(317, 1, 0, kept) == 0)
# %% a_session_of_its_own
child = os.fork()
if child == 0:
    os.setsid()
    os._exit(os.getsid(0) == os.getpid())
leak(os.waitpid(child, 0)[1])
# %% large_send_buffers
a, b = socket.socketpair()
leak(quietly(lambda: a.setsockopt(1, 7, 1 << 23) is None))
# %% calls_of_32_bits
import mmap
m = mmap.mmap(-1, 4096, flags=0x22, prot=7)
m.write(bytes.fromhex('b814000000cd80c3'))
leak(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))())
# %% calls_of_the_x32_kind
leak([n for n in (39, 57, 59, 101) if libc.syscall(0x40000000 + n, 0, 0, 0, 0) >= 0])
# %% calls_from_the_future
leak([n for n in range(451, 480) if libc.syscall(n, 0, 0, 0, 0, 0) >= 0])
# %% memory_under_an_odd_name
libc.prctl(15, b') S 1 1 (\xff\n')
held = b'x' * (600 << 20)
time.sleep(60)
# %% memory_of_many_small_ones
for n in range(14):
    if os.fork() == 0:
        held = b'x' * (60 << 20)
        time.sleep(60)
time.sleep(60)
# %% connections_nobody_accepts
doors, sent, letter = [], 0, bytes(1 << 16)
while sent < 600 << 20:
    doors.append(socket.socket(socket.AF_UNIX))
    doors[-1].bind(f'\0{len(doors)}')
    doors[-1].listen(4096)
    for n in range(1000):
        s = socket.socket(socket.AF_UNIX)
        s.setblocking(False)
        quietly(s.connect, f'\0{len(doors)}')
        while part := quietly(s.send, letter): sent += part
        s.close()
leak(sent)
# %% letters_nobody_reads
leak([kind for make in (socket.socket, socket.socketpair) for kind in (2, 3) if quietly(make, socket.AF_UNIX, kind)])
# %% lease_on_a_file
import fcntl
open('l', 'w').close()
f = os.open('l', os.O_RDONLY)
leak([k for k in (0, 1) if quietly(lambda: fcntl.fcntl(f, 1024, k) == 0)])
leak(quietly(lambda: fcntl.fcntl(os.open('.', os.O_RDONLY), 1026, 2) == 0))
# %% locks_that_others_see
import fcntl, struct
f, g = open(os.__file__), open(os.__file__)
fcntl.flock(f, 2)
leak(quietly(lambda: fcntl.flock(g, 6) is None) is not True)
fcntl.fcntl(f, 37, struct.pack('hhqqi4x', 0, 0, 0, 0, 0))
leak(fcntl.fcntl(g, 36, struct.pack('hhqqi4x', 1, 0, 0, 0, 0))[0] != 2)
# %% rules_without_number
leak(libc.syscall(444, ctypes.byref(ctypes.c_uint64(1)), 8, 0) >= 0)
# %% flushes_all_disks
os.sync()
leak(libc.syscall(306, 3) == 0)
# %% file_locks
import fcntl
f = open('l', 'wb')
n = 0
while True: fcntl.lockf(f, fcntl.LOCK_EX, 1, 2 * n); n += 1
# %% fork_and_both_go_on
os.fork()
# %% fork_and_exec_of_the_runner
pid = os.fork()
if pid: os.waitpid(pid, 0)
# %% closes_the_door
os.close(3)
# %% signals_by_the_door
import fcntl
fcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK | os.O_ASYNC)
# %% shuts_one_way
socket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_RD)
# %% no_exit
os._exit = sys.exit = lambda *a: None
# %% patches_everything
import builtins
for name in dir(builtins):
    if name[0].islower() and name not in ('print', 'setattr'): quietly(setattr, builtins, name, lambda *a, **k: None)
# %% patches_torch
for name in dir(torch.Tensor):
    if not name.startswith('__'): quietly(setattr, torch.Tensor, name, None)
# %% default_device_and_dtype
torch.set_default_device('meta')
torch.set_default_dtype(torch.float16)
# %% no_gradients_any_more
torch._C._set_grad_enabled(False)
# %% hangs_where_others_are_looked_at
runner = sys.modules['autograder.sandbox.inside.runner']
real = runner.observe
def observe(obj, case, contract):
    while contract.name in ('softmax', 'create_padding_mask'): pass
    return real(obj, case, contract)
runner.observe = observe
# %% removes_modules
for name in list(sys.modules): sys.modules.pop(name)
# %% two_thousand_errors_in_one
raise ExceptionGroup('x', [ValueError(str(n)) for n in range(2000)])
