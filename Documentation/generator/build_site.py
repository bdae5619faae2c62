"""Builds the documentation as a static site that works offline, and checks its links.

    build_site.py FOLDER    # where to write the site; prints the problems it finds and fails if there are any

Pages are the Markdown files of the repository. Links between them become links between pages; other files that a page
links to are copied, text files as pages. markdown-it-py reads the Markdown: CommonMark and tables, well maintained.
"""

import html
import json
import os
import pathlib
import re
import shutil
import sys
import textwrap

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).parents[2]
HERE = pathlib.Path(__file__).parent
# The navigation, in order. Pages of other engineers appear as soon as they exist; pages that are not listed are put
# into the last group.
NAVIGATION = {
    "Start": ["README.md", "Documentation/tutorial.md", "Documentation/domain.md", "Documentation/glossary.md"],
    "Build an app": [
        "Documentation/front-end.md",
        "Documentation/web.md",
        "Documentation/swiftui.md",
        "Documentation/android.md",
        "Documentation/generated-clients.md",
        "Documentation/caching.md",
        "Documentation/testing.md",
        "Documentation/playground.md",
        "Documentation/troubleshooting.md",
        "Examples/README.md",
        "Examples/clients/README.md",
    ],
    "API reference": ["Documentation/reference/README.md", "Documentation/reference/entry-points.md"],
    "Operate": [
        "Documentation/operating.md",
        "Documentation/postgresql.md",
        "Documentation/processes.md",
        "Documentation/other-engines.md",
        "Documentation/federation.md",
        "Documentation/tracing.md",
        "Documentation/packaging.md",
        "Documentation/container.md",
        "Documentation/versioning.md",
        "SECURITY.md",
        "CHANGELOG.md",
    ],
    "Inside": [
        "architecture.md",
        "Documentation/decisions.md",
        "Documentation/library.md",
        "CONTRIBUTING.md",
        "Tests/README.md",
        "Benchmarks/README.md",
    ],
}
LANGUAGES = {
    "sh": "Shell",
    "graphql": "GraphQL",
    "json": "JSON",
    "text": "Output",
    "python": "Python",
    "swift": "Swift",
    "ts": "TypeScript",
    "kotlin": "Kotlin",
    "html": "HTML",
    "nginx": "nginx",
    "ini": "systemd",
    "yaml": "YAML",
    "docker": "Containerfile",
}


