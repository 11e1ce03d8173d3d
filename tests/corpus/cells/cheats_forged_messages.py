# %% done_at_once: reach
send({'done': True})
# %% done_with_points: reach
send({'done': True, 'points': 15, 'score': 15, 'passed': True})
# %% lost_by_the_grader: reach
send({'lost': 'out of time', 'by_us': True})
# %% a_report_of_the_keeper: reach
send({'why': 'exit'})
send({'lost': 'closed'})
# %% points_for_all: reach
for n, name in enumerate(find('job').exercises):
    send({'observed': name, 'seen': [], 'points': 3, 'passed': True})
# %% all_seen_as_nothing: reach
send({'ran': find('number'), 'error': None})
for n in range(50):
    send({'at': n})
    send({'observed': 'softmax', 'seen': []})
# %% right_order_empty_values: reach
job = find("job")
start = find("number")
send({"ran": start, "error": None})
for n, step in enumerate(job.steps):
    if n > start:
        send({"at": n})
        if not hasattr(step, "name"):
            send({"ran": n, "error": None})
        else:
            contract, cases = job.exercises[step.name]
            send({"observed": step.name, "seen": [{"values": {}} for case in cases]})
send({"done": True})
os._exit(0)
# %% right_order_zeros: reach
job = find("job")
start = find("number")
send({"ran": start, "error": None})
for n, step in enumerate(job.steps):
    if n > start:
        send({"at": n})
        if not hasattr(step, "name"):
            send({"ran": n, "error": None})
        else:
            contract, cases = job.exercises[step.name]
            zeros = {name: torch.zeros(2, 5) for name in contract.returns}
            send({"observed": step.name, "seen": [{"values": zeros} for case in cases]})
send({"done": True})
os._exit(0)
# %% wrong_types_everywhere: reach
send({'at': True, 'ran': [], 'observed': {}, 'seen': {'$case': {}}, 'error': torch.zeros(1)})
# %% classes_of_ours: reach
send({'$case': {'name': 'x', 'calls': []}})
send({'$contract': 1})
# %% tensor_as_number: reach
send({'at': torch.zeros(1)})
send({'ran': torch.zeros(1)})
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
        try: send({"observed": "softmax", "seen": [], "points": 2})
        except OSError: return
        time.sleep(0.001)
threading.Thread(target=talk, daemon=True).start()
# %% child_that_talks: reach
import time
if os.fork() == 0:
    for _ in range(1000):
        try: send({"observed": "softmax", "seen": [], "points": 2})
        except OSError: break
        time.sleep(0.002)
    os._exit(0)
# %% descriptor_swapped: reach
import socket
a, b = socket.socketpair()
os.dup2(a.fileno(), 3)
