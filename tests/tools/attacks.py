"""What a student could write so that a page runs it. `window.pwned` is set when one gets through."""

import base64

RUN = "window.top.pwned=1"
PAGE = base64.b64encode(f"<script>{RUN}</script>".encode()).decode()

ATTACKS = {
    "script": f"<script>{RUN}</script>",
    "onerror": f'<img src="x" onerror="{RUN}">',
    "onload": f'<svg onload="{RUN}"></svg>',
    "script_in_svg": f"<svg><script>{RUN}</script></svg>",
    "animated_link": (
        f'<svg><a><animate attributeName="href" values="javascript:{RUN}"/><text y="20">x</text></a></svg>'
    ),
    "srcdoc": f'<iframe srcdoc="<script>{RUN}</script>"></iframe>',
    "frame": f'<iframe src="javascript:{RUN}"></iframe>',
    "link": f"[x](javascript:{RUN})",
    "link_in_brackets": f"<javascript:{RUN}>",
    "link_by_reference": f"[x][1]\n\n[1]: javascript:{RUN}",
    "link_to_files": f"[x](files/javascript:{RUN})",
    "link_to_files_of_files": f'<a href="files/files/javascript:{RUN}">x</a>',
    "link_with_a_break": f'<a href="java&#10;script:{RUN}">x</a>',
    "link_with_a_control": f'<a href="&#1;javascript:{RUN}">x</a>',
    "link_to_data": f'<a href="data:text/html;base64,{PAGE}">x</a>',
    "picture_breaks_out": f'![x](x"onerror="{RUN})',
    "form": f'<form action="javascript:{RUN}"><button>x</button></form>',
    "formaction": f'<button form="a" formaction="javascript:{RUN}">x</button><form id="a"></form>',
    "object": f'<object data="data:text/html;base64,{PAGE}"></object><embed src="javascript:{RUN}">',
    "body": f'<body onload="{RUN}" onpageshow="{RUN}">',
    "ontoggle": f'<details open ontoggle="{RUN}"><summary>x</summary>y</details>',
    "source": f'<video><source onerror="{RUN}"></video>',
    "autofocus": f'<input autofocus onfocus="{RUN}">',
    "mouse": f'<a href="#x" onmouseover="{RUN}" onclick="{RUN}">x</a>',
    "animation": f'<style>@keyframes x{{}}</style><b style="animation-name:x" onanimationstart="{RUN}">x</b>',
    "refresh": f'<meta http-equiv="refresh" content="0;url=data:text/html;base64,{PAGE}">',
    "base": '<base href="http://elsewhere.invalid/">',
    "sheet": '<link rel="stylesheet" href="http://elsewhere.invalid/x.css"><style>@import "http://elsewhere.invalid/y.css";</style>',
    "tracking_picture": "![x](http://elsewhere.invalid/seen.png)",
    "math_link": f"$\\href{{javascript:{RUN}}}{{x}}$",
    "math_link_by_entity": f"<p>$&#92;href{{javascript:{RUN}}}{{x}}$</p>",
    "math_link_by_letter": f"<p>$\\&#104;ref{{javascript:{RUN}}}{{x}}$</p>",
    "math_link_with_a_comment": f"<p>$\\hr<!-- -->ef{{javascript:{RUN}}}{{x}}$</p>",
    "math_link_with_an_odd_tag": f"<p>$\\hr<odd>ef{{javascript:{RUN}}}{{x}}$</p>",
    "math_link_in_two_lines": f"<p>$\\hr<wbr>ef{{javascript:{RUN}}}{{x}}$</p>",
    "mathml_link": f'<math><mtext href="javascript:{RUN}" xlink:href="javascript:{RUN}">x</mtext></math>',
    "math_settings": f'<script type="text/x-mathjax-config">{RUN}</script>',
    "mermaid": f'```mermaid\ngraph TD\nA-->B\nclick A href "javascript:{RUN}"\n```',
    "out_of_code": f"```\n</code></pre><script>{RUN}</script>\n```",
    "out_of_language": f'```"><script>{RUN}</script>\nx\n```',
    "noscript": f'<noscript><p title="</noscript><img src=x onerror={RUN}>">',
    "textarea": f'<textarea><img title="</textarea><img src=x onerror={RUN}>">',
    "comment": f"<!--><img src=x onerror={RUN}>-->",
    "template": f"<template><script>{RUN}</script></template>",
    "half_a_tag": f'<img src="x" onerror="{RUN}"',
    "overlay": (
        '<div class="navbar-fixed-top" style="position:fixed;inset:0;background:red">Full credit</div>'
    ),
    "clobbering": '<form id="test_softmax" name="submission_id"><input name="base_url"></form>',
}
