"""How Sphinx makes the site: what is read, and how a page looks. Nothing on a page comes from a network."""

project = "Build multi-head causal attention"
html_title = project
language = "en"

extensions = ["myst_nb"]  # MyST reads the Markdown and the notebooks
root_doc = "index"
exclude_patterns = ["given"]  # the notebooks to download
nb_execution_mode = "off"  # they were run before
nb_render_markdown_format = "gfm"
nb_merge_streams = True
nb_ipywidgets_js = {}  # else from a network
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]  # the size and the theme of a picture
myst_links_external_new_tab = True
highlight_language = "none"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_search_summary = False  # a page that is opened as a file may not fetch another
html_use_index = False  # an index of functions, of which the pages describe none
