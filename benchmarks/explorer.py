"""All heads at a glance, side by side: explore_heads, BertViz, CircuitsVis and attnview, in one run.

python benchmarks/explorer.py   (some minutes; needs PyPI and Chromium)

For 12 heads × 32 tokens and 144 × 128, and 144 × 512 for ours alone, as the others would need gigabytes;
heads of five kinds ("sample") and softmax of normal scores ("random"):
- s, cpu s: from tensors to HTML, the fastest of three, after one small call; and the processor's time.
- KB: the HTML that a notebook saves, with all scripts that it needs, but for BertViz's.
- redraw: from the event that asks for another head until the next frame after it has been painted, by the
  browser's own clock, the median of eight. The display's rhythm is part of it: `frame` is that of an empty
  page. "-": not alive within a minute, or nothing changed.

The three others are installed from PyPI into an environment in a temporary folder, which sees this one's
torch. BertViz loads three scripts from a CDN: so that no network counts, they come from PyPI packages.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
CASES = [
    (layers, heads, T, kind)
    for layers, heads, T in [(1, 12, 32), (12, 12, 128), (12, 12, 512)]
    for kind in ("sample", "random")
]
TOOLS = ("explore_heads", "BertViz", "CircuitsVis", "attnview")
OURS_ALONE = 512  # tokens
PACKAGES = ["bertviz", "circuitsvis", "attnview", "importlib-metadata<9", "zipp"]  # 9 and later need more
SCRIPTS = ["mpld3", "nbclassic"]  # hold d3 5; jQuery and require.js
SERVED = {
    "require.min.js": "nbclassic/static/components/requirejs/require.js",
    "jquery.min.js": "nbclassic/static/components/jquery/jquery.min.js",
    "d3.min.js": "mpld3/js/d3.v5.min.js",
}
MOST = 60  # seconds in which a page has to be alive

# What asks for another head, number k. Each is a function of k in the page.
ASK = {
    "explore_heads": """() => document.querySelector('[aria-label*="choose one"]')
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))""",
    "BertViz": """k => [...document.querySelectorAll('svg rect')].filter(one => one.style.opacity === '0')[k]
        .dispatchEvent(new MouseEvent('click', { bubbles: true }))""",
    "CircuitsVis": """k => document.querySelectorAll('canvas')[k]
        .dispatchEvent(new MouseEvent('click', { bubbles: true }))""",
    "attnview": """k => {
        const heads = document.querySelector('#head');
        heads.value = k % heads.options.length;
        heads.dispatchEvent(new Event('change')); }""",
}
ALIVE = {
    "explore_heads": ".live[data-read]",
    "BertViz": "svg rect",
    "CircuitsVis": "canvas",
    "attnview": "#weights tr",
}


# ---- in a process of its own: tensors to HTML


def heads(layers, count, T, kind):
    """Causal weights (layers, heads, T, T)."""
    import torch

    g = torch.Generator().manual_seed(0)
    i, j = torch.arange(T)[:, None].float(), torch.arange(T)[None].float()
    scores = torch.randn(layers, count, T, T, generator=g)
    for number in range(layers * count if kind == "sample" else 0):
        scores_of_head = scores[number // count, number % count]  # (T, T), a view
        match number % 5:
            case 0:
                scores_of_head += 6 * (j == i - 1)  # previous token
            case 1:
                scores_of_head += 5 * (j == 0)  # first token
            case 2:
                scores_of_head -= 0.6 * (i - j).abs()  # local
            case 3:
                scores_of_head *= 0.1  # nearly even
            case 4:
                scores_of_head *= 3  # sharp at random
    return scores.masked_fill(j > i, -torch.inf).softmax(-1)


def maker(tool):
    """The tool's function of weights and tokens that returns HTML."""
    if tool == "explore_heads":
        from course_utils.touch.heads import explore_heads

        return lambda weights, tokens: explore_heads(weights, tokens).html()
    if tool == "BertViz":
        from bertviz import model_view

        return lambda weights, tokens: (
            model_view([layer[None] for layer in weights], tokens, html_action="return").data
        )
    if tool == "CircuitsVis":
        from circuitsvis.attention import attention_heads

        # The source for use without a network, which holds its script, as ours does.
        return lambda weights, tokens: (
            attention_heads(attention=weights.flatten(0, 1), tokens=tokens, mask_upper_tri=True).local_src
        )
    import attnview

    return lambda weights, tokens: attnview.render_html(
        attnview.from_cache({("pattern", k): layer[None] for k, layer in enumerate(weights)}, tokens=tokens)
    )


