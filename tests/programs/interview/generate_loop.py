"""Programs for the interview topic generate_loop. tests/course_utils/interview/test_programs.py explains the format."""

# %% greedy, part 1: right
# taken
import torch

def greedy(model, prompt, n_new):
    out = prompt.clone()
    while out.shape[1] < prompt.shape[1] + n_new:
        nxt = model(out)[:, -1].argmax(dim=-1)
        out = torch.hstack([out, nxt[:, None]])
    return out

# %% recursion, part 1: right
# taken
def go_on(model, prompt, n_new):
    import torch
    if n_new == 0:
        return prompt
    step = model(prompt)[:, -1, :].argmax(-1, keepdim=True)
    return go_on(model, torch.cat([prompt, step], 1), n_new - 1)

# %% eos_optional, part 1: right
# taken
import torch

@torch.no_grad()
def generate(model, prompt, n_new=20, end=None, do_sample=False):
    finished = torch.zeros(len(prompt), dtype=torch.bool)
    for _ in range(n_new):
        nxt = model(prompt)[:, -1].argmax(-1)
        prompt = torch.cat([prompt, nxt.unsqueeze(1)], dim=1)
        if end is not None:
            finished |= nxt == end
            if finished.all():
                break
    return prompt

interview.check(lambda model, prompt, n_new: generate(model, prompt, n_new, end=None, do_sample=False))

# %% temperature_zero_is_greedy, part 1: right
# taken
import torch

def generate(model, prompt, n_new, temperature=0.0, top_p=None, generator=None):
    for _ in range(n_new):
        logits = model(prompt)[:, -1]
        if temperature == 0:
            new = logits.argmax(-1, keepdim=True)
        else:
            p = torch.softmax(logits / temperature, -1)
            if top_p is not None:
                ranked, order = p.sort(-1, descending=True)
                ranked[ranked.cumsum(-1) - ranked > top_p] = 0
                p = torch.zeros_like(p).scatter(-1, order, ranked)
            new = torch.multinomial(p, 1, generator=generator)
        prompt = torch.cat([prompt, new], -1)
    return prompt

interview.check(lambda model, prompt, n_new: generate(model, prompt, n_new, temperature=0.0, top_p=None, generator=None))

# %% strategy, part 1: right
# taken
import torch

def gen(model, prompt, n_new, strategy="greedy", k=5, temperature=1.0):
    for _ in range(n_new):
        z = model(prompt)[:, -1] / temperature
        if strategy == "greedy":
            new = z.argmax(-1, keepdim=True)
        elif strategy == "top_k":
            v, i = z.topk(k)
            new = i.gather(-1, torch.multinomial(v.softmax(-1), 1))
        else:
            new = torch.multinomial(z.softmax(-1), 1)
        prompt = torch.cat([prompt, new], 1)
    return prompt

interview.check(lambda model, prompt, n_new: gen(model, prompt, n_new, strategy='greedy', k=5, temperature=1.0))

# %% generate_loop_01_a, part 1: minGPT-like: crops context, temperature, top-k, argmax when do_sample False; batch with end token fills the rest with eos
# taken
import torch
import torch.nn.functional as F

@torch.no_grad()
def generate(model, prompt, n_new, temperature=1.0, do_sample=False, top_k=None, end=None, block_size=1024):
    done = torch.zeros(prompt.size(0), 1, dtype=torch.bool, device=prompt.device)
    for _ in range(n_new):
        ctx = prompt[:, -block_size:]
        logits = model(ctx)[:, -1, :] / temperature
        if top_k is not None:
            kth = torch.topk(logits, min(top_k, logits.size(-1))).values[:, -1:]
            logits = logits.masked_fill(logits < kth, float("-inf"))
        if do_sample:
            nxt = torch.multinomial(F.softmax(logits, dim=-1), 1)
        else:
            nxt = logits.argmax(dim=-1, keepdim=True)
        if end is not None:
            nxt = torch.where(done, torch.full_like(nxt, end), nxt)
            done = done | (nxt == end)
        prompt = torch.cat((prompt, nxt), dim=1)
        if end is not None and done.all():
            break
    return prompt

interview.check(lambda model, prompt, n_new: generate(model, prompt, n_new, temperature=1.0, do_sample=False, top_k=None, end=None, block_size=1024))

# %% generate_loop_01_c, part 1: right
# taken
import torch
import torch.nn.functional as F

