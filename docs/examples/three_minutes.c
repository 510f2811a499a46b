/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

/* The program of docs/c.md, as it stands there. */

#include <stdio.h>
#include "octile/octile.h"

int main(void) {
  static const char map[] =
      "........\n"
      "...#....\n"
      "...#....\n"
      "........\n";
  octile_engine engine;
  octile_profile walker;
  uint32_t id;
  octile_view view;
  octile_searcher searcher;
  octile_query query;
  octile_answer answer;
  octile_cell cells[32];

  octile_engine_create(&engine);
  octile_engine_parse(engine, map, sizeof map - 1, NULL);
  octile_profile_init(&walker);                    // eight moves, no corner cutting
  octile_engine_add_profile(engine, &walker, &id);
  octile_engine_commit(engine);
  octile_engine_view(engine, id, &view);

  octile_searcher_create(&searcher);               // one a thread, reused
  octile_query_init(&query);
  octile_answer_init(&answer);
  query.start.x = 1, query.start.y = 1;
  query.goal.x = 6, query.goal.y = 2;
  octile_find(searcher, view, &query, cells, 32, &answer);
  printf("%s, cost %.3f, %zu cells\n", octile_status_name(answer.status), answer.cost, answer.length);
  return 0;
}
