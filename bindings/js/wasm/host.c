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
  octile_path path;
  octile_answer answer;
  octile_query usual; /* nothing is asked for but a path from start to goal */
};

/* In the number that comes back, beside the status: found without a search, and nothing of the
 * answer is out of the ordinary. */
enum { kPlain = 256 };

int32_t octile_js_ask(struct octile_js_call* call, const octile_query* query);
int32_t octile_js_ask(struct octile_js_call* call, const octile_query* query) {
  const octile_answer* answer = &call->answer;
  const int32_t status =
      octile_find_borrow(call->searcher, call->view, query, &call->path, &call->answer);
  if (status != OCTILE_FOUND || answer->bound != 1) return status;
  return (answer->expanded | answer->generated | answer->goal_index) == 0 ? kPlain : status;
}

int32_t octile_js_find(struct octile_js_call* call, int32_t start_x, int32_t start_y,
                       int32_t goal_x, int32_t goal_y);
int32_t octile_js_find(struct octile_js_call* call, int32_t start_x, int32_t start_y,
                       int32_t goal_x, int32_t goal_y) {
  call->usual.start.x = start_x;
  call->usual.start.y = start_y;
  call->usual.goal.x = goal_x;
  call->usual.goal.y = goal_y;
  return octile_js_ask(call, &call->usual);
}
