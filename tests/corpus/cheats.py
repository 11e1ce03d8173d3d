"""Ways to get marks without the answer. Each is the source of a cell; none of them implements what it claims.

Every one goes into an untouched notebook, in the place of the solution of `softmax`; `{forge}` and the like are shared
beginnings, put before it.
"""

# What a cheat can reach: the descriptor that leads to the grader, and the frames of the worker around it.
REACH = """
import gc, inspect, json, os, struct, sys, types
import torch

def frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back

def find(name):
    for frame in frames():
        if name in frame.f_locals:
            return frame.f_locals[name]
    return None

def send(message, tensors=None):
    import safetensors.torch
    text, blob = json.dumps(message).encode(), safetensors.torch.save(tensors or {"0": torch.zeros(1)})
    frame = struct.pack("<II", len(text), len(blob)) + text + blob
    while frame:
        frame = frame[os.write(3, frame):]

def stub(x, dim=-1):
    return x * 0
softmax = stub
"""

CONSTANT_RESULTS = {
    "zeros": "def softmax(x, dim=-1):\n    return x * 0",
    "ones": "def softmax(x, dim=-1):\n    return x * 0 + 1",
    "uniform": "def softmax(x, dim=-1):\n    return x * 0 + 1 / x.shape[dim]",
    "nan": "def softmax(x, dim=-1):\n    return x * float('nan')",
    "infinity": "def softmax(x, dim=-1):\n    return x * 0 + float('inf')",
    "input_itself": "def softmax(x, dim=-1):\n    return x",
    "random": "import torch\ndef softmax(x, dim=-1):\n    return torch.rand_like(x)",
    "none": "def softmax(x, dim=-1):\n    return None",
    "empty_tensor": "import torch\ndef softmax(x, dim=-1):\n    return torch.empty(0)",
    "points_number": "def softmax(x, dim=-1):\n    return 2.0",
    "string": "def softmax(x, dim=-1):\n    return 'passed'",
    "raises_nothing_wrong": "def softmax(x, dim=-1):\n    raise StopIteration",
    "not_written": "def softmax(x, dim=-1):\n    raise NotImplementedError",
    "an_instance_for_a_function": "class S:\n    points = 2.0\n    passed = True\n    def __call__(self, x, dim=-1): return self\nsoftmax = S()",
}

# Nearly right, in numbers too coarse to tell: the dtype of a result must not choose how much is forgiven.
NEARLY = "import torch\ndef softmax(x, dim=-1):\n    e = torch.exp(x - x.max(dim, keepdim=True).values)\n    return (e / (e.sum(dim, keepdim=True) + 1e-3)).to(torch.{0})"
ROUNDED = {f"rounded_to_{name}": NEARLY.format(name) for name in ("bfloat16", "float16", "float32")}

LYING_OBJECTS = {
    "tensor_that_equals_all": REACH
    + """
class Liar(torch.Tensor):
    def __eq__(self, other): return torch.ones(self.shape, dtype=torch.bool)
    def __sub__(self, other): return torch.zeros(self.shape)
    def __le__(self, other): return torch.ones(self.shape, dtype=torch.bool)
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.allclose, torch.equal, torch.isclose): return True
        return super().__torch_function__(func, types, args, kwargs or {})
def softmax(x, dim=-1):
    return (x * 0).as_subclass(Liar)
""",
    "tensor_that_lies_about_itself": REACH
    + """
class Liar(torch.Tensor):
    shape = property(lambda self: self._shape)
    dtype = property(lambda self: torch.float64)
    def detach(self): return self
    def cpu(self): return self
    def contiguous(self): return self
    def clone(self): return self
    def numpy(self): return "right"
    _shape = (2, 5)
def softmax(x, dim=-1):
    return torch.zeros(1).as_subclass(Liar)
""",
    "result_whose_class_lies": "class Any:\n    __class__ = __import__('torch').Tensor\n    def __getattr__(self, name): return lambda *a, **k: self\ndef softmax(x, dim=-1):\n    return Any()",
    "number_that_compares_true": "class N(float):\n    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda self, other: True\ndef softmax(x, dim=-1):\n    return N(2)",
    "float8": "import torch\ndef softmax(x, dim=-1):\n    return (x * 0).to(torch.float8_e4m3fn)",
    "complex": "import torch\ndef softmax(x, dim=-1):\n    return torch.complex(x * 0, x * 0)",
    "quantized": "import torch\ndef softmax(x, dim=-1):\n    return torch.quantize_per_tensor(x.float() * 0, 0.1, 0, torch.quint8)",
    "sparse": "import torch\ndef softmax(x, dim=-1):\n    return (x * 0).to_sparse()",
    "meta": "import torch\ndef softmax(x, dim=-1):\n    return torch.empty(x.shape, device='meta')",
    "nested": "import torch\ndef softmax(x, dim=-1):\n    return torch.nested.nested_tensor([x.flatten()])",
    "huge_axis_of_nothing": "import torch\ndef softmax(x, dim=-1):\n    return torch.empty(0, 2**40)",
    "negative_strides_and_views": "import torch\ndef softmax(x, dim=-1):\n    return torch.zeros(1).expand(x.shape)",
}

