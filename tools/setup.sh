# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced by run and check: installs what is missing, configures and builds. Everything it says goes
# to stderr, so that stdout belongs to the program. The caller sets `root`.

run_packages=(
  g++ cmake ninja-build ccache make pkg-config
  libcli11-dev libfmt-dev nlohmann-json3-dev libgif-dev libpng-dev libgtest-dev libgmock-dev
)
docs_packages=(mkdocs mkdocs-material doxygen)
# Of ./check before it builds.
front_packages=("${run_packages[@]}" python3 git)
quick_packages=("${front_packages[@]}" clang-format mono-mcs mono-runtime
  python3-numpy python3-pytest python3-pip python3-setuptools python3-wheel)
# Of its release tests, which use mypy where it is installed.
release_packages=("${quick_packages[@]}" mypy)
wasm_packages=(
  clang-22 lld-22 llvm-22
  libc++-22-dev-wasm32 libc++abi-22-dev-wasm32 libclang-rt-22-dev-wasm32 wasi-libc
)
check_packages=(
  "${release_packages[@]}" "${docs_packages[@]}" "${wasm_packages[@]}"
  libclang-rt-22-dev
  g++-mingw-w64-x86-64-posix
  libbenchmark-dev libboost-graph-dev
  python3-matplotlib
  chromium fonts-dejavu-core
)
long_packages=("${check_packages[@]}" wine64 g++-aarch64-linux-gnu qemu-user)

# Exit code of a failed set-up; the program itself uses 0, 1 and 2.
setup_failed=3

say() { printf 'octile: %s\n' "$*" >&2; }

# Prints those of the given packages that are not installed.
missing_packages() {
  local installed
  # Fails when it knows one of them not at all.
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p') || true
  local package
  for package in "$@"; do
    grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# Installs the missing ones of the given packages; asks the network for nothing when all are there.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    local tool
    for tool in c++ cmake ninja; do
      if ! command -v "$tool" >/dev/null; then
        say "this is not a Debian system and $tool is missing; install what these packages hold: $*"
        return 1
      fi
    done
    return 0
  fi

  local missing
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then return 0; fi

  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "packages are missing and neither root nor sudo is here; as root, run:" \
        "apt-get install --no-install-recommends ${missing[*]}"
      return 1
    fi
    # Without a terminal nobody can type a password.
    if [ -t 0 ]; then as_root=(sudo "${as_root[@]}"); else as_root=(sudo -n "${as_root[@]}"); fi
  fi

  say "installing with apt-get: ${missing[*]}"
  local options=(-q -y -o DPkg::Lock::Timeout=600)
  if ! "${as_root[@]}" apt-get "${options[@]}" update >&2; then
    say "apt-get update failed; going on with the package lists that are here"
  fi
  if ! "${as_root[@]}" apt-get "${options[@]}" install --no-install-recommends \
    "${missing[@]}" >&2; then
    say "apt-get could not install: ${missing[*]}"
    return 1
  fi
  # What CMake has not found may be here now.
  rm -f "$root"/build/*/configured
}

# Node 18 or later with npm: one that is here, else Debian's.
need_node() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    install_packages nodejs npm || return 1
  fi
  if (($(node -p 'process.versions.node.split(".")[0]') < 18)); then
    say "Node 18 or later is needed, here is $(node --version)"
    return 1
  fi
}

# install_node_modules FOLDER: what its package-lock.json names, once. No script of theirs is run.
install_node_modules() {
  local stamp=$1/node_modules/.octile
  if cmp -s "$1/package-lock.json" "$stamp"; then return 0; fi
  say "installing with npm into ${1#"$root"/}/node_modules"
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund >&2) && cp "$1/package-lock.json" "$stamp"
}

# configure PRESET: runs cmake when it has to. Ninja itself notices changed CMakeLists.txt
# files, but neither changed presets nor a clone that was moved or copied with its build folder.
configure() {
  local preset=$1 folder=$root/build/$1 home
  local stamp=$folder/configured
  if [ -f "$folder/build.ninja" ] && [ "$stamp" -nt "$root/CMakePresets.json" ]; then
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")
    if [ "$home" = "$root" ]; then return 0; fi
    say "the clone has moved here from $home; configuring anew"
  fi
  # A folder that was configured by an older preset starts afresh; its objects stay.
  (cd "$root" && cmake --preset "$preset" --fresh >&2) && touch "$stamp"
}

# build FOLDER TARGET...: no target means all of them.
build() {
  local folder=$root/build/$1
  shift
  ninja -C "$folder" -j "$(nproc)" "$@" >&2
}

# The same, but only what goes wrong is said.
build_quietly() { (set -o pipefail && build "$1" --quiet "${@:2}" 2>&1 | sed '/no work to do/d' >&2); }
