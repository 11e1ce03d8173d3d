"""Make the README's animation of a training, from screenshots of its steps: python -m tools.film_training

The page is that of `scrub_training`, once in a light and once in a dark theme.
"""

import io
import shutil

import torch
from PIL import Image, ImageColor

from course_utils import world
from course_utils.show.colours import HATCH, MASKED, WEIGHTS
from course_utils.standins import MultiHeadSelfAttention
from course_utils.touch.piece import scale
from course_utils.touch.training import RUN_TEXT, Snapshots, scrub_training
from tests.tools.lab_in_browser import browser
from tools.train_models import weights_of

from .take_screenshots import IMAGES

WIDTH, SCALE = 800, 2  # the page's width in pixels, and image pixels per page pixel
MARGIN, PLAIN = 12, ".row,.say,.note{display:none!important}"  # a GIF has no controls
THEMES = {"light": ("#ffffff", "#1f2328"), "dark": ("#0d1117", "#e6edf3")}  # GitHub's background and text
FIRST, EACH, LAST = 1200, 140, 3500  # milliseconds
LINE = "#4a86cf"  # colour of the curve and the bars, as in training.js
SHADES = 40  # colours for weights


def main():
    """Write docs/images/training_light.gif and training_dark.gif."""
    torch.set_num_threads(1)
    looks = Snapshots(weights_of, world.WHO_AND_HOW.steps)
    _, losses = world.train(MultiHeadSelfAttention, world.WHO_AND_HOW, seed=0, watch=looks)
    words = RUN_TEXT.split()
    piece = scrub_training({"seed 0": (looks.weights, losses)}, words, world.places(words))
    with browser(shutil.which("chromium")) as chromium:
        for theme, colours in THEMES.items():
            path = IMAGES / f"training_{theme}.gif"
            save(take_frames(chromium, piece.html(), *colours), path, *colours)
            print(f"{path.name}  {path.stat().st_size / 1000:.0f} kB")


def take_frames(chromium, page, paper, ink):
    """Return a screenshot of each saved step."""
    context = chromium.new_context(viewport={"width": WIDTH, "height": 700}, device_scale_factor=SCALE)
    opened = context.new_page()
    style = f"margin:{MARGIN}px;background:{paper};color:{ink}"
    opened.set_content(f"<!doctype html><style>{PLAIN}</style><body style='{style}'>{page}")
    opened.wait_for_selector(".live[data-step]", state="attached")
    box = opened.locator(".live").bounding_box()
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": round(box["y"] + box["height"] + MARGIN)}
    slider = opened.locator("input[type=range]")
    images = []
    for place in range(int(slider.get_attribute("max")) + 1):
        slider.evaluate("(input, at) => { input.value = at; input.oninput(); }", place)
        opened.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        images.append(Image.open(io.BytesIO(opened.screenshot(clip=clip))).convert("RGB"))
    context.close()
    return images


def save(images, path, paper, ink):
    """Save the images as a GIF that loops, with the same palette for all of them."""
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours_of(paper, ink) for part in colour])
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [FIRST, *[EACH] * (len(frames) - 2), LAST]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True)


def colours_of(paper, ink):
    """Return the palette, (red, green, blue) each: shades of weights, other colours and their blends."""
    paper, ink, masked, hatch, line = map(ImageColor.getrgb, (paper, ink, MASKED, HATCH, LINE))
    edges = [(paper, ink, 8), (paper, line, 5), (masked, hatch, 4), (line, (255, 255, 255), 3)]
    mixed = [
        tuple(round(x + (y - x) * k / (count - 1)) for x, y in zip(first, second, strict=True))
        for first, second, count in edges
        for k in range(count)
    ]
    return [*mixed, *(tuple(colour) for colour in scale(WEIGHTS, SHADES))]


if __name__ == "__main__":
    main()
