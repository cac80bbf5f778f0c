"""A page inside a notebook.

The page is a part of the notebook, so it needs no server, no network and no other file. It is in a
frame of its own, whose scripts cannot reach the notebook.
"""
from __future__ import annotations

import html


class Frame:
    def __init__(self, page: str, height: int, text: str):
        self.page, self.height, self.text = page, height, text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # Without a base the page's own links, such as #main, would lead to the notebook's address.
        page = self.page.replace("<head>", '<head><base href="about:srcdoc">', 1)
        return (f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts" title="{html.escape(self.text)}" '
                f'style="width: 100%; height: {self.height}px; border: 1px solid #8888"></iframe>')
