"""An answer whose first call has torch import sympy, which takes longer than the limit; then all is whole."""

import sys
import torch
from course_utils.diagnose.visible import assess_visible
from course_utils.observe import limit

limit.SECONDS = 0.05

def first_use(x, dim=-1):
    if "sympy" not in sys.modules:
        from torch._subclasses.fake_tensor import FakeTensorMode
        import torch.fx.experimental.symbolic_shapes as _
        with FakeTensorMode():
            torch.ones(2) + 1
        assert "sympy" in sys.modules
    return (x - x.logsumexp(dim, keepdim=True)).exp()

for _ in range(2):
    result = assess_visible("softmax", first_use)
    assert result.passed or result.mistake == "no_end", result.message
limit.SECONDS = 10
result = assess_visible("softmax", first_use)
assert result.passed, result.message
print("whole")
