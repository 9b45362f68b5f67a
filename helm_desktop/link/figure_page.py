"""A page for the browser that shows a plotly figure from its JSON."""

from __future__ import annotations

import html
import json
from importlib.util import find_spec
from pathlib import Path

AFAR = "https://cdn.plot.ly/plotly-2.35.2.min.js"
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' file: https://cdn.plot.ly; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


def page_of(data: bytes, title: str) -> str:
    """The page. Raises ValueError for what is no figure; nothing in it is taken as HTML or as a script."""
    held = json.loads(data)
    if not isinstance(held, dict) or not isinstance(held.get("data"), list):
        raise ValueError("it holds no plotly figure")
    safe = json.dumps(held).replace("<", "\\u003c")
    return f"""<!doctype html>
<html><head><meta charset="utf-8"><title>{html.escape(title)}</title>
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<style>html, body, #figure {{ margin: 0; height: 100%; font-family: sans-serif }}</style></head>
<body><div id="figure">plotly.js could not be loaded. Install the package plotly, or go online.</div>
<script id="json" type="application/json">{safe}</script>
<script src="{html.escape(script())}"></script>
<script>
const held = JSON.parse(document.getElementById("json").textContent);
if (window.Plotly) {{
  document.getElementById("figure").textContent = "";
  Plotly.newPlot("figure", held.data, held.layout || {{}}, {{ responsive: true }});
}}
</script></body></html>
"""


def script() -> str:
    """Where plotly.js is: in the package plotly where that is installed, else on its makers' server."""
    spec = find_spec("plotly")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / "package_data" / "plotly.min.js"
        if path.is_file():
            return path.as_uri()
    return AFAR
