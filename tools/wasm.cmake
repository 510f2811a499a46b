# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# clang 22 to WebAssembly with Debian's wasi-libc and libc++: the tool chain of the preset `wasm`.
# No threads, no exceptions; SIMD and the bulk instructions, which every browser has since 2023.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_AR llvm-ar-22)
set(CMAKE_RANLIB llvm-ranlib-22)
# The short name of the target is on its way out, but Debian's libc++ still lives under it.
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(octile_wasm_flags "-Wno-deprecated -Wno-shorten-64-to-32 -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -fno-exceptions")
set(CMAKE_C_FLAGS_INIT "${octile_wasm_flags}")
set(CMAKE_CXX_FLAGS_INIT "${octile_wasm_flags} -stdlib=libc++ -fno-rtti")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# There are none, and the engine asks for none there; so that FindThreads need not look.
set(CMAKE_HAVE_LIBC_PTHREAD TRUE)
