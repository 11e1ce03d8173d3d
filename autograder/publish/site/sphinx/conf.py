"""Sphinx's configuration: its input, and the look of a page. No page loads anything from a network."""

project = "Build multi-head causal attention"
html_title = project
language = "en"

extensions = ["myst_nb"]  # MyST reads the Markdown and the notebooks
root_doc = "index"
exclude_patterns = ["given"]  # the notebooks to download
nb_execution_mode = "off"  # lesson_page.py has run them
nb_render_markdown_format = "gfm"
nb_merge_streams = True
nb_ipywidgets_js = {}  # else it loads scripts from a network
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]  # for the size and the theme of a picture
myst_links_external_new_tab = True
highlight_language = "none"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_search_summary = False  # summaries are fetched, which a page opened as a file may not do
html_use_index = False  # it would list functions, and the pages document none
