"""Builds a site of pages with links that lead nowhere. Prints "ok" when exactly these are reported."""

import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "Documentation/generator"))

import build_site  # noqa: E402: its folder has to be known first

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "Documentation").mkdir()
    (root / "README.md").write_text(
        "# Start\n\n## A heading\n\n[heading](#a-heading) [page](Documentation/other.md#there) [none](none.md) "
        "[no heading](Documentation/other.md#not-there) [outside](../outside.md) [web](https://example.com/none)\n"
    )
    (root / "Documentation/other.md").write_text("# Other\n\n## There\n\n[back](../README.md)\n")
    build_site.ROOT = root
    problems = build_site.Site(root / "site").build()

expected = [
    "README.md: none.md does not exist",
    "README.md: Documentation/other.md#not-there names a heading that does not exist",
    "README.md: ../outside.md does not exist",
]
print("ok" if problems == expected else problems)
