"""Pictures that one can touch.

A picture is a `Piece`: data from Python in, one self-contained piece of HTML out. Once it is shown it needs
no network, no kernel and no widgets, so it lives on in a saved notebook and in exported HTML. Where scripts
do not run, a still picture with the same message stands in its place.

Each picture has a module (what Python works out) and a script of the same name (what the page draws).
`base.js` and `base.css` serve all of them: elements, theme, keys, touch, words for a screen reader.
"""
