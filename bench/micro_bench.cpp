// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Micro-benchmarks: what a query costs before any search, and what a commit costs after an edit.
// Figures for whole maps come from `octile bench`.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "octile/octile.hpp"

namespace {

using namespace octile;

// An open map with a closed chamber in the middle, and its view.
struct World {
  Engine engine;
  ProfileId profile = 0;
  View view;

  explicit World(int side) {
    MapDef definition;
    definition.width = side;
    definition.height = side;
    must(engine.reset(definition));
    must(engine.map().fill({side / 2 - 8, side / 2 - 8, 17, 17}, '@'));
    must(engine.map().fill({side / 2, side / 2, 1, 1}, '.'));
    must(engine.add_profile(Profile(), &profile));
    must(engine.commit());
    view = engine.view(profile);
  }
  static void must(const Fault& fault) {
    if (!fault) return;
    std::fprintf(stderr, "micro_bench: %s\n", fault.text);
    std::exit(2);
  }
};

void ask(benchmark::State& state, Cell start, Cell goal, Status expected) {
  const World world(static_cast<int>(state.range(0)));
  Searcher searcher;
  Path path;
  Query query;
  query.start = start;
  query.goal = goal;
  for (auto _ : state) {
    find(searcher, world.view, query, path);
    benchmark::DoNotOptimize(path.cost);
  }
  if (path.status != expected) state.SkipWithError(name(path.status));
}

void one_step(benchmark::State& state) {
  ask(state, {7, 7}, {8, 8}, Status::found);
}
BENCHMARK(one_step)->Arg(2048);

void same_cell(benchmark::State& state) {
  ask(state, {7, 7}, {7, 7}, Status::found);
}
BENCHMARK(same_cell)->Arg(2048);

void other_component(benchmark::State& state) {
  const int32_t middle = static_cast<int32_t>(state.range(0)) / 2;
  ask(state, {7, 7}, {middle, middle}, Status::no_path);
}
BENCHMARK(other_component)->Arg(2048);

void free_line(benchmark::State& state) {
  ask(state, {7, 7}, {407, 207}, Status::found);
}
BENCHMARK(free_line)->Arg(2048);

// One cell toggled and published: costs what changed.
void edit_one_cell(benchmark::State& state) {
  World world(static_cast<int>(state.range(0)));
  bool wall = false;
  for (auto _ : state) {
    wall = !wall;
    World::must(world.engine.map().set_terrain({100, 100}, wall ? '@' : '.'));
    World::must(world.engine.commit());
  }
}
BENCHMARK(edit_one_cell)->Arg(256)->Arg(2048)->Unit(benchmark::kMicrosecond);

void first_commit(benchmark::State& state) {
  for (auto _ : state) {
    const World world(static_cast<int>(state.range(0)));
    benchmark::DoNotOptimize(world.view.version());
  }
}
BENCHMARK(first_commit)->Arg(512)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
