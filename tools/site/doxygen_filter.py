#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""The filter between the public headers and doxygen (tools/site/Doxyfile): writes FILE with its comments
as doxygen wants them, line for line, so that the headers keep plain ones.

    the first comment            tells of the file
    a comment before a thing     tells of it, and of all that follow without one of their own, up to
                                 the next blank line
    a comment behind a thing     tells of it, and goes on in the comment lines below it that begin
                                 in the same column
    a banner (a line of dashes)  is a heading and tells of nothing
    lines indented by three      are drawings and code
    docs/NAME.md                 becomes a link to that page of the site
"""
import re
import sys

# What the headers' essays say once of many things, said again at each without a comment.
CONVENTIONS = [
    (r'  uint32_t size;', 'sizeof this struct, as the caller was compiled.'),
    (r'  uint64_t value;', 'The number; 0 is no handle.'),
    (r'  u?int\d+_t reserved(\[\d+\])?;', 'Must be 0.'),
    (r'  void\* user( = nullptr)?;', 'Yours; given to the progress function.'),
    (r'.* octile_\w+_init\(.*;', 'Fills in the size and the defaults.'),
    (r'.* octile_\w+_create\(.*;', 'Makes one, to be given back by the function that ends in _destroy.'),
    (r'.* octile_\w+_destroy\(.*;', 'Gives it back, once, from any thread.'),
    (r'  (\w+)\(const \1& other\) noexcept;', 'Another handle of the same thing; counted.'),
    (r'  \w+& operator=\(const \w+& other\) noexcept;', 'Another handle of the same thing; counted.'),
    (r'  (\w+)\(\1&& other\) noexcept.*', 'Takes over what the other one has, which is empty then.'),
    (r'  (\w+)& operator=\(\1&& other\) noexcept.*', 'Takes over what the other one has, which is empty then.'),
    (r'  (const )?Impl\* impl\(\).*', 'For the engine itself.'),
    (r'  size_t memory_bytes\(\) const noexcept.*', 'What it holds now, in bytes.'),
    (r'.*size_t goal_count( = 0)?;', 'How many goals there are.'),
    (r'.*size_t stop_count( = 0)?;', 'How many stops there are.'),
]
CONVENTIONS = [(re.compile(pattern), meaning) for pattern, meaning in CONVENTIONS]
BEHIND = re.compile(r'^(\s*[^\s/].*?\s)//(?!/) ?(.*)$')
BEHIND_C = re.compile(r'^(\s*[^\s/].*?\s)/\*(?![*!])(.*)$')


def code_of(line):
    """The line without comments and strings: enough to count braces and to find what ends."""
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|//.*|/\*.*?\*/', '', line)


def one_style(lines):
    """(line, role, column) of each line; the column is where a comment behind its code begins."""
    column, inside = None, False
    for line in lines:
        stripped = line.strip()
        if inside:  # of a C comment; `column` is where it began behind code, else None
            yield line, 'goes on', None
            inside = '*/' not in line
            continue
        if stripped.startswith('/*'):
            inside = '*/' not in line
            yield line, 'before', None
        elif stripped.startswith('//'):
            yield line, 'behind' if column == line.index('//') else 'before', None
            continue  # the column stays
        elif match := BEHIND.match(line):
            column = len(match.group(1))
            yield line, 'code', column
            continue
        elif match := BEHIND_C.match(line):
            inside = '*/' not in line[len(match.group(1)):]
            yield line, 'code', len(match.group(1))
        else:
            yield line, 'code', None
        column = None


def paragraphs(rows):
    """Comments, each with what follows; blank lines and those that open or end a class alone."""
    part = []
    for row in rows:
        if row[1] == 'before' and part and part[-1][1] not in ('before', 'goes on'):
            yield part
            part = []
        if row[1] == 'code' and re.fullmatch(r'\s*((public|private|protected):|}.*;|)\s*', row[0]):
            if part:
                yield part
            yield [row]
            part = []
        else:
            part.append(row)
    if part:
        yield part


def documented(line, role, column):
    if role in ('before', 'goes on'):
        line = re.sub(r'^(\s*(?://|/?\*)) {3}', r'\1     ', line)
    line = re.sub(r'\bdocs/(\w+)\.md(#[\w-]+)?', r'<a href="../\1.html\2">docs/\1.md</a>', line)
    if role == 'before':
        line = re.sub(r'^(\s*)//(?!/)', r'\1///', line, count=1)
        return re.sub(r'^(\s*)/\*(?![*!])', r'\1/**', line, count=1)
    if role == 'behind':
        return line.replace('//', '///<', 1)
    if role == 'code' and column is not None:
        mark = '/**<' if line[column:].startswith('/*') else '///<'
        return line[:column] + mark + line[column + 2:]
    if role == 'code':
        for pattern, meaning in CONVENTIONS:
            if pattern.fullmatch(line):
                return f'{line} /**< {meaning} */'
    return line


def blocks(text):
    """Makes the /// comment at the beginning a block, which may stand behind another comment."""
    count = next((i for i, line in enumerate(text) if not line.lstrip().startswith('///')), len(text))
    begun = [re.sub(r'///', '/**' if i == 0 else ' *', line, count=1) for i, line in enumerate(text[:count])]
    if begun:
        begun[-1] += ' */'
    return begun + text[count:]


def main():
    lines = open(sys.argv[1], encoding='utf-8').read().split('\n')
    name = sys.argv[1].rsplit('/', 1)[-1]
    out, seen_file, ending = [], False, False
    for part in paragraphs(one_style(lines)):
        text = [row[0] for row in part]
        code = [row for row in part if row[1] == 'code' and code_of(row[0]).strip()]
        comment = part[0][1] == 'before'
        closing, ending = ending, False
        if 'SPDX' in text[0] or (comment and not code and seen_file):
            pass  # the licence; a banner, or a remark on all that follows
        elif comment and not code:
            seen_file = True
            text = [documented(*row) for row in part]
            if text[0].startswith('///'):
                out[-1] = f'/// @file {name}'
            else:
                out[-1] = f'/** @file {name}'
                text[0] = text[0].replace('/**', ' *', 1)
        elif len(part) > 1 or code:
            text = blocks([documented(*row) for row in part])
            # One comment for several things: a member group, whose first documentation all share.
            balanced = all(code_of(row[0]).count('{') == code_of(row[0]).count('}') for row in code)
            things = sum(code_of(row[0]).rstrip().endswith((';', '}')) or row[0][0] == '#' for row in code)
            start = next((i for i, row in enumerate(part) if row[1] == 'before'), None)
            if start is not None and balanced and things > 1:
                indent = re.match(r'\s*', text[start]).group()
                text[start] = f'{indent}/**@{{*/ ' + text[start].lstrip()
                ending = True
        if closing:  # the member group that ended before this line
            text[0] = '/**@}*/ ' + text[0]
        out += text
    sys.stdout.write('\n'.join(out))


main()
