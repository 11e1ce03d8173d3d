"""The system calls that student code may make: names and rules from which seccomp.py builds the filter.

A call that is in no list, or whose arguments fit no rule, fails with EPERM.
"""

ALL = 0xFFFFFFFF  # mask: the kernel reads only 32 bits of the arguments below, and so does the filter

ALLOWED = {
    "files and folders: what may be opened is decided by the mounts": """
        open openat openat2 creat close close_range read write readv writev pread64 pwrite64 preadv pwritev
        lseek stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 getdents getdents64
        getcwd chdir fchdir mkdir mkdirat rmdir rename renameat renameat2 link linkat unlink unlinkat
        symlink symlinkat readlink readlinkat chmod fchmod fchmodat umask truncate ftruncate fallocate
        copy_file_range utime utimes utimensat futimesat dup dup2 dup3 pipe pipe2
        getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr""",
    "waiting for descriptors": "poll ppoll select pselect6",
    "memory": "brk munmap mprotect mremap",
    "processes and threads: as many as their limit allows": """
        fork vfork exit exit_group wait4 waitid kill tkill tgkill getpid getppid gettid getpgrp getpgid
        setpgid getsid set_tid_address set_robust_list get_robust_list rseq arch_prctl futex sched_yield
        getcpu""",
    "what a process may know about itself and the machine": """
        getuid geteuid getgid getegid getgroups getresuid getresgid uname sysinfo times getrusage getrlimit
        getpriority sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_get_priority_max
        sched_get_priority_min sched_rr_get_interval""",
    "limits: they can only be lowered": "setrlimit prlimit64",
    "time and random numbers": """
        time gettimeofday clock_gettime clock_getres nanosleep clock_nanosleep getitimer setitimer alarm pause
        getrandom""",
    "signals": """
        rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack
        restart_syscall""",
    "sockets of the kinds below": "bind listen accept accept4 connect getsockname getpeername shutdown",
}
PRETENDED = {  # calls that report success but are not carried out
    "Linux divides processor time among sessions: a job stays in one, and so gets one share": "setsid",
    "a process of low priority is slow to give its memory back": """
        setpriority sched_setparam sched_setscheduler sched_setaffinity sched_setattr""",
    "a lock on a library's file can be seen by every other submission": "flock",
    "files that can be written are in memory; waiting for the disk would wait for others": """
        fsync fdatasync msync sync_file_range""",
}
MISSING = {  # fail with ENOSYS, as in a kernel without the call, so that the C library uses an older one
    "its arguments are in memory, which a filter cannot read; clone has them in registers": "clone3",
}
UNKNOWN_CALLS = range(451, 600)  # newer than this list: also MISSING (all architectures share these numbers)

UNIX, STREAM, SEQUENCED, KIND = 1, 1, 5, 0xF
NAMESPACES, PARENT = 0x7E020080, 0x8000  # CLONE_NEW*, CLONE_PARENT
SHARED, ANONYMOUS, OUT_OF_BAND = 1, 0x20, 1
WHERE = [  # (calls, conditions): allowed if the argument at each (index, mask) has the value
    # other socket families reach parts of the kernel with many known vulnerabilities; an unread datagram
    # outlives its sender and is charged to no process (type 3 is a datagram socket, too)
    ("socket socketpair", {(0, ALL): UNIX, (1, KIND): STREAM}),
    ("socket socketpair", {(0, ALL): UNIX, (1, KIND): SEQUENCED}),
    # no new namespaces, and no child process of the keeper
    ("clone", {(0, NAMESPACES | PARENT): 0}),
    # not SHARED and ANONYMOUS together: such memory outlives the process that it is charged to
    ("mmap", {(3, SHARED | ANONYMOUS): 0}),
    ("mmap", {(3, SHARED | ANONYMOUS): SHARED}),
    ("mmap", {(3, SHARED | ANONYMOUS): ANONYMOUS}),
    # no out-of-band data: a part of the kernel with many known vulnerabilities
    ("sendto recvfrom", {(3, OUT_OF_BAND): 0}),
    ("sendmsg recvmsg", {(2, OUT_OF_BAND): 0}),
]
ONE_OF = {  # (call, index of an argument): the values that are allowed
    # not: PR_SET_PDEATHSIG (the process could outlive the keeper), PR_SET_DUMPABLE (a core dump for the
    # machine's crash reporter), PR_SET_SECCOMP and PR_FUTEX_HASH (kernel memory that no limit counts),
    # PR_SET_THP_DISABLE (if a huge page is freed except for 4 kB, only these are counted),
    # PR_SET_MEMORY_MERGE (the time of a write reveals whether another process has the same page)
    ("prctl", 0): """
        PR_GET_DUMPABLE=3 PR_SET_NAME=15 PR_GET_NAME=16 PR_GET_NO_NEW_PRIVS=39""",
    # not: MADV_COLLAPSE and MADV_MERGEABLE (see prctl), MADV_WILLNEED (a covert channel by the page cache)
    ("madvise", 2): """
        MADV_NORMAL=0 MADV_RANDOM=1 MADV_SEQUENTIAL=2 MADV_DONTNEED=4 MADV_FREE=8 MADV_DONTFORK=10
        MADV_DOFORK=11 MADV_HUGEPAGE=14 MADV_NOHUGEPAGE=15 MADV_DONTDUMP=16 MADV_DODUMP=17 MADV_WIPEONFORK=18
        MADV_KEEPONFORK=19 MADV_GUARD_INSTALL=102 MADV_GUARD_REMOVE=103""",
    # not: buffer sizes and packet filters (kernel memory that no limit counts)
    ("setsockopt", 2): "SO_REUSEADDR=2",
    # not: SO_PEERPIDFD (a handle on the grader's own process)
    ("getsockopt", 2): """
        SO_REUSEADDR=2 SO_TYPE=3 SO_ERROR=4 SO_SNDBUF=7 SO_RCVBUF=8 SO_PEERCRED=17 SO_ACCEPTCONN=30
        SO_PROTOCOL=38 SO_DOMAIN=39""",
    # not: leases (the next reader of a library would wait), notifications and larger pipes (limited for each
    # user), hints on a file's lifetime (stored with a library, where every submission could read them)
    ("fcntl", 1): """
        F_DUPFD=0 F_GETFD=1 F_SETFD=2 F_GETFL=3 F_SETFL=4 F_GETLK=5 F_OFD_GETLK=36 F_DUPFD_CLOEXEC=1030
        F_GETPIPE_SZ=1032""",
    # what Python and the C library request of terminals, descriptors and files; nothing driver-specific
    ("ioctl", 1): """
        TCGETS=0x5401 TCGETS2=0x802C542A TIOCGWINSZ=0x5413 FIONREAD=0x541B FIONBIO=0x5421 FIONCLEX=0x5450
        FIOCLEX=0x5451 FICLONE=0x40049409""",
}
PRETENDED_VALUES = {("fcntl", 1): "F_SETLK=6 F_SETLKW=7 F_OFD_SETLK=37 F_OFD_SETLKW=38"}  # see flock
