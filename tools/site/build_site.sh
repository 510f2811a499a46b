#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# build_site.sh             builds the documentation into build/site; every warning is an error
# build_site.sh --serve     builds it anew after each change, on http://127.0.0.1:8000
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case ${1-} in
  '') ;;
  --serve) exec mkdocs serve --strict --watch include --watch README.md --watch CONTRIBUTING.md ;;
  *)
    echo "usage: ./run docs [--serve]" >&2
    exit 2
    ;;
esac
mkdocs build --quiet --strict --clean
/usr/bin/python3 tools/site/check_links.py build/site
