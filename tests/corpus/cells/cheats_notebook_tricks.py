# %% own_check: reach
def check(*a):
    return types.SimpleNamespace(points=2.0)
grade = check
# %% display_hook: reach
sys.displayhook = lambda value: print(2.0)
2.0
# %% shell_events: reach
ip = get_ipython()
ip.events.register('post_run_cell', lambda *a: print(2.0))
ip.events.register('pre_run_cell', lambda *a: None)
# %% shell_replaced: reach
ip = get_ipython()
ip.run_cell = lambda *a, **k: types.SimpleNamespace(error_before_exec=None, error_in_exec=None, result=2.0)
# %% source_transformers: reach
get_ipython().input_transformers_cleanup.append(lambda lines: ['2.0'])
# %% tree_transformers: reach
import ast
class Pass(ast.NodeTransformer):
    def visit_Raise(self, node): return ast.Pass()
get_ipython().ast_transformers.append(Pass())
# %% exit_quietly: reach
sys.exit(0)
# %% exit_at_once: reach
os._exit(0)
# %% kernel_exit: reach
get_ipython().ask_exit()
exit
# %% atexit_marks: reach
import atexit
atexit.register(lambda: send({'done': True, 'points': 15}))
# %% claims_in_an_output
def softmax(x, dim=-1):
    print('2.0')
    return x * 0
print('All 7 cases are right. 2 of 2 points')
2.0
