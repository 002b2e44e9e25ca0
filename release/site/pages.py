"""Makes pages of the documents at the root of the project, and adapts the links between all documents.

A document names another one by its path in the project. The site has the documents only, so the text of a link to a
source file stays, and the link goes. If the site has the Javadoc, the navigation names it.
"""

import os
import posixpath
import re

from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

# The documents at the root of the project, with the names of their pages.
ROOT = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "report.md",
}

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
# A list directly behind a line of text. GitHub begins a list there; this generator needs an empty line.
LIST = re.compile(r"^(?!\s*(?:[-*]|\d+\.) |\s*$|\||```)(.+)\n(?=(?:[-*]|1\.) )", re.MULTILINE)


# The generator would load this script from another host.
WORKER = "https://unpkg.com/iframe-worker/shim"


def on_config(config):
    if os.environ.get("PENSTOCK_API"):
        reference = next(section["Reference"] for section in config.nav if "Reference" in section)
        reference.insert(1, {"API (Javadoc)": "api/index.html"})
    return config


def on_files(files, config):
    top = os.path.dirname(config.docs_dir)
    for document, page in ROOT.items():
        with open(os.path.join(top, document), encoding="utf-8") as text:
            files.append(File.generated(config, page, content=text.read()))
    worker = os.path.join(os.path.dirname(__file__), "worker.js")
    files.append(File.generated(config, "assets/worker.js", abs_src_path=worker))
    api = os.environ.get("PENSTOCK_API")
    for folder, _, names in os.walk(api or ""):
        for name in names:
            path = os.path.join(folder, name)
            page = "api/" + os.path.relpath(path, api).replace(os.sep, "/")
            files.append(File.generated(config, page, abs_src_path=path))
    return files


def on_post_page(output, page, config):
    return output.replace(WORKER, get_relative_url("assets/worker.js", page.url))


def on_post_template(output_content, template_name, config):
    return output_content.replace(WORKER, "assets/worker.js")


def on_page_markdown(markdown, page, config, files):
    page.meta["search"] = {"boost": boost(page.file.src_uri)}
    folder = "docs/" + posixpath.dirname(page.file.src_uri)
    for document, name in ROOT.items():
        if page.file.src_uri == name:
            folder = ""
    parts = CODE.split(markdown)
    for i, part in enumerate(parts):
        if i % 2 == 0:
            parts[i] = LIST.sub(r"\1\n\n", part)
    markdown = "".join(parts)
    return LINK.sub(lambda link: adapted(link, folder, page, files), markdown)


def boost(page):
    """Most people who search want to do something. Measurements and records of the development have the same words."""
    if page.startswith("guide/") or page == "user-guide.md":
        return 1.5
    if page.startswith("results/") or page in ("changelog.md", "contributing.md", "decisions.md", "architecture.md", "tck.md"):
        return 0.2
    return 1


def adapted(link, folder, page, files):
    image, text, target = link.groups()
    if re.match(r"[a-z]+:|#", target):
        return link[0]
    path, hash_, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(folder, path))
    to = ROOT.get(path) or (path[len("docs/") :] if path.startswith("docs/") else None)
    if to is None or files.get_file_from_path(to) is None:
        return link[0] if image else text
    relative = posixpath.relpath(to, posixpath.dirname(page.file.src_uri) or ".")
    return f"{image}[{text}]({relative}{hash_}{anchor})"
