/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

/* JavaScript has no function pointers: an octile_progress that calls the host, and its address. */

__attribute__((import_module("octile"), import_name("progress"))) void octile_js_progress(void* user,
                                                                                        double done);

void (*octile_js_progress_pointer(void))(void*, double);
void (*octile_js_progress_pointer(void))(void*, double) {
  return octile_js_progress;
}