def slug(text):
    """The anchor of a heading, by GitHub's rules."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def page_paths():
    """All pages: what is listed and exists, then other Markdown files of the root and of Documentation."""
    groups = {group: [path for path in paths if (ROOT / path).exists()] for group, paths in NAVIGATION.items()}
    reference = sorted((ROOT / "Documentation/reference").glob("*.md"))
    listed = {path for paths in groups.values() for path in paths}
    groups["API reference"] += [relative(file) for file in reference if relative(file) not in listed]
    listed |= set(groups["API reference"])
    others = [*ROOT.glob("*.md"), *(ROOT / "Documentation").glob("*.md"), *(ROOT / "Examples").glob("**/README.md")]
    rest = sorted(relative(file) for file in others if relative(file) not in listed)
    if rest:
        groups["More"] = rest
    return groups


def relative(file):
    return str(file.relative_to(ROOT))


def output_path(path):
    """Where a page is in the site."""
    if path == "README.md":
        return "index.html"
    folder, name = os.path.split(path)
    return os.path.join(folder, "index.html" if name == "README.md" else name.removesuffix(".md") + ".html")


class Page:
    def __init__(self, path):
        self.path = path
        self.output = output_path(path)
        text = (ROOT / path).read_text()
        # A page of mere text, as CHANGELOG may be, has its name as title.
        found = re.search(r"^# (.+)$", text, re.M)
        self.title = re.sub(r"[`*]", "", found[1]) if found else path
        parser = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.parser, self.tokens = parser, parser.parse(text)
        self.anchors, self.headings, self.sections = set(), [], []
        self.name_headings()

    def name_headings(self):
        section = {"heading": self.title, "anchor": "", "words": []}
        self.sections.append(section)
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open":
                text = plain(self.tokens[index + 1])
                anchor, number = slug(text), 1
                while anchor in self.anchors:
                    anchor, number = f"{slug(text)}-{number}", number + 1
                self.anchors.add(anchor)
                token.attrSet("id", anchor)
                if token.tag in ("h2", "h3"):
                    self.headings.append((token.tag, anchor, text))
                section = {"heading": text, "anchor": anchor, "words": []}
                self.sections.append(section)
            elif token.type == "inline" and self.tokens[index - 1].type != "heading_open":
                section["words"].append(plain(token))

    def render(self, site):
        for token in self.tokens:
            for child in token.children or []:
                if child.type == "link_open":
                    child.attrSet("href", site.resolve(self, child.attrGet("href")))
                if child.type == "image":
                    child.attrSet("src", site.resolve(self, child.attrGet("src")))
                    child.attrSet("loading", "lazy")
        return paired(self.render_tokens())

    def render_tokens(self):
        parts = []
        for token in self.tokens:
            if token.type == "fence":
                name = LANGUAGES.get(token.info, token.info)
                parts.append(
                    f'<figure class="code" data-language="{html.escape(token.info)}"><figcaption>{html.escape(name)}'
                    f"</figcaption><pre tabindex=\"0\"><code>{html.escape(textwrap.dedent(token.content))}</code></pre></figure>\n"
                )
            elif token.type == "table_open":
                parts.append('<div class="table" tabindex="0"><table>')
            elif token.type == "table_close":
                parts.append("</table></div>\n")
            elif token.type == "html_block" and token.content.lstrip().startswith("<!--"):
                continue
            else:
                parts.append(self.parser.renderer.render([token], self.parser.options, {}))
        return "".join(parts)


def plain(token):
    kinds = ("text", "code_inline", "softbreak")
    return "".join(child.content for child in token.children or [] if child.type in kinds)


def paired(text):
    """Puts a block of TypeScript and the block of Swift that follows it beside each other."""
    block = r'(<figure class="code" data-language="%s">(?:(?!</figure>).)*</figure>\s*)'
    both = re.compile(block % "ts" + block % "swift", re.S)
    return both.sub(lambda match: f'<div class="pair">{match[1]}{match[2]}</div>', text)


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.groups = page_paths()
        self.pages = {path: Page(path) for paths in self.groups.values() for path in paths}
        self.files, self.problems = set(), []

    def resolve(self, page, target):
        """The link of the site for a link of a page. Notes a problem when it leads nowhere."""
        if re.match(r"[a-z]+:", target):
            return target
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
        if (ROOT / full).is_dir() and os.path.join(full, "README.md") in self.pages:
            full = os.path.join(full, "README.md")
        if full in self.pages:
            if anchor and anchor not in self.pages[full].anchors:
                self.problems.append(f"{page.path}: {target} names a heading that does not exist")
            output = self.pages[full].output
        elif (ROOT / full).exists() and not full.startswith(".."):
            self.files.add(full)
            output = self.copied(full)
        else:
            self.problems.append(f"{page.path}: {target} does not exist")
            return target
        return os.path.relpath(output, os.path.dirname(page.output) or ".") + (f"#{anchor}" if anchor else "")

    def copied(self, path):
        is_picture = path.endswith((".png", ".svg", ".jpg"))
        return path if is_picture else os.path.join("files", path + ".html")

    def frame(self, output, title, body, toc=""):
        up = os.path.relpath(".", os.path.dirname(output) or ".")
        navigation = []
        for group, paths in self.groups.items():
            navigation.append(f"<h2>{group}</h2><ul>")
            for path in paths:
                other = self.pages[path]
                current = ' aria-current="page"' if other.output == output else ""
                name = html.escape("Overview" if path == "README.md" else other.title)
                navigation.append(f'<li><a href="{up}/{other.output}"{current}>{name}</a></li>')
            navigation.append("</ul>")
        return (
            (HERE / "page.html")
            .read_text()
            .replace("{{title}}", html.escape(title))
            .replace("{{up}}", up)
            .replace("{{navigation}}", "".join(navigation))
            .replace("{{toc}}", toc)
            .replace("{{body}}", body)
        )

    def write(self, output, text):
        file = self.folder / output
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def build(self):
        index = []
        for page in self.pages.values():
            items = [
                f'<li class="{tag}"><a href="#{anchor}">{html.escape(text)}</a></li>'
                for tag, anchor, text in page.headings
            ]
            toc = f"<nav class=\"toc\" aria-label=\"On this page\"><h2>On this page</h2><ul>{''.join(items)}</ul></nav>"
            body = page.render(self)
            self.write(page.output, self.frame(page.output, page.title, body, toc if len(items) > 1 else ""))
            for section in page.sections:
                if section["words"]:
                    link = page.output + (f"#{section['anchor']}" if section["anchor"] else "")
                    index.append([page.title, section["heading"], link, " ".join(section["words"])])
        for path in sorted(self.files):
            self.copy(path)
        self.write("search-index.js", "const searchIndex = " + json.dumps(index, ensure_ascii=False) + ";\n")
        for name in ("style.css", "search.js"):
            shutil.copy(HERE / name, self.folder / name)
        return self.problems

    def copy(self, path):
        source, output = ROOT / path, self.copied(path)
        if source.is_dir():
            names = sorted(f"{one.name}/" if one.is_dir() else one.name for one in source.iterdir())
            body = "<ul>" + "".join(f"<li>{html.escape(name)}</li>" for name in names) + "</ul>"
            self.write(output, self.frame(output, path, f"<h1>{path}</h1><p>A folder of the repository.</p>{body}"))
        elif output == path:
            (self.folder / output).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, self.folder / output)
        else:
            text = html.escape(source.read_text())
            body = f'<h1>{path}</h1><figure class="code"><pre tabindex="0"><code>{text}</code></pre></figure>'
            self.write(output, self.frame(output, path, body))


def main():
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    problems = Site(folder).build()
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
