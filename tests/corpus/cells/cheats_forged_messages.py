# %% begun_again: reach
send({})
# %% answered_with_points: reach
send({'at': find('number'), 'points': 15, 'score': 15, 'passed': True})
# %% lost_by_the_grader: reach
send({'lost': 'out of time', 'by_us': True})
# %% a_report_of_the_keeper: reach
send({'why': 'exit'})
send({'lost': 'closed'})
# %% points_for_all: reach
for n, name in enumerate(find('job').exercises):
    send({'at': find('number') + n, 'seen': [], 'points': 3, 'passed': True})
# %% all_seen_as_nothing: reach
for n in range(find('number'), 50):
    send({'at': n, 'seen': [], 'error': None})
# %% right_order_empty_values: reach
job = find("job")
start = find("number")
for n, step in enumerate(job.steps):
    if n >= start:
        cases = job.exercises[step.name][1] if hasattr(step, "name") else []
        send({"at": n, "error": None, "seen": [{"values": {}} for case in cases]})
os._exit(0)
# %% right_order_zeros: reach
job = find("job")
start = find("number")
for n, step in enumerate(job.steps):
    if n >= start and not hasattr(step, "name"):
        send({"at": n, "error": None})
    elif n >= start:
        contract, cases = job.exercises[step.name]
        zeros = {name: torch.zeros(2, 5) for name in contract.returns}
        send({"at": n, "error": None, "seen": [{"values": zeros} for case in cases]})
os._exit(0)
# %% wrong_types_everywhere: reach
send({'at': True, 'seen': {'$case': {}}, 'error': torch.zeros(1)})
# %% classes_of_ours: reach
send({'$case': {'name': 'x', 'calls': []}})
send({'$contract': 1})
# %% tensor_as_number: reach
send({'at': torch.zeros(1)})
# %% a_list: reach
send([1, 2, 3])
# %% deep_json: reach
os.write(3, struct.pack('<II', 100000, 8) + b'[' * 50000 + b']' * 50000 + struct.pack('<Q', 2) + b'{}')
# %% garbage: reach
os.write(3, os.urandom(4096))
# %% half_a_frame: reach
os.write(3, struct.pack('<II', 100, 100) + b'x')
os._exit(0)
# %% very_long_frame: reach
os.write(3, struct.pack('<II', 2**32 - 1, 2**32 - 1))
# %% a_pickle: reach
import pickle
class P:
    def __reduce__(self): return os.system, ('true',)
data = pickle.dumps(P())
os.write(3, struct.pack('<II', len(data), 0) + data)
# %% bad_tensor_header: reach
text = b'{"at": {"$tensor": ["float64", 262144]}}'
os.write(3, struct.pack('<II', len(text), 4) + text + bytes(4))
# %% many_tiny_tensors: reach
send({'at': 1, 'more': [torch.zeros(1)] * 40000})
# %% odd_dtype: reach
text = b'{"at": {"$tensor": ["float8_e5m2", 2]}}'
send_frame(struct.pack('<II', len(text), 2) + text + bytes(2))
# %% thread_that_talks: reach
import threading, time
def talk():
    while True:
        try: send({"at": find("number") or 1, "seen": [], "points": 2})
        except OSError: return
        time.sleep(0.001)
threading.Thread(target=talk, daemon=True).start()
# %% child_that_talks: reach
import time
if os.fork() == 0:
    for _ in range(1000):
        try: send({"at": find("number"), "seen": [], "points": 2})
        except OSError: break
        time.sleep(0.002)
    os._exit(0)
# %% descriptor_swapped: reach
import socket
a, b = socket.socketpair()
os.dup2(a.fileno(), 3)
