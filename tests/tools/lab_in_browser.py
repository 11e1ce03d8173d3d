"""JupyterLab as `make lab` starts it, in a real browser."""

import contextlib
import json
import sys

from playwright.sync_api import sync_playwright

from . import jupyter

FLAGS = (
    "--no-sandbox --disable-gpu --disable-background-networking --force-color-profile=srgb --hide-scrollbars"
)
SETTINGS = {  # draw every output, also below the visible part
    "notebook-extension/tracker": {"windowingMode": "none", "scrollPastEnd": False},
    "docmanager-extension/plugin": {"autosave": False},
}
RUN_ALL = """async () => {
  const run = async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.sessionContext.ready;
    await window.jupyterapp.commands.execute('notebook:run-all-cells');
    await window.jupyterapp.commands.execute('docmanager:save');
    return panel.context.path;
  };
  const late = new Promise((_, no) => setTimeout(() => no(new Error('still running')), 180_000));
  return await Promise.race([run(), late]);
}"""
START = "import sys; from autograder.setup.lab import main, Path; main(sys.argv[2:], Path(sys.argv[1]))"


@contextlib.contextmanager
def learners_lab(root):
    """Run `make lab` on root/work and yield its address."""
    for name, values in SETTINGS.items():
        path = root / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    flags = [f"--LabApp.user_settings_dir={root / 'settings'}", "--LabApp.expose_app_in_browser=True"]
    with jupyter.served([sys.executable, "-c", START, root, *flags], root) as address:
        yield address


@contextlib.contextmanager
def browser(program):
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS.split())
        yield chromium
        chromium.close()


class NotebookView:
    """A notebook opened in JupyterLab; `complaints` collects errors in the page."""

    def __init__(self, chromium, address, path):
        self.path, self.complaints = path, []
        self.context = chromium.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.context.new_page()
        self.page.on("console", self.listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{address}/lab/tree/{path}?reset", wait_until="domcontentloaded")
        self.page.wait_for_function(
            "window.jupyterapp?.shell?.currentWidget?.context?.isReady", timeout=90_000
        )

    def listen(self, message):
        """Record errors, except one of JupyterLab's: it requests an attached picture by a bad name."""
        if message.type == "error" and not message.location["url"].startswith("attachment:"):
            self.complaints.append(message.text)

    def run_all(self):
        assert self.page.evaluate(RUN_ALL) == self.path
        self.page.wait_for_timeout(500)  # so that the last widgets are drawn

    def texts(self, selector):
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def asleep(self):
        """The indices of the interactive pictures whose script has not run."""
        pictures = "[...document.querySelectorAll('.jp-OutputArea .touch')]"
        states = f"{pictures}.map(picture => !!picture.querySelector('.live'))"
        return [n for n, alive in enumerate(self.page.evaluate(states)) if not alive]

    def close(self):
        """Stop the kernel, to free its memory for the next notebook, and close the page."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        self.context.close()