def make(tool, layers, count, T, kind, file):
    """Print what one tool needs for one case as JSON, and write its HTML."""
    import torch

    torch.set_num_threads(1)
    page_of = maker(tool)
    page_of(heads(1, 2, 4, "random"), list("abcd"))
    weights, tokens = heads(layers, count, T, kind), [f"tok{k}" for k in range(T)]
    spent = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        page = page_of(weights, tokens)
        spent.append((time.perf_counter() - wall, time.process_time() - cpu))
    Path(file).write_text(page, encoding="utf-8")
    seconds, cpu = (min(times) for times in zip(*spent, strict=True))
    print(json.dumps({"seconds": seconds, "cpu": cpu, "bytes": len(page.encode())}))


# ---- the browser


def redraw(page, ask):
    """Milliseconds from asking for another head until it was drawn, the median of eight."""
    took = page.evaluate(
        """async ask => {
            const drawn = () => new Promise(done => requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel(); // its task comes after the frame
                port2.onmessage = done;
                port1.postMessage(null);
            }));
            const found = [];
            for (let k = 1; k <= 8; k++) {
                await drawn();
                const begun = performance.now();
                ask(k);
                await drawn();
                found.push(performance.now() - begun);
            }
            return found;
        }""".replace("ask(k)", f"({ask})(k)")
    )
    return statistics.median(took)


def measure_page(chromium, tool, html, scripts):
    """The time of a redraw in milliseconds; None where the page is not alive in time."""
    from playwright.sync_api import Error

    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(MOST * 1000)

    def serve(route):
        name = route.request.url.rsplit("/", 1)[-1]
        if route.request.url.startswith("file:"):
            route.continue_()
        elif name in SERVED:
            route.fulfill(path=scripts / SERVED[name], content_type="text/javascript")
        else:
            route.abort()

    page.route("**/*", serve)
    try:
        page.goto(html.as_uri(), wait_until="commit")
        page.wait_for_selector(ALIVE[tool], state="attached")
        page.wait_for_timeout(500)
        before = page.screenshot()
        took = redraw(page, ASK[tool])
        return took if page.screenshot() != before else None
    except Error as problem:
        print(f"  {tool}: {str(problem).splitlines()[0]}", file=sys.stderr)
        return None
    finally:
        page.close()


# ---- all of it


def environment(folder):
    """An environment with the three others, which sees this one's packages; returns its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    import torch

    Path(own, "course.pth").write_text(str(Path(torch.__file__).parents[1]))
    install = [python, "-m", "pip", "install", "-q", "--no-deps"]
    subprocess.run([*install, *PACKAGES], check=True)
    subprocess.run([*install, "--target", folder / "scripts", *SCRIPTS], check=True)
    return python


def main():
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp(prefix="explorer-"))
    try:
        python = environment(folder / "venv")
        versions = subprocess.run(
            [python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True
        ).stdout.split()
        print(", ".join(version for version in versions if version.split("==")[0].lower() in PACKAGES[:3]))
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            empty = chromium.new_page()
            print(f"frame: {redraw(empty, '() => 0'):.1f} ms for nothing at all")
            print(
                f"{'heads':>6}{'T':>5} {'kind':7}{'tool':15}{'s':>8}{'cpu s':>8}{'KB':>10}{'redraw ms':>11}"
            )
            for layers, count, T, kind in CASES:
                for tool in TOOLS if T < OURS_ALONE else TOOLS[:1]:
                    file = folder / "page.html"
                    case = map(str, (layers, count, T, kind, file))
                    # isolated from the learner's settings, with this repository first
                    done = subprocess.run(
                        [python, __file__, "make", tool, *case],
                        capture_output=True,
                        text=True,
                        env={**os.environ, "PYTHONPATH": str(ROOT)},
                        check=False,
                    )
                    if done.returncode:
                        print(f"{layers * count:6}{T:5} {kind:7}{tool:15} {done.stderr.splitlines()[-1]}")
                        continue
                    numbers = json.loads(done.stdout.splitlines()[-1])
                    file.write_text(
                        f"<!doctype html><meta charset='utf-8'>{file.read_text('utf-8')}", "utf-8"
                    )
                    took = measure_page(chromium, tool, file, folder / "venv" / "scripts")
                    print(
                        f"{layers * count:6}{T:5} {kind:7}{tool:15}{numbers['seconds']:8.3f}"
                        f"{numbers['cpu']:8.3f}"
                        f"{numbers['bytes'] / 1000:10.0f}{'-' if took is None else f'{took:.1f}':>11}",
                        flush=True,
                    )
            chromium.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        tool, *sizes, kind, file = sys.argv[2:]
        make(tool, *map(int, sizes), kind, file)
    else:
        main()
