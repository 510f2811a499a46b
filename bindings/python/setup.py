# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""One wheel for every python3 of a platform. build_wheel.sh puts the library into its place first."""

import ctypes
import os

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.join(HERE, "octile", "liboctile.so")
if not os.path.exists(LIBRARY):
    raise SystemExit("octile/liboctile.so is missing: use build_wheel.sh")
number = ctypes.CDLL(LIBRARY).octile_version()


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False  # there is a native library in it,

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]  # which knows nothing of Python


with open(os.path.join(HERE, "README.md"), encoding="utf-8") as readme:
    setup(
        name="octile",
        version=f"{number >> 16}.{number >> 8 & 255}.{number & 255}",
        description="Exact, deterministic path finding on grids",
        long_description=readme.read(),
        long_description_content_type="text/markdown",
        license="MIT",
        packages=["octile"],
        package_data={"octile": ["liboctile.so", "py.typed"]},
        python_requires=">=3.9",
        install_requires=["numpy>=1.20"],
        cmdclass={"bdist_wheel": PlatformWheel},
    )
