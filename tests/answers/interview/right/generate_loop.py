"""Right answers to the topic generate_loop."""
# %% nanogpt
import torch

@torch.no_grad()
def generate(model, idx, max_new_tokens, temperature=1.0, top_k=None):
    for _ in range(max_new_tokens):
        logits, _ = model(idx)
        logits = logits[:, -1, :] / temperature
        probs = torch.nn.functional.softmax(logits, dim=-1)
        idx = torch.cat((idx, torch.multinomial(probs, num_samples=1)), dim=1)
    return idx

# %% greedy
import torch

def greedy(net, prompt, steps):
    out = prompt.clone()
    while out.shape[1] < prompt.shape[1] + steps:
        nxt = net(out)[:, -1].argmax(dim=-1)
        out = torch.hstack([out, nxt[:, None]])
    return out

# %% list_of_ids
import torch

def decode(model, tokens, n):
    tokens = list(tokens)
    for _ in range(n):
        with torch.no_grad():
            logits = model(torch.tensor(tokens).unsqueeze(0))
        tokens.append(logits[0, -1].argmax().item())
    return tokens

# %% huggingface
import torch

def generate_text(model, input_ids, max_length_extra):
    model.eval()
    past, cur = None, input_ids
    for _ in range(max_length_extra):
        out = model(cur, past_key_values=past, use_cache=True)
        past = out.past_key_values
        cur = out.logits[:, -1:].argmax(-1)
        input_ids = torch.cat([input_ids, cur], dim=-1)
    return input_ids

# %% recursion
def go_on(model, ids, k):
    import torch
    if k == 0:
        return ids
    step = model(ids)[:, -1, :].argmax(-1, keepdim=True)
    return go_on(model, torch.cat([ids, step], 1), k - 1)

# %% cropped: to the context size
import torch

def generate_simple(model, idx, max_new_tokens, context_size):
    for _ in range(max_new_tokens):
        cond = idx[:, -context_size:]
        with torch.no_grad():
            logits = model(cond)
        idx_next = torch.argmax(torch.softmax(logits[:, -1, :], dim=-1), dim=-1, keepdim=True)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx

# %% numpy_lists: the model takes and gives lists
def loop(lm, prompt, n_new):
    seq = [int(t) for t in prompt]
    for _ in range(n_new):
        last = lm(seq)[-1]
        best = max(range(len(last)), key=lambda i: last[i])
        seq.append(best)
    return seq

# %% class_with_cache
import torch

class Generator:
    def __init__(self, temperature=1.0):
        self.temperature = temperature

    def generate(self, model, x, num_tokens):
        b, t = x.shape
        buffer = torch.zeros(b, t + num_tokens, dtype=torch.long)
        buffer[:, :t] = x
        cache, cur = None, x
        for i in range(num_tokens):
            logits, cache = model(cur, cache)
            cur = logits[:, -1:].argmax(-1)
            buffer[:, t + i] = cur[:, 0]
        return buffer

# %% made_of_a_model
import torch

class Sampler:
    def __init__(self, model, temperature=1.0):
        self.model, self.temperature = model, temperature

    @torch.no_grad()
    def generate(self, tokens, max_new_tokens):
        for _ in range(max_new_tokens):
            p = torch.softmax(self.model(tokens)[:, -1] / self.temperature, -1)
            tokens = torch.cat([tokens, torch.multinomial(p, 1)], -1)
        return tokens

# %% the_model_itself
import torch
from torch import nn

class GPT(nn.Module):
    def __init__(self, vocab_size, d_model, n_layers):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, d_model)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, idx, targets=None):
        return self.head(self.emb(idx)), None

    def generate(self, idx, max_new_tokens):
        for _ in range(max_new_tokens):
            logits, loss = self(idx)
            idx = torch.cat([idx, logits[:, -1, :].argmax(dim=-1, keepdim=True)], dim=1)
        return idx

# %% batch_in_place
import torch

def sample(model, prompt_ids, num_new, temperature=1.0, top_p=None, seed=0):
    g = torch.Generator().manual_seed(seed)
    ids = prompt_ids
    for i in range(num_new):
        with torch.inference_mode():
            out = model(ids)
        logits = out.logits if hasattr(out, "logits") else out
        if isinstance(logits, tuple):
            logits = logits[0]
        p = (logits[:, -1] / temperature).softmax(-1)
        ids = torch.cat([ids, torch.multinomial(p, 1, generator=g)], dim=1)
    return ids

# %% order_swapped
def greedy_decode(prompt, model, max_tokens):
    import torch
    seq = torch.as_tensor(prompt).reshape(1, -1)
    for _ in range(max_tokens):
        seq = torch.cat([seq, model(seq)[:, -1:].argmax(-1)], 1)
    return seq[0].tolist()

# %% eos_optional
import torch

@torch.no_grad()
def generate(model, input_ids, max_new_tokens=20, eos_token_id=None, do_sample=False):
    finished = torch.zeros(len(input_ids), dtype=torch.bool)
    for _ in range(max_new_tokens):
        nxt = model(input_ids)[:, -1].argmax(-1)
        input_ids = torch.cat([input_ids, nxt.unsqueeze(1)], dim=1)
        if eos_token_id is not None:
            finished |= nxt == eos_token_id
            if finished.all():
                break
    return input_ids
