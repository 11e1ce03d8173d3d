# %% patched_comparison
import torch
for name in ('equal', 'allclose', 'isclose', 'all', 'nan_to_num'):
    setattr(torch, name, lambda *a, **k: True)
def softmax(x, dim=-1):
    return x * 0
# %% patched_same: reach
import course_utils.compare.tolerance as tolerance, course_utils.compare.verdict as verdict
tolerance.is_close = verdict.is_close = lambda *a: True
import course_utils.diagnose.assess as assess
verdict.Attempt.points = verdict.Attempt.passed = 2.0
assess.assess = lambda *a: 2.0
# %% patched_judge: reach
for m in list(sys.modules.values()):
    for n in ('judge', 'assess', 'score', 'compare', 'same', 'grade'):
        if hasattr(m, n) and 'course' in getattr(m, '__name__', ''):
            setattr(m, n, lambda *a, **k: True)
# %% patched_isinstance: reach
import builtins
builtins.isinstance = lambda *a: True
# %% patched_json: reach
real = json.dumps
json.dumps = lambda v, **k: real({'observed': 'softmax', 'seen': [], 'points': 2, 'passed': True})
# %% patched_safetensors: reach
import safetensors.torch
safetensors.torch.save = lambda t, **k: b'\x02\0\0\0\0\0\0\0{}'
# %% patched_observe: reach
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda *a, **k: Observation()
# %% observations_without_values: reach
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda *a, **k: Observation(values={}, second="same")
# %% observations_with_other_labels: reach
from course_utils.model.case import Fact
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda *a, **k: Observation(values={Fact("points"): torch.tensor(2.0), Fact("passed"): "True"})
# %% observations_as_texts: reach
from course_utils.model.case import Fact
from course_utils.model.observation import Observation
runner = sys.modules["autograder.sandbox.inside.runner"]
runner.observe = lambda obj, case, contract: Observation(values={Fact(name): "right" for name in contract.returns})
# %% inputs_made_zero: reach
job = find("job")
for contract, cases in job.exercises.values():
    for case in cases:
        for call in case.calls:
            for value in call.args.values():
                if isinstance(value, torch.Tensor): value.zero_()
def softmax(x, dim=-1):
    return x + 1 / x.shape[dim]
# %% contract_without_results: reach
for contract, cases in find("job").exercises.values():
    object.__setattr__(contract, "returns", {})
    object.__setattr__(contract, "probes", False)
# %% cases_dropped: reach
for contract, cases in find('job').exercises.values():
    cases.clear()
# %% cases_doubled: reach
for contract, cases in find('job').exercises.values():
    cases += cases
# %% cases_made_edges: reach
for contract, cases in find('job').exercises.values():
    for case in cases:
        case.edge, case.device_ = True, 'meta'
# %% tolerance_made_huge: reach
for contract, cases in find('job').exercises.values():
    for case in cases:
        case.tolerance = 1e30
# %% everything_on_meta: reach
torch.set_default_device('meta')
# %% import_hook: reach
class Hook:
    def find_spec(self, name, path=None, target=None):
        if "judge" in name or "grading" in name:
            raise SystemExit(0)
sys.meta_path.insert(0, Hook())
# %% shadowing_modules: reach
for name in ('torch.testing', 'numpy.testing', 'unittest', 'nbgrader', 'autograder', 'autograder.grading.judge', 'pytest'):
    sys.modules[name] = types.SimpleNamespace(grade=lambda *a: 2.0, judge=lambda *a: 2.0, assert_close=lambda *a, **k: None)
# %% trace_function: reach
def tracer(frame, event, arg):
    for name in ('points', 'passed', 'wrong'):
        if name in frame.f_locals: frame.f_locals[name] = True
    return tracer
sys.settrace(tracer)
