# %% kills_everything
os.kill(-1, signal.SIGKILL)
# %% kills_its_parent
quietly(os.kill, os.getppid(), signal.SIGKILL)
quietly(os.kill, 0, signal.SIGSTOP)
# %% kills_all_numbers
for p in range(2, 40000): quietly(os.kill, p, signal.SIGKILL)
# %% kills_itself
os.kill(os.getpid(), signal.SIGKILL)
os.abort()
# %% stops_itself
os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(60)
# %% forks_without_end
while True:
    try: os.fork()
    except OSError: pass
# %% forks_and_hides
for n in range(40):
    try:
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
    except OSError: break
# %% daemon
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
# %% daemon_that_outlives
libc.prctl(1, 0)
if os.fork() == 0:
    libc.prctl(1, 0); os.setsid(); os.dup2(os.open('/dev/null', 2), 3)
    while True: time.sleep(1)
# %% threads_without_end
def wait(): time.sleep(600)
while True:
    try: threading.Thread(target=wait, daemon=True).start()
    except RuntimeError: break
# %% stays_busy
while True: pass
# %% sleeps
time.sleep(600)
# %% sleeps_deaf
for s in range(1, 65): quietly(signal.signal, s, signal.SIG_IGN)
while True: time.sleep(600)
# %% busy_in_c
sum(range(10**12))
# %% segfault
ctypes.string_at(0)
# %% deep_recursion
sys.setrecursionlimit(10**9)
def f(): return f()
f()
# %% alarm_in_the_next_cell
signal.setitimer(signal.ITIMER_REAL, 0.05)
# %% dies_later
threading.Timer(0.3, os._exit, [0]).start()
# %% endless_repr
class E(Exception):
    def __str__(self): time.sleep(600)
raise E
# %% exception_that_raises
class E(Exception):
    def __str__(self): raise E
    __repr__ = __str__
raise E
# %% endless_on_deletion
class D:
    def __del__(self): time.sleep(600)
d = D()
del d
# %% interrupts
raise KeyboardInterrupt
# %% generator_exit
raise GeneratorExit
