"""Wrong answers to the topic online_softmax."""
# %% not_scaled
def f(xs):
    m, d = float("-inf"), 0.0
    for x in xs:
        m = max(m, x)
        d += math.exp(x - m)
    return [math.exp(x - m) / d for x in xs]
# %% not_scaled_blocks
def f(x, block=4):
    m, l = torch.tensor(-torch.inf), torch.tensor(0.0)
    for b in x.split(block):
        m = torch.maximum(m, b.max())
        l = l + (b - m).exp().sum()
    return (x - m).exp() / l
# %% inverse < from_zero
~ m, d = 0.0, 0.0 => m, d = xs[0], 0.0
~ d = d * math.exp(m - new) + math.exp(x - new) => d = d * math.exp(new - m) + math.exp(x - new)
-     return [math.exp(x - m) / d for x in xs]
+     return m, d
# %% from_zero
def f(xs):
    m, d = 0.0, 0.0
    for x in xs:
        new = max(m, x)
        d = d * math.exp(m - new) + math.exp(x - new)
        m = new
    return [math.exp(x - m) / d for x in xs]
# %% newest_maximum
def f(x):
    m, d = -np.inf, 0.0
    for v in x:
        d = d * np.exp(m - v) + 1.0
        m = v if v > m else m
    return np.exp(x - m) / d
# %% output_not_scaled
def f(scores, values):
    m, l, o = -np.inf, 0.0, np.zeros(values.shape[1])
    for s, v in zip(scores, values):
        new = max(m, s)
        l = l * np.exp(m - new) + np.exp(s - new)
        o = o + np.exp(s - new) * v
        m = new
    return o / l
# %% flash_output_not_scaled
def f(q, k, v, block=2):
    o, m, l = torch.zeros(q.shape[0], v.shape[1]), torch.full((q.shape[0], 1), -torch.inf), torch.zeros(q.shape[0], 1)
    for kb, vb in zip(k.split(block), v.split(block)):
        s = q @ kb.T / q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(1, keepdim=True))
        p = (s - new).exp()
        l, o, m = l * (m - new).exp() + p.sum(1, keepdim=True), o + p @ vb, new
    return o / l
# %% never_divided
def f(q, k, v, block=2):
    o, m = torch.zeros(q.shape[0], v.shape[1]), torch.full((q.shape[0], 1), -torch.inf)
    for kb, vb in zip(k.split(block), v.split(block)):
        s = q @ kb.T / q.shape[-1] ** 0.5
        new = torch.maximum(m, s.amax(1, keepdim=True))
        o, m = o * (m - new).exp() + (s - new).exp() @ vb, new
    return o
