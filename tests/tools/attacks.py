"""Texts with which a student could try to run a script in a page. A script that runs sets `window.pwned`."""

import base64
import tomllib

from .cells import ANSWERS

RUN = "window.top.pwned=1"
PAGE = base64.b64encode(f"<script>{RUN}</script>".encode()).decode()
TEXTS = tomllib.loads((ANSWERS / "attacks.toml").read_text(encoding="utf-8"))
ATTACKS = {name: text.replace("RUN", RUN).replace("PAGE", PAGE) for name, text in TEXTS.items()}
