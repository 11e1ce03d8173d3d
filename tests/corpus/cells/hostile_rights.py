# %% becomes_root
leak([f for f in (os.setuid, os.seteuid, os.setgid) if quietly(lambda: f(0) is None)])
# %% new_user_namespace
leak(libc.unshare(0x10000000) == 0 or libc.unshare(0x20000) == 0)
# %% new_namespace_by_clone
pid = libc.syscall(56, ctypes.c_ulong(0x10000000 | 17), 0, 0, 0, 0)
if pid == 0: os._exit(0)
leak(pid > 0)
# %% mounts
leak([t for t in (b'tmpfs', b'proc', b'sysfs', b'devpts') if libc.mount(b'x', b'/sandbox/home', t, ctypes.c_ulong(0), None) == 0])
# %% unmounts
leak([p for p in (b'/proc', b'/sandbox/home', b'/dev/shm', b'/dev/null') if libc.umount2(p, 2) == 0])
# %% remounts_writable
leak(libc.mount(None, b'/', None, ctypes.c_ulong(32), None) == 0)
# %% chroot
leak(quietly(lambda: os.chroot('/sandbox') is None))
# %% device_nodes
leak([d for d in ((8, 0), (1, 1), (252, 0), (254, 0)) if quietly(lambda: os.mknod('d', 0o60666, os.makedev(*d)) is None)])
# %% raw_sockets
leak([f for f in (2, 10, 16, 17, 38, 40, 44) for k in (1, 2, 3) if quietly(lambda: socket.socket(f, k, 0))])
# %% vsock
leak(libc.socket(40, 1, 0) >= 0)
# %% traces
leak([p for p in (0, 1, 2, PID, os.getppid()) if libc.ptrace(16, p, 0, 0) == 0])
# %% reads_memory
leak([p for p in (2, 3, PID) if libc.process_vm_readv(p, None, 0, None, 0, 0) >= 0])
# %% kernel_keys
leak([libc.syscall(n, 0, 0, 0, 0, 0) for n in (248, 249, 250, 321, 298, 323, 425) if libc.syscall(n, 0, 0, 0, 0, 0) >= 0])
# %% kernel_log
leak(quietly(lambda: open('/dev/kmsg').read(10)) or libc.klogctl(3, ctypes.create_string_buffer(99), 99) > 0)
# %% sysctl
leak(quietly(lambda: open('/proc/sys/kernel/core_pattern', 'w').write('|/tmp/x')))
# %% cgroups
leak(os.path.exists('/sys/fs/cgroup') and os.listdir('/sys/fs/cgroup'))
# %% hostname
leak(libc.sethostname(b'LEAK', 4) == 0)
# %% clock
leak(quietly(lambda: time.clock_settime(0, 0) is None))
# %% priority
before = os.getpriority(0, 0), os.sched_getscheduler(0), os.sched_getaffinity(0)
os.setpriority(0, 0, -20)
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
os.sched_setaffinity(0, [0])
leak(before != (os.getpriority(0, 0), os.sched_getscheduler(0), os.sched_getaffinity(0)))
# %% higher_limits
import resource
leak([n for n in range(16) if quietly(lambda: resource.setrlimit(n, (-1, -1)) is None) and n in (0, 1, 4, 6, 7, 8, 9)])
# %% core_files
import resource
leak(resource.getrlimit(resource.RLIMIT_CORE)[1])
# %% setuid_programs
leak([p for p in ('/bin/su', '/usr/bin/sudo', '/usr/bin/mount', '/usr/bin/passwd', '/usr/bin/bwrap') if os.path.exists(p)])
# %% writable_places
leak([p for p in ('/', '/usr', '/usr/lib', '/sandbox', '/etc', '/dev', '/sys', '/proc', '/lib', sys.prefix, os.path.dirname(torch.__file__)) if os.access(p, os.W_OK) or quietly(lambda: open(p + '/x', 'w'))])
# %% code_for_the_next
leak([p for p in sys.path if p and quietly(lambda: open(os.path.join(p, 'sitecustomize.py'), 'w'))])
# %% opened_descriptors
leak([n for n in range(4, 256) if quietly(lambda: os.fstat(n))])
# %% descriptor_three_is_a_file
import stat
leak(not stat.S_ISSOCK(os.fstat(3).st_mode))
# %% peer_credentials
import struct
s = socket.socket(fileno=os.dup(3))
leak([p for p in struct.unpack('3i', s.getsockopt(1, 17, 12))[:1] if p not in (0,) and quietly(lambda: os.kill(p, 0) is None) and p != os.getpid()])
# %% passes_descriptors
import array
s = socket.socket(fileno=os.dup(3))
quietly(lambda: s.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0, 1, 2]))]))
# %% symlink_out
os.symlink('/', 'out')
leak(quietly(lambda: open('out' + SECRET).read()))
# %% hard_link_out
leak(quietly(lambda: os.link(torch.__file__, 'linked') is None))