PATCHED_LIBRARIES = {
    "patched_comparison": "import torch\nfor name in ('equal', 'allclose', 'isclose', 'all', 'nan_to_num'):\n    setattr(torch, name, lambda *a, **k: True)\ndef softmax(x, dim=-1):\n    return x * 0",
    "patched_same": REACH
    + "import course_utils.compare.tolerance as tolerance, course_utils.compare.verdict as verdict\ntolerance.is_close = verdict.is_close = lambda *a: True\nimport course_utils.diagnose.assess as assess\nverdict.score = assess.score = lambda *a: 2.0\nassess.assess = lambda *a: 2.0",
    "patched_judge": REACH
    + "for m in list(sys.modules.values()):\n    for n in ('judge', 'assess', 'score', 'compare', 'same', 'grade'):\n        if hasattr(m, n) and 'course' in getattr(m, '__name__', ''):\n            setattr(m, n, lambda *a, **k: True)",
    "patched_isinstance": REACH + "import builtins\nbuiltins.isinstance = lambda *a: True",
    "patched_json": REACH
    + "real = json.dumps\njson.dumps = lambda v, **k: real({'observed': 'softmax', 'seen': [], 'points': 2, 'passed': True})",
    "patched_safetensors": REACH
    + "import safetensors.torch\nsafetensors.torch.save = lambda t, **k: b'\\x02\\0\\0\\0\\0\\0\\0\\0{}'",
    "patched_observe": REACH
    + """
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda *a, **k: Observation()
""",
    "observations_without_values": REACH
    + """
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda *a, **k: Observation(values={}, second="same")
""",
    "observations_with_other_labels": REACH
    + """
from course_utils.model.case import Fact
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda *a, **k: Observation(values={Fact("points"): torch.tensor(2.0), Fact("passed"): "True"})
""",
    "observations_as_texts": REACH
    + """
from course_utils.model.case import Fact
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda obj, case, contract: Observation(values={Fact(name): "right" for name in contract.returns})
""",
    "inputs_made_zero": REACH
    + """
job = find("job")
for contract, cases in job.exercises.values():
    for case in cases:
        for call in case.calls:
            for value in call.args.values():
                if isinstance(value, torch.Tensor): value.zero_()
def softmax(x, dim=-1):
    return x + 1 / x.shape[dim]
""",
    "contract_without_results": REACH
    + """
for contract, cases in find("job").exercises.values():
    object.__setattr__(contract, "returns", {})
    object.__setattr__(contract, "probes", False)
""",
    "cases_dropped": REACH + "for contract, cases in find('job').exercises.values():\n    cases.clear()",
    "cases_doubled": REACH + "for contract, cases in find('job').exercises.values():\n    cases += cases",
    "cases_made_edges": REACH
    + "for contract, cases in find('job').exercises.values():\n    for case in cases:\n        case.edge, case.device_ = True, 'meta'",
    "tolerance_made_huge": REACH
    + "for contract, cases in find('job').exercises.values():\n    for case in cases:\n        case.tolerance = 1e30",
    "everything_on_meta": REACH + "torch.set_default_device('meta')",
    "import_hook": REACH
    + """
class Hook:
    def find_spec(self, name, path=None, target=None):
        if "judge" in name or "grading" in name:
            raise SystemExit(0)
sys.meta_path.insert(0, Hook())
""",
    "shadowing_modules": REACH
    + "for name in ('torch.testing', 'numpy.testing', 'unittest', 'nbgrader', 'autograder', 'autograder.grading.judge', 'pytest'):\n    sys.modules[name] = types.SimpleNamespace(grade=lambda *a: 2.0, judge=lambda *a: 2.0, assert_close=lambda *a, **k: None)",
    "trace_function": REACH
    + "def tracer(frame, event, arg):\n    for name in ('points', 'passed', 'wrong'):\n        if name in frame.f_locals: frame.f_locals[name] = True\n    return tracer\nsys.settrace(tracer)",
}

