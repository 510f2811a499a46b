// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Memory through the C face: a warm query allocates nothing, and every allocation of every call may
// fail: that is a status, nothing leaks, and what was made can be destroyed.

#include <gtest/gtest.h>

#include <cstring>

#include "failing_allocator.hpp"
#include "octile/octile.h"

namespace octile::test {
namespace {

const char kMap[] =
    "............\n"
    ".....@......\n"
    ".....@......\n"
    ".....@......\n"
    "............\n";

struct Made {
  octile_engine engine{};
  uint32_t id = 0;
  octile_view view{};
  octile_index index{};
  octile_searcher searcher{};
  octile_field_maker maker{};
  octile_field field{};
  octile_batch batch{};
  octile_planner planner{};
  octile_plan plan{};
};

// Every call of it may be told that memory is short; then those that need its result are refused.
void use_everything(Made& m, bool* only_memory) {
  const auto told = [&](int32_t status) {
    if (status != OCTILE_FOUND && status != OCTILE_OUT_OF_MEMORY && status != OCTILE_BAD_ARGUMENT)
      *only_memory = false;
  };
  octile_profile profile;
  octile_query query;
  octile_answer answer;
  octile_index_options options;
  octile_field_query field;
  octile_plan_answer planned{};
  octile_cell cells[64];
  const octile_cell goal{11, 2};
  const octile_pair tasks[2] = {{{0, 0}, {11, 0}}, {{11, 0}, {0, 0}}};
  octile_agent agents[2] = {{{0, 0}, {11, 0}, 1, 0, 1, 128}, {{11, 0}, {0, 0}, 1, 0, 1, 128}};
  size_t length = 0;
  octile_profile_init(&profile);
  octile_query_init(&query);
  octile_answer_init(&answer);
  octile_index_options_init(&options);
  octile_field_query_init(&field);
  planned.size = sizeof planned;
  octile_generate_options made;
  uint8_t rows[20 * 20];
  octile_generate_options_init(&made);
  made.width = made.height = 20;
  for (const char* kind : {"maze", "caves", "hills"}) told(octile_generate(kind, &made, rows, 20));
  told(octile_engine_create(&m.engine));
  told(octile_engine_parse(m.engine, kMap, sizeof kMap - 1, nullptr));
  told(octile_engine_add_profile(m.engine, &profile, &m.id));
  told(octile_engine_commit(m.engine));
  told(octile_engine_view(m.engine, m.id, &m.view));
  told(octile_searcher_create(&m.searcher));
  query.goal = goal;
  told(octile_find(m.searcher, m.view, &query, cells, 64, &answer));
  query.goals = &goal;
  query.goal_count = 1;
  told(octile_searcher_begin(m.searcher, m.view, &query));
  told(octile_index_build(m.view, &options, &m.index));
  told(octile_engine_adopt(m.engine, m.id, m.index));
  told(octile_field_maker_create(&m.maker));
  field.goals = &goal;
  field.goal_count = 1;
  told(octile_field_build(m.maker, m.view, &field, &m.field));
  told(octile_batch_create(&m.batch));
  told(octile_batch_pairs(m.batch, m.view, nullptr, tasks, 2, nullptr, nullptr, cells, 64, &length,
                          nullptr));
  told(octile_planner_create(&m.planner));
  told(octile_planner_reset(m.planner, m.view, agents, 2, nullptr));
  told(octile_planner_step(m.planner));
  told(octile_plan_create(&m.plan));
  told(octile_plan_make(m.view, tasks, 2, nullptr, m.plan, &planned));
}

void destroy_everything(const Made& m) {
  octile_plan_destroy(m.plan);
  octile_planner_destroy(m.planner);
  octile_batch_destroy(m.batch);
  octile_field_destroy(m.field);
  octile_field_maker_destroy(m.maker);
  octile_index_destroy(m.index);
  octile_searcher_destroy(m.searcher);
  octile_view_destroy(m.view);
  octile_engine_destroy(m.engine);
}

TEST(CMemory, EveryAllocationMayFail) {
  // The table of handles is never given back.
  octile_cancel first;
  ASSERT_EQ(octile_cancel_create(&first), OCTILE_FOUND);
  ASSERT_EQ(octile_cancel_destroy(first), OCTILE_FOUND);
  const int failures = every_failure([](Failure& failure) {
    Made made;
    bool only_memory = true;
    failure.during([&] { use_everything(made, &only_memory); });
    EXPECT_TRUE(only_memory);
    destroy_everything(made);
    EXPECT_EQ(octile_handle_count(), 0U);
  });
  EXPECT_GT(failures, 100);
}

TEST(CMemory, WarmQueriesAllocateNothing) {
  Made m;
  bool only_memory = true;
  use_everything(m, &only_memory);
  octile_query query;
  octile_answer answer;
  octile_cell cells[64];
  octile_query_init(&query);
  octile_answer_init(&answer);
  query.goal = {11, 2};
  const auto ask = [&] {
    for (int32_t y = 0; y < 5; ++y) {
      query.start = {0, y};
      octile_find(m.searcher, m.view, &query, cells, 64, &answer);
      octile_searcher_begin(m.searcher, m.view, &query);
      int32_t done = 0;
      while (!done) octile_searcher_step(m.searcher, 3, cells, 64, &answer, &done);
    }
  };
  ask();
  EXPECT_EQ(allocations_of(ask), 0U);
  EXPECT_EQ(answer.status, OCTILE_FOUND);
  destroy_everything(m);
}

}  // namespace
}  // namespace octile::test
