"""A page in Chromium that shows interactive pictures. Requests and console messages count as failures."""

DARK, LIGHT = "background:#111;color:#eee", "background:#fff;color:#111"


class Page:
    """pieces: Pieces or HTML. `page` is Playwright's object; `close()` fails if anything went wrong."""

    def __init__(self, chromium, *pieces, width=860, height=900, dark=False, scripts=True, touch=False):
        self.context = chromium.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, has_touch=touch
        )
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.check_request(request.url))
        body = "".join(piece if isinstance(piece, str) else piece.html() for piece in pieces)
        self.page.set_content(
            f'<!doctype html><meta charset="utf-8"><body style="{DARK if dark else LIGHT}">{body}'
        )
        self.page.wait_for_timeout(150)

    def check_request(self, url):
        if not url.startswith(("data:", "about:")):
            self.errors.append(f"asked for {url}")

    def frame(self):
        """Wait until pending drawing is done."""
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def data(self, name, index=0):
        """The value of a picture's attribute data-`name`."""
        self.frame()
        return self.page.locator(".touch .live").nth(index).get_attribute(f"data-{name}")

    def numbers(self, name, index=0):
        return [float(text) for text in self.data(name, index).split()]

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name):
        return self.page.get_by_role("button", name=name)

    def sentence(self, index=0):
        """Return the sentence below a picture."""
        return self.page.locator(".say").nth(index).inner_text()

    def overall_width(self):
        return self.page.evaluate("document.documentElement.scrollWidth")

    def close(self):
        self.context.close()
        assert self.errors == []
