# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""What mkdocs.yml cannot say. Hooks of mkdocs:

- Doxygen runs first; its pages become api/ of the site. A warning of it ends the build.
- Pages that live outside docs/ (PAGES) are part of the site.
- Links are those that work in the source tree. Here they are turned into links of the site: headers
  lead to their page of the reference, other files are copied to files/. One that leads nowhere is a
  warning, and so the end of a strict build.
- A block of code after <!-- FILE --> must stand in that file (below docs/), which is tested.
- A page that the navigation in mkdocs.yml does not have comes under More, so that none is lost.
"""
import logging
import posixpath
import re
import subprocess
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / 'build/api/html'
PAGES = {
    'README.md': 'index.md',
    'CONTRIBUTING.md': 'contributing.md',
    'CHANGELOG.md': 'changelog.md',
    'bench/results/README.md': 'results.md',
    'bindings/unity/com.octile.pathfinding/README.md': 'unity_package.md',
    'bindings/python/README.md': 'python_package.md',
    'bindings/js/README.md': 'js_package.md',
    'apps/viewer/README.md': 'viewer_app.md',
}
LINK = re.compile(r'(\]\(<?)([^)#\s<>]*)(#[^)\s<>]*)?(>?\))')
FENCE = re.compile(r'^(\s*)(```+|~~~+)')
QUOTED = re.compile(r'^<!-- (examples/\S+) -->\n+```\w*\n(.*?)^```', re.MULTILINE | re.DOTALL)
log = logging.getLogger('mkdocs.plugins.site_hooks')


def on_config(config):
    docs = Path(config['docs_dir'])
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob('*.md')} | set(PAGES.values())
    more = sorted(pages - set(expand(config['nav'], docs)))
    if more:
        config['nav'].append({'More': more})
    return config


def expand(nav, docs):
    """FOLDER/* stands for all pages of the folder but its README.md. Gives all pages."""
    listed = []
    for item in list(nav):
        if isinstance(item, dict):
            for value in item.values():
                listed += expand(value, docs) if isinstance(value, list) else [value]
        elif item.endswith('/*'):
            place = nav.index(item)
            nav[place:place + 1] = sorted(page.relative_to(docs).as_posix()
                                          for page in docs.glob(item + '.md')
                                          if page.name != 'README.md')
            listed += [page for page in nav if isinstance(page, str)]
        else:
            listed.append(item)
    return listed


def on_pre_build(config):
    API.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(['doxygen', 'tools/site/Doxyfile'], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0 or 'warning:' in done.stdout:
        raise PluginError('doxygen:\n' + done.stdout)


def static(path, folder, name, config):
    file = File(name, str(folder), config['site_dir'], False)
    file.abs_src_path = str(path)
    return file


def on_files(files, config):
    for path in sorted(API.rglob('*')):
        if path.is_file():
            name = 'api/' + path.relative_to(API).as_posix()
            files.append(static(path, API, name, config))
    for source, name in PAGES.items():
        files.append(static(ROOT / source, ROOT, name, config))
    return files


def on_page_markdown(markdown, page, config, files):
    source = Path(page.file.abs_src_path).relative_to(ROOT).as_posix()
    for match in QUOTED.finditer(markdown):
        quoted_from(match.group(1), match.group(2), source)
    lines, fence = markdown.split('\n'), None
    for i, line in enumerate(lines):
        mark = FENCE.match(line)
        if mark and fence in (None, mark.group(2)):
            fence = mark.group(2) if fence is None else None
        elif fence is None:
            lines[i] = LINK.sub(lambda m: relinked(m, source, page, config, files), line)
    return '\n'.join(lines)


def quoted_from(name, block, source):
    path = ROOT / 'docs' / name
    text = [line.strip() for line in path.read_text('utf-8').split('\n')] if path.is_file() else []
    want = [line.strip() for line in block.rstrip('\n').split('\n')]
    if not any(text[i:i + len(want)] == want for i in range(len(text))):
        log.warning("%s: the block after <!-- %s --> does not stand there:\n%s", source, name, block)


def relinked(match, source, page, config, files):
    opening, target, anchor, closing = match.groups()
    if not target or ':' in target:
        return match.group(0)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    if (ROOT / path).is_dir() and (ROOT / path / 'README.md').is_file():
        path = posixpath.join(path, 'README.md')
    if path in PAGES:
        place = PAGES[path]
    elif path.startswith('docs/') and (ROOT / path).is_file():
        place = path[len('docs/'):]
    elif re.fullmatch(r'include/octile/\w+\.(h|hpp)', path):
        place = 'api/' + path.rsplit('/', 1)[-1].replace('_', '__').replace('.', '_8') + '.html'
    elif (ROOT / path).is_file():
        place = f'files/{path}.txt'
        if files.get_file_from_path(place) is None:
            files.append(static(ROOT / path, ROOT, place, config))
    elif target.startswith('api/') or target.startswith('../api/'):
        place = target[target.index('api/'):]
    else:
        log.warning("%s links to '%s', which is not there", source, target)
        return match.group(0)
    place = posixpath.relpath(place, posixpath.dirname(page.file.src_path) or '.')
    return f'{opening}{place}{anchor or ""}{closing}'