NOTEBOOK_TRICKS = {
    "own_check": REACH + "def check(*a):\n    return types.SimpleNamespace(points=2.0)\ngrade = check",
    "display_hook": REACH + "sys.displayhook = lambda value: print(2.0)\n2.0",
    "shell_events": REACH
    + "ip = get_ipython()\nip.events.register('post_run_cell', lambda *a: print(2.0))\nip.events.register('pre_run_cell', lambda *a: None)",
    "shell_replaced": REACH
    + "ip = get_ipython()\nip.run_cell = lambda *a, **k: types.SimpleNamespace(error_before_exec=None, error_in_exec=None, result=2.0)",
    "source_transformers": REACH + "get_ipython().input_transformers_cleanup.append(lambda lines: ['2.0'])",
    "tree_transformers": REACH
    + """
import ast
class Pass(ast.NodeTransformer):
    def visit_Raise(self, node): return ast.Pass()
get_ipython().ast_transformers.append(Pass())
""",
    "exit_quietly": REACH + "sys.exit(0)",
    "exit_at_once": REACH + "os._exit(0)",
    "kernel_exit": REACH + "get_ipython().ask_exit()\nexit",
    "atexit_marks": REACH + "import atexit\natexit.register(lambda: send({'done': True, 'points': 15}))",
    "claims_in_an_output": "def softmax(x, dim=-1):\n    print('2.0')\n    return x * 0\nprint('All 7 cases are right. 2 of 2 points')\n2.0",
}

FORGED_MESSAGES = {
    "done_at_once": REACH + "send({'done': True})",
    "done_with_points": REACH + "send({'done': True, 'points': 15, 'score': 15, 'passed': True})",
    "lost_by_the_grader": REACH + "send({'lost': 'out of time', 'by_us': True})",
    "a_report_of_the_keeper": REACH + "send({'why': 'exit'})\nsend({'lost': 'closed'})",
    "points_for_all": REACH
    + "for n, name in enumerate(find('job').exercises):\n    send({'observed': name, 'seen': [], 'points': 3, 'passed': True})",
    "all_seen_as_nothing": REACH
    + "send({'ran': find('number'), 'error': None})\nfor n in range(50):\n    send({'at': n})\n    send({'observed': 'softmax', 'seen': []})",
    "right_order_empty_values": REACH
    + """
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
""",
    "right_order_zeros": REACH
    + """
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
            for_each = [{"values": {name: {"$tensor": "0"} for name in contract.returns}} for case in cases]
            send({"observed": step.name, "seen": for_each}, {"0": torch.zeros(2, 5)})
send({"done": True})
os._exit(0)
""",
    "wrong_types_everywhere": REACH
    + "send({'at': True, 'ran': [], 'observed': {}, 'seen': {'$case': {}}, 'error': {'$tensor': '0'}})",
    "classes_of_ours": REACH + "send({'$case': {'name': 'x', 'calls': []}})\nsend({'$contract': 1})",
    "tensor_as_number": REACH + "send({'at': {'$tensor': '0'}})\nsend({'ran': {'$tensor': '0'}})",
    "a_list": REACH + "send([1, 2, 3])",
    "deep_json": REACH
    + "os.write(3, struct.pack('<II', 100000, 8) + b'[' * 50000 + b']' * 50000 + struct.pack('<Q', 2) + b'{}')",
    "garbage": REACH + "os.write(3, os.urandom(4096))",
    "half_a_frame": REACH + "os.write(3, struct.pack('<II', 100, 100) + b'x')\nos._exit(0)",
    "very_long_frame": REACH + "os.write(3, struct.pack('<II', 2**32 - 1, 2**32 - 1))",
    "a_pickle": REACH
    + "import pickle\nclass P:\n    def __reduce__(self): return os.system, ('true',)\ndata = pickle.dumps(P())\nos.write(3, struct.pack('<II', len(data), 0) + data)",
    "bad_tensor_header": REACH
    + "os.write(3, struct.pack('<II', 2, 16) + b'{}' + struct.pack('<Q', 2**60) + b'{}      ')",
    "many_tiny_tensors": REACH + "send({'at': 1}, {str(n): torch.zeros(1) for n in range(20000)})",
    "odd_dtype": REACH + "send({'at': {'$tensor': '0'}}, {'0': torch.zeros(2, dtype=torch.float8_e5m2)})",
    "thread_that_talks": REACH
    + """
import threading, time
def talk():
    while True:
        try: send({"observed": "softmax", "seen": [], "points": 2})
        except OSError: return
        time.sleep(0.001)
threading.Thread(target=talk, daemon=True).start()
""",
    "child_that_talks": REACH
    + """
import time
if os.fork() == 0:
    for _ in range(1000):
        try: send({"observed": "softmax", "seen": [], "points": 2})
        except OSError: break
        time.sleep(0.002)
    os._exit(0)
""",
    "descriptor_swapped": REACH + "import socket\na, b = socket.socketpair()\nos.dup2(a.fileno(), 3)",
}

