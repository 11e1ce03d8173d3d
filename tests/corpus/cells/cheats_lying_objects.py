# %% tensor_that_equals_all: reach
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
# %% tensor_that_lies_about_itself: reach
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
# %% result_whose_class_lies
class Any:
    __class__ = __import__('torch').Tensor
    def __getattr__(self, name): return lambda *a, **k: self
def softmax(x, dim=-1):
    return Any()
# %% number_that_compares_true
class N(float):
    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda self, other: True
def softmax(x, dim=-1):
    return N(2)
# %% float8
import torch
def softmax(x, dim=-1):
    return (x * 0).to(torch.float8_e4m3fn)
# %% complex
import torch
def softmax(x, dim=-1):
    return torch.complex(x * 0, x * 0)
# %% quantized
import torch
def softmax(x, dim=-1):
    return torch.quantize_per_tensor(x.float() * 0, 0.1, 0, torch.quint8)
# %% sparse
import torch
def softmax(x, dim=-1):
    return (x * 0).to_sparse()
# %% meta
import torch
def softmax(x, dim=-1):
    return torch.empty(x.shape, device='meta')
# %% nested
import torch
def softmax(x, dim=-1):
    return torch.nested.nested_tensor([x.flatten()])
# %% huge_axis_of_nothing
import torch
def softmax(x, dim=-1):
    return torch.empty(0, 2**40)
# %% negative_strides_and_views
import torch
def softmax(x, dim=-1):
    return torch.zeros(1).expand(x.shape)
