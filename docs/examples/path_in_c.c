/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

/* A path in C, a door, and a field for a crowd. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octile/octile.h"

static void must(int32_t status) {
  char text[256];
  if (status == OCTILE_FOUND) return;
  octile_message(text, sizeof text);
  fprintf(stderr, "%s: %s\n", octile_status_name(status), text);
  exit(1);
}

int main(void) {
  static const char drawing[] =
      "..........\n"
      "..######..\n"
      "..#....#..\n"
      "..#....#..\n"
      "..######..\n"
      "..........\n";
  octile_engine engine;
  octile_profile walker;
  uint32_t id, door;
  octile_obstacle_def gate;
  octile_view view;
  octile_searcher searcher;
  octile_query query;
  octile_answer answer;
  octile_cell cells[64];
  size_t i;

  if (octile_abi_version() != OCTILE_ABI_VERSION ||
      octile_sizeof("octile_query") != sizeof(octile_query)) {
    fprintf(stderr, "header and library are of different versions\n");
    return 1;
  }

  /* The map, who walks, and a door that stands open. */
  must(octile_engine_create(&engine));
  must(octile_engine_parse(engine, drawing, strlen(drawing), NULL));
  must(octile_map_set_terrain(engine, 7, 2, '.'));
  must(octile_obstacle_def_init(&gate));
  gate.rect.x = 7;
  gate.rect.y = 2;
  gate.rect.width = gate.rect.height = 1;
  gate.present = 0;
  must(octile_map_add_obstacle(engine, &gate, &door));
  must(octile_profile_init(&walker)); /* eight moves, no corner cutting */
  must(octile_engine_add_profile(engine, &walker, &id));
  must(octile_engine_commit(engine));
  must(octile_engine_view(engine, id, &view));

  /* A path: the searcher is the workspace of this thread, used again and again. */
  must(octile_searcher_create(&searcher));
  must(octile_query_init(&query));
  must(octile_answer_init(&answer));
  query.start.x = 0;
  query.start.y = 3;
  query.goal.x = 3;
  query.goal.y = 3;
  must(octile_find(searcher, view, &query, cells, 64, &answer));
  printf("%s, cost %.3f, %d cells:", octile_status_name(answer.status), answer.cost,
         (int)answer.length);
  for (i = 0; i < answer.length && i < 64; ++i) printf(" (%d,%d)", cells[i].x, cells[i].y);
  printf("\n");

  /* The door closes: the old view does not notice, the new one has no way. */
  must(octile_map_set_obstacle(engine, door, 1));
  must(octile_engine_commit(engine));
  must(octile_find(searcher, view, &query, cells, 64, &answer));
  must(octile_view_destroy(view));
  must(octile_engine_view(engine, id, &view));
  if (octile_find(searcher, view, &query, cells, 64, &answer) != OCTILE_NO_PATH) return 1;
  printf("behind the closed door: %s\n", answer.message);

  must(octile_searcher_destroy(searcher));
  must(octile_view_destroy(view));
  must(octile_engine_destroy(engine));
  return octile_handle_count() == 0 ? 0 : 1;
}
