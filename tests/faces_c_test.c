/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

/* tests/faces/queries.txt through octile.h: the same costs and the same paths through every face.
 * The last line is "N passed, N failed", a query each. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octile/octile.h"

#define MUST(call)                                        \
  do {                                                    \
    if ((call) != OCTILE_FOUND) {                         \
      octile_message(word, sizeof word);                  \
      printf("line %d: %s: %s\n", __LINE__, #call, word); \
      return 1;                                           \
    }                                                     \
  } while (0)

static const int kX[] = {1, 1, 0, -1, -1, -1, 0, 1}, kY[] = {0, 1, 1, 1, 0, -1, -1, -1};

int main(void) {
  static char word[65536], row[65536], solver[64];
  static octile_cell cells[65536];
  octile_engine engine = {0};
  octile_view plain = {0}, view = {0};
  octile_searcher searcher;
  int passed = 0, failed = 0;
  FILE* file = fopen(OCTILE_FACES_FILE, "r");
  if (file == NULL) return 1;
  MUST(octile_searcher_create(&searcher));
  while (fscanf(file, "%65535s", word) == 1) {
    if (word[0] == '#') {
      if (fgets(row, sizeof row, file) == NULL) return 1;
    } else if (strcmp(word, "map") == 0) {
      octile_map_def def;
      uint8_t* terrain;
      int y, status;
      octile_engine_destroy(engine);
      MUST(octile_engine_create(&engine));
      MUST(octile_map_def_init(&def));
      if (fscanf(file, "%*s %d %d", &def.width, &def.height) != 2) return 1;
      terrain = calloc((size_t)def.width * (size_t)def.height, 1);
      for (y = 0; terrain != NULL && y < def.height; ++y) {
        if (fscanf(file, "%65535s", row) != 1 || strlen(row) != (size_t)def.width) return 1;
        memcpy(terrain + (size_t)y * (size_t)def.width, row, (size_t)def.width);
      }
      status = octile_engine_reset(engine, &def, terrain, (size_t)def.width);
      free(terrain);
      MUST(status);
      MUST(octile_engine_commit(engine));
    } else if (strcmp(word, "profile") == 0) {
      octile_profile profile;
      int moves, diagonal, metric;
      uint32_t id;
      MUST(octile_profile_init(&profile));
      if (fscanf(file, "%d %d %d %d %d", &moves, &diagonal, &metric, &profile.width,
                 &profile.height) != 5)
        return 1;
      profile.moves = (uint8_t)moves;
      profile.diagonal = (uint8_t)diagonal;
      profile.metric = (uint8_t)metric;
      MUST(octile_engine_add_profile(engine, &profile, &id));
      octile_view_destroy(plain);
      MUST(octile_engine_view(engine, id, &plain));
    } else if (strcmp(word, "index") == 0) {
      octile_index_options options;
      octile_index index = {0};
      int kind;
      if (fscanf(file, "%d", &kind) != 1) return 1;
      if (view.value != plain.value) octile_view_destroy(view);
      view = plain;
      if (kind != OCTILE_INDEX_NONE) {
        MUST(octile_index_options_init(&options));
        options.most = (uint8_t)kind;
        MUST(octile_index_build(plain, &options, &index));
        MUST(octile_view_with_index(plain, index, &view));
        MUST(octile_index_destroy(index));
      }
    } else if (strcmp(word, "query") == 0) {
      octile_query query;
      octile_answer answer;
      octile_cell at;
      int status, good;
      unsigned long long units;
      double cost;
      size_t i, moves;
      MUST(octile_query_init(&query));
      MUST(octile_answer_init(&answer));
      if (fscanf(file, "%63s %d %d %d %d %d %llu %lf %65535s", solver, &query.start.x,
                 &query.start.y, &query.goal.x, &query.goal.y, &status, &units, &cost, row) != 9)
        return 1;
      query.solver = octile_solver_id(solver);
      good = octile_find(searcher, view, &query, cells, 65536, &answer) == status;
      if (good && status == OCTILE_FOUND) {
        moves = row[0] == '-' ? 0 : strlen(row);
        good = answer.cost_units == units && answer.cost == cost && answer.length == moves + 1;
        at = query.start;
        for (i = 0; good && i <= moves; ++i) {
          good = cells[i].x == at.x && cells[i].y == at.y;
          if (i < moves) {
            at.x += kX[row[i] - '0'];
            at.y += kY[row[i] - '0'];
          }
        }
      }
      if (good) {
        ++passed;
      } else {
        ++failed;
        printf("FAILED %s (%d,%d) (%d,%d)\n", solver, query.start.x, query.start.y, query.goal.x,
               query.goal.y);
      }
    } else {
      return 1;
    }
  }
  fclose(file);
  octile_searcher_destroy(searcher);
  if (view.value != plain.value) octile_view_destroy(view);
  octile_view_destroy(plain);
  octile_engine_destroy(engine);
  if (octile_handle_count() != 0) ++failed;
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed < 1000;
}
