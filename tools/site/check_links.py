#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Every link, anchor and picture of a built site leads somewhere inside it, and no page loads
anything from elsewhere: check_links.py FOLDER. The last line counts the links."""
import html.parser
import sys
import urllib.parse
from pathlib import Path

# What is fetched as soon as a page is looked at.
LOADS = {('img', 'src'), ('script', 'src'), ('iframe', 'src'), ('source', 'src'), ('video', 'src'),
         ('object', 'data')}
# Doxygen 1.9.4 names these sections in the head of a page and then leaves their anchors out.
MISSING_IN_DOXYGEN = {'nested-classes', 'concepts'}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = {'', 'top'}, [], []
        self.feed(path.read_text('utf-8'))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        for name in ('id', 'name'):
            if given.get(name):
                self.anchors.add(given[name])
        for name in ('href', 'src', 'data'):
            link = given.get(name)
            if link is None or tag in ('base', 'meta'):
                continue
            self.links.append(link)
            style = tag == 'link' and not {'canonical', 'prev', 'next'} & set((given.get('rel') or '').split())
            if (tag, name) in LOADS or style:
                self.loads.append(link)


def main():
    folder = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob('*.html'))}
    passed, faults = 0, []
    for path, page in pages.items():
        name = path.relative_to(folder)
        for link in page.loads:
            if urllib.parse.urlsplit(link).scheme not in ('', 'data', 'javascript') or link.startswith('//'):
                faults.append(f'{name} loads {link}')
        for link in dict.fromkeys(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            place = urllib.parse.unquote(parts.path)
            if name.name == '404.html' and place.startswith('/'):
                place = '.' + place
            target = (path.parent / place).resolve() if place else path
            if target.is_dir():
                target /= 'index.html'
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or folder not in target.parents:
                faults.append(f'{name}: {link} is not there')
            elif target in pages and anchor not in pages[target].anchors and not (
                    target == path and anchor in MISSING_IN_DOXYGEN and name.parts[0] == 'api'):
                faults.append(f'{name}: {link} has no such anchor')
            else:
                passed += 1
    print(*faults, sep='\n' if faults else '')
    print(f'{passed} passed, {len(faults)} failed')
    return 1 if faults or passed == 0 else 0


sys.exit(main())
