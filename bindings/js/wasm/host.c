/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

/* What JavaScript needs beyond octile.h. */

#include "octile/octile.h"

/* It has no function pointers: an octile_progress that calls the host, and its address. */
__attribute__((import_module("octile"), import_name("progress"))) void octile_js_progress(
    void* user, double done);

void (*octile_js_progress_pointer(void))(void*, double);
void (*octile_js_progress_pointer(void))(void*, double) {
  return octile_js_progress;
}

/* Each number of 64 bits that crosses the border becomes an object there, and each crossing costs
 * as much as a short search: here is all of a query, its path included, behind one address. */
struct octile_js_call {
  octile_searcher searcher;
  octile_view view;
  const octile_query* query;
  octile_path path;
  octile_answer answer;
};

int32_t octile_js_find(struct octile_js_call* call);
int32_t octile_js_find(struct octile_js_call* call) {
  const int32_t status =
      octile_find(call->searcher, call->view, call->query, NULL, 0, &call->answer);
  if (status < OCTILE_OUT_OF_MEMORY) octile_searcher_borrow(call->searcher, &call->path);
  return status;
}