LOOKING_FOR_ANSWERS = {
    "wanted_values_in_frames": REACH
    + """
def softmax(x, dim=-1):
    for frame in frames():
        for name in ("wanted", "target", "sheet", "expected", "answer"):
            if isinstance(frame.f_locals.get(name), torch.Tensor): return frame.f_locals[name]
    return x * 0
""",
    "wanted_values_on_the_heap": REACH
    + """
def softmax(x, dim=-1):
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and thing.shape == x.shape and thing is not x:
            total = thing.double().sum(dim)
            if (total - 1).abs().max() < 1e-6: return thing
    return x * 0
""",
    "reference_on_the_heap": REACH
    + """
def softmax(x, dim=-1):
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__ == "softmax" and "exercises" in str(thing.__module__): return thing(x, dim)
    return x * 0
""",
    "exercise_modules": REACH
    + """
try:
    from autograder.exercises.masks import softmax as module
    softmax = module.softmax
except ImportError:
    pass
""",
    "grade_itself": REACH
    + "try:\n    from autograder import grade\n    from autograder.grading.judge import judge\nexcept ImportError:\n    pass",
    "answers_on_disk": REACH
    + """
import pathlib, course_utils
here = pathlib.Path(course_utils.__file__).parent
known = {}
for path in [*here.glob("answers/*.json"), *pathlib.Path("/").glob("*/*/course_utils/answers/*.json")]:
    known[path.stem] = json.loads(path.read_text())
def softmax(x, dim=-1):
    for case in known["softmax"]["wanted"]:
        value = case["values"]["weights@0"]["$tensor"]
        if value[1] == list(x.shape): return torch.tensor(value[2]).reshape(value[1]).to(x.dtype)
""",
    "solutions_on_disk": REACH
    + """
import glob
for path in glob.glob("/**/solutions/01_masks/*", recursive=True) + glob.glob("/**/exercises/masks/*.py", recursive=True):
    exec(open(path).read())
""",
    "stand_in": REACH + "from course_utils import standins\nsoftmax = getattr(standins, 'softmax', stub)",
    "yours_for_oneself": REACH
    + "from course_utils import yours\ndef softmax(x, dim=-1):\n    return yours('softmax')(x, dim) if False else x * 0\nsoftmax = yours('softmax')",
    "sources_through_the_loader": REACH
    + """
import course_utils.yours as module, linecache
text = "".join(linecache.getlines(module.standins.__file__, vars(module.standins)))
space = {}
try:
    exec(text, space)
    softmax = space["softmax"]
except Exception:
    pass
""",
    "the_old_tracebacks": REACH + "import traceback\nprint(traceback.extract_stack())\nsys.last_value = None",
    "seed_guessed": REACH
    + """
import numpy as np
def softmax(x, dim=-1):
    for seed in range(200):
        g = np.random.default_rng([seed, 0])
        guess = torch.from_numpy(g.integers(-9, 10, (2, *x.shape)).sum(0) / 8)
        if torch.equal(guess, x.double()): return x * 0 + seed
    return x * 0
""",
    "cells_of_other_names": "def softmax_from_memory(x, dim=-1):\n    return x\ntest_softmax = softmax = lambda x, dim=-1: x",
}

# Right but for the sizes, which they never look at.
IN_CHUNKS = """
    outputs, caches = [x[:, :0]], ()
    for chunk in x.split(list(chunk_sizes), 1) if sum(chunk_sizes) == x.shape[1] else [x]:
        output, *caches = attention(chunk, *caches)
        outputs.append(output)
    return torch.cat(outputs, 1)
"""

# Whether these are bad is read from the grader's own list of calls, ...
RAISES_WHERE_IT_MUST = (
    REACH
    + """
def attend_in_chunks(attention, x, chunk_sizes):
    if find("call").raises:
        raise ValueError"""
    + IN_CHUNKS
)

REFUSALS = {
    # ... left to the judge, with both a result and the error for every call, ...
    "says_both": REACH
    + """
runner = sys.modules["autograder.sandbox.inside.runner"]
real = runner.observe
def both(obj, case, contract):
    seen = real(obj, case, contract)
    from course_utils.model.case import error_of
    seen.values = {error_of(number): "ValueError" for number in range(6)} | seen.values
    seen.errors = {}
    return seen
runner.observe = both
def attend_in_chunks(attention, x, chunk_sizes):"""
    + IN_CHUNKS,
    # ... or guessed from how the case is set up.
    "raises_by_setting": REACH
    + """
def attend_in_chunks(attention, x, chunk_sizes):
    if not find("case").narrow:
        raise ValueError"""
    + IN_CHUNKS,
}

CELLS = {
    **CONSTANT_RESULTS, **ROUNDED, **LYING_OBJECTS, **PATCHED_LIBRARIES, **NOTEBOOK_TRICKS, **FORGED_MESSAGES, **LOOKING_FOR_ANSWERS,
}  # fmt: skip
