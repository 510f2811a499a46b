// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Bytes as a map file: whatever they are, parse_map answers with a map or with a clear Fault. What
// was read is written and read again in each format; on a small map `auto` must answer as the judge
// does, and as the Model.

#include <cstring>
#include <string>

#include "fuzz_tools.hpp"

namespace octile::fuzz {

inline void check_fault(const Fault& fault) {
  require(fault.status == Status::bad_argument || fault.status == Status::out_of_memory,
          "a fault with status ", name(fault.status));
  const size_t length = strnlen(fault.text, sizeof fault.text);
  require(length > 0 && length < sizeof fault.text, "a fault without a text");
  for (size_t i = 0; i < length; ++i) {
    require(fault.text[i] >= ' ' && fault.text[i] <= '~', "a fault with a byte that is no letter");
  }
}

inline void check_rewritten(const Engine& engine, MapFormat format) {
  const Map& map = engine.map();
  size_t length = 0;
  if (Fault fault = write_map(map, format, nullptr, 0, &length)) {
    check_fault(fault);
    // All that parse_map gives can be written, but for one thing.
    require(format == MapFormat::text && map.terrain(map.first_cell()) == 'P',
            "not written: ", fault.text);
    return;
  }
  std::string bytes(length, '?');
  require(!write_map(map, format, bytes.data(), length, &length), "the second write fails");
  require(length == bytes.size(), "the second write has another length");
  Engine copy;
  const Fault fault = parse_map(bytes.data(), bytes.size(), map.definition(), copy);
  require(!fault, "what was written is not read: ", fault.text);
  require(copy.map().width() == map.width() && copy.map().height() == map.height(),
          "what was written has another size");
  for (int32_t y = 0; y < map.height(); ++y) {
    for (int32_t x = 0; x < map.width(); ++x) {
      const uint8_t was = map.terrain({map.first_cell().x + x, map.first_cell().y + y});
      const uint8_t is = copy.map().terrain({map.first_cell().x + x, map.first_cell().y + y});
      const bool wall = std::strchr("@OTW#", was) != nullptr;
      require(is == (format == MapFormat::pgm ? (wall ? '@' : '.') : was), "cell ", x, ", ", y,
              " was ", int(was), " and comes back as ", int(is));
    }
  }
}

inline void fuzz_map(const uint8_t* data, size_t size) {
  MapDef base;
  base.first_cell = {-3, 5};
  Engine engine;
  if (Fault fault = parse_map(data, size, base, engine)) {
    check_fault(fault);
    require(engine.map().width() == 0, "a bad file left a map behind");
    return;
  }
  const Map& map = engine.map();
  require(map.width() >= 1 && map.height() >= 1, "a map without cells");
  require(uint64_t(map.width()) * uint64_t(map.height()) <= size, "more cells than bytes");
  require(map.first_cell() == base.first_cell, "the base was not followed");
  for (MapFormat format : {MapFormat::moving_ai, MapFormat::text, MapFormat::pgm}) {
    check_rewritten(engine, format);
  }
  if (map.width() > 64 || map.height() > 64) return;

  // A small map: one query between the two free cells that are first and last in a walk through the
  // rows that begins where the size says.
  const Profile profile;
  ProfileId id = 0;
  require(!engine.add_profile(profile, &id) && !engine.commit(), "no view");
  const View view = engine.view(id);
  Model model(map.definition());
  for (size_t i = 0; i < model.terrain.size(); ++i) model.terrain[i] = map.terrain(model.cell(i));
  const Walker walker{model, profile};
  check_view(view, walker);
  Query query;
  query.start = model.cell(size % model.terrain.size());
  query.goal = model.cell((size * 7 + 3) % model.terrain.size());
  query.snap_start = query.snap_goal = true;
  Asker asker;
  const Answer fast = asker.ask(view, query);
  check_path(view, walker, query, fast);
  query.solver = solver_id("dijkstra");
  const Answer judge = asker.ask(view, query);
  check_path(view, walker, query, judge);
  require(fast.status == judge.status && fast.units == judge.units, "auto says ", name(fast.status),
          " ", fast.units, ", dijkstra ", name(judge.status), " ", judge.units);
  if (judge.status != Status::found) return;
  const double best = walker.distances(judge.cells.front())[model.index(judge.cells.back())];
  require(about_equal(judge.cost, best, 1e-7), "the judge says ", judge.cost, ", the model ", best);
}

}  // namespace octile::fuzz