@torch.no_grad()
def generate(model, prompt, n_new, temperature=0.0, top_k=None, seed=None, block_size=None):
    """idx: LongTensor (B, T). temperature 0 is greedy. Returns (B, T + max_new_tokens)."""
    gen = None
    if seed is not None:
        gen = torch.Generator(device=prompt.device)
        gen.manual_seed(seed)
    for _ in range(n_new):
        idx_cond = prompt if block_size is None or prompt.size(1) <= block_size else prompt[:, -block_size:]
        out = model(idx_cond)
        logits = out[0] if isinstance(out, tuple) else out
        logits = logits[:, -1, :]
        if temperature == 0:
            idx_next = logits.argmax(dim=-1, keepdim=True)
        else:
            logits = logits / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits = logits.masked_fill(logits < v[:, [-1]], float("-inf"))
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1, generator=gen)
        prompt = torch.cat((prompt, idx_next), dim=1)
    return prompt

interview.check(lambda model, prompt, n_new: generate(model, prompt, n_new, temperature=0.0, top_k=None, seed=None, block_size=None))

# %% one_more, part 1: one too many
# refused: one_too_many
import torch

def f(model, prompt, n_new):
    for _ in range(n_new + 1):
        prompt = torch.cat([prompt, model(prompt)[:, -1].argmax(-1, keepdim=True)], 1)
    return prompt

# %% total_length, part 1: prompt counted
# refused: prompt_counted
import torch

def f(model, prompt, n_new):
    while prompt.shape[1] < n_new:
        prompt = torch.cat([prompt, model(prompt)[:, -1].argmax(-1, keepdim=True)], 1)
    return prompt

# %% not_grown, part 1: axis cut
# refused: axis_cut
import torch

def f(model, prompt, n_new):
    for _ in range(n_new):
        torch.cat([prompt, model(prompt)[:, -1].argmax(-1, keepdim=True)], 1)
    return prompt

# %% nanogpt, part 1: right, with the loss ignored
# taken
import torch

@torch.no_grad()
def generate(model, idx, max_new_tokens):
    for _ in range(max_new_tokens):
        logits, _ = model(idx)
        idx_next = logits[:, -1, :].argmax(dim=-1, keepdim=True)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx

# %% one_call_more, part 3: the model reads the last token too, which is only work
# taken
import torch

def generate(model, prompt, n_new):
    logits, cache = model(prompt, None)
    out = [prompt]
    for _ in range(n_new):
        nxt = logits[:, -1].argmax(-1)[:, None]
        out.append(nxt)
        logits, cache = model(nxt, cache)
    return torch.cat(out, 1)

# %% read_again, part 3: the whole text is read at every step
# refused: everything_read_again
import torch

def generate(model, prompt, n_new):
    tokens = prompt
    for _ in range(n_new):
        logits, _ = model(tokens, None)
        tokens = torch.cat([tokens, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return tokens

# %% until_the_end, part 4: right
# taken
import torch

def generate(model, prompt, n_new, end):
    out, x, cache = prompt, prompt, None
    done = torch.zeros(prompt.shape[0], dtype=torch.bool)
    for _ in range(n_new):
        logits, cache = model(x, cache)
        nxt = torch.where(done, torch.full_like(done, end, dtype=torch.long), logits[:, -1].argmax(-1))
        out = torch.cat([out, nxt[:, None]], 1)
        done |= nxt == end
        if done.all():
            return out
        x = nxt[:, None]
    return out

# %% stops_for_all, part 4: the first row that ends stops all
# refused: one_end_for_all
import torch

def generate(model, prompt, n_new, end):
    out, x, cache = prompt, prompt, None
    for _ in range(n_new):
        logits, cache = model(x, cache)
        x = logits[:, -1].argmax(-1, keepdim=True)
        out = torch.cat([out, x], 1)
        if (x == end).any():
            break
    return out

# %% generate_loop_05_b, part 3: one loop for the prompt and each newest token
# taken
import torch

@torch.no_grad()
def generate_cached(model, prompt, n_new):
    """
    model(x, cache) -> (logits, cache): x holds only tokens the cache has not seen.
    prompt: (B, T).  Greedy.  Returns (B, T + steps).
    """
    tokens = prompt
    cache = None
    x = prompt                                        # prefill with the whole prompt
    for _ in range(n_new):
        logits, cache = model(x, cache)
        x = logits[:, -1].argmax(dim=-1, keepdim=True)   # (B, 1), the only new input next time
        tokens = torch.cat([tokens, x], dim=1)
    return tokens
