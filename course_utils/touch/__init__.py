"""Interactive pictures, for mouse, touch and keyboard.

A picture is a `Piece`: data from Python goes in, one self-contained piece of HTML comes out. Once displayed
it needs no network, no kernel and no widgets, so it keeps working in a saved notebook and in exported HTML.
Where scripts do not run, a still image with the same message is shown instead.

Each picture has a module (what Python computes) and a script of the same name (what the page draws). All
share `base.js` and `base.css`: elements, theme, keys, touch, text for screen readers.
"""