# %% rest_dropped
def f(x, block=2):
    m, d = -np.inf, 0.0
    for i in range(len(x) // block):
        b = x[i * block : (i + 1) * block]
        new = max(m, b.max())
        d = d * np.exp(m - new) + np.exp(b - new).sum()
        m = new
    return np.exp(x - m) / d
# %% kept_as_they_came < from_zero
-     m, d = 0.0, 0.0
+     m, d, es = -math.inf, 0.0, []
-     return [math.exp(x - m) / d for x in xs]
+         es.append(math.exp(x - m))
+     return [e / d for e in es]
# %% no_maximum
def f(xs):
    d = 0.0
    for x in xs:
        d += np.exp(x)
    return np.exp(xs) / d
# %% two_passes < not_scaled
-     m, d = float("-inf"), 0.0
+     m = max(xs)
+     d = 0.0
-         m = max(m, x)
# %% plain_numpy
def f(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
# %% plain_torch < plain_numpy
~ e = np.exp(x - x.max(-1, keepdims=True)) => e = torch.exp(x - torch.amax(x, -1, keepdim=True))
~ return e / e.sum(-1, keepdims=True) => return e / e.sum(-1, keepdim=True)
# %% ready_made
def f(x):
    for _ in x:
        pass
    return torch.softmax(x, -1)
# %% half_not_scaled
def f(xs):
    m, d = -math.inf, 0.0
    for x in xs:
        if x > m:
            d, m = d + 1.0, x
        else:
            d += math.exp(x - m)
    return m, d
# %% kept_in_a_class: weights of their own moment, beside a right maximum and sum
class Running:
    def __init__(self):
        self.top, self.norm, self.seen = float("-inf"), 0.0, []

    def add(self, score):
        new = max(self.top, score)
        self.norm = self.norm * math.exp(self.top - new) + math.exp(score - new)
        self.top = new
        self.seen.append(math.exp(score - new))

    def all_weights(self):
        return [e / self.norm for e in self.seen]
# %% kept_in_a_property < interview/right/class_with_a_property
~ self.m, self.s, self.xs = -math.inf, 0.0, [] => self.m, self.s, self.e = -np.inf, 0.0, []
~ def feed(self, x): => def update(self, x):
~ self.s = self.s * math.exp(self.m - m) + math.exp(x - m) => self.s = self.s * np.exp(self.m - m) + np.exp(x - m)
~ self.xs.append(x) => self.e.append(np.exp(x - m))
-     def shares(self):
-         return [math.exp(x - self.m) / self.s for x in self.xs]
+     def weights(self):
+         return np.array(self.e) / self.s
# %% last_block_cut_to_the_length
def f(scores, tile=4):
    n = len(scores)
    tile = min(tile, n)
    m, s = -np.inf, 0.0
    for b in range(n // tile):
        part = scores[b * tile : (b + 1) * tile]
        new = max(m, part.max())
        s = s * np.exp(m - new) + np.exp(part - new).sum()
        m = new
    return np.exp(scores - m) / s
# %% divided_each_block
def f(q, k, v, block=2):
    out, m, s = np.zeros((len(q), v.shape[1])), np.full((len(q), 1), -np.inf), np.zeros((len(q), 1))
    for a in range(0, len(k), block):
        x = q @ k[a : a + block].T / np.sqrt(q.shape[1])
        new = np.maximum(m, x.max(1, keepdims=True))
        e, old = np.exp(x - new), np.exp(m - new)
        s = s * old + e.sum(1, keepdims=True)
        out = (out * old + e @ v[a : a + block]) / s
        m = new
    return out
# %% divided_each_entry
def f(scores, values):
    m, s, acc = torch.tensor(float("-inf")), torch.tensor(0.0), torch.zeros(values.shape[1])
    for x, v in zip(scores, values):
        new = torch.maximum(m, x)
        s = s * torch.exp(m - new) + torch.exp(x - new)
        acc = (acc * torch.exp(m - new) + torch.exp(x - new) * v) / s
        m = new
    return acc
# %% shares_of_their_moment
def f(scores, values):
    m, s, acc = -np.inf, 0.0, 0.0
    for x, v in zip(scores, values):
        new = max(m, x)
        old = np.exp(m - new)
        s = s * old + np.exp(x - new)
        acc = acc * old + np.exp(x - new) / s * v
        m = new
    return acc
# %% sum_starts_anew
def f(xs):
    m, s = -math.inf, 0.0
    for x in xs:
        if x > m:
            m, s = x, 1.0
        else:
            s += math.exp(x - m)
    return [math.exp(x - m) / s for x in xs]
# %% maximum_itself_not_counted
def f(xs):
    m, s = xs[0], 1.0
    for x in xs[1:]:
        if x > m:
            s *= math.exp(m - x)
            m = x
        else:
            s += math.exp(x - m)
    return [math.exp(x - m) / s for x in xs]
# %% scaled_to_the_block
def f(x, block=3):
    m, s = torch.tensor(float("-inf")), torch.tensor(0.0)
    for part in x.split(block):
        new = torch.maximum(m, part.max())
        s = s * torch.exp(m - part.max()) + torch.exp(part - new).sum()
        m = new
    return torch.exp(x - m) / s
# %% no_maximum_above < from_zero
~ m, d = 0.0, 0.0 => m, s = -math.inf, 0.0
~ d = d * math.exp(m - new) + math.exp(x - new) => s = s * math.exp(m - new) + math.exp(x - new)
~ return [math.exp(x - m) / d for x in xs] => return [math.exp(x) / s for x in xs]
